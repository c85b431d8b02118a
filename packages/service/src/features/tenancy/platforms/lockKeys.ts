import { fail } from '../../../domain/errors.js';
import type { Tx } from '../../../kit/db/database.js';
import type { KeyCaller } from '../../../kit/http/route.js';
import { isUuid } from '../../../kit/ids.js';
import { lockKeys, type StoredKey } from './keyStore.js';
import { refuseKey } from './refuseKey.js';

/**
 * The key in use as it stands now, held until the transaction ends. What admission remembers may be a second old, and a
 * second is enough for a revoked key to mint itself a successor: whatever changes keys looks again. Throws UNAUTHORIZED.
 */
export async function lockOwnKey(tx: Tx, now: Date, caller: KeyCaller): Promise<StoredKey> {
  const [own] = await lockKeys(tx, caller.platformId, [caller.keyId]);
  return own && isUsable(own, now) ? own : refuseKey();
}

interface LockedKeys {
  own: StoredKey;
  /** The key that the caller means; may be its own. */
  target: StoredKey;
}

/** The key in use together with the one it works on. Throws UNAUTHORIZED and, for a key out of its sight, NOT_FOUND. */
export async function lockKeysOrFail(
  tx: Tx,
  now: Date,
  caller: KeyCaller,
  keyId: string,
): Promise<LockedKeys> {
  const keys = await lockKeys(
    tx,
    caller.platformId,
    [caller.keyId, keyId].filter((id) => isUuid(id)),
  );
  const own = keys.find((key) => key.id === caller.keyId);
  if (!own || !isUsable(own, now)) return refuseKey();
  const target = keys.find((key) => key.id === keyId.toLowerCase());
  return { own, target: target && isVisible(target, caller) ? target : failUnknownKey() };
}

/** A key of a platform, for the operator. Throws NOT_FOUND. */
export async function lockKey(tx: Tx, platformId: string, keyId: string): Promise<StoredKey> {
  const [key] = isUuid(keyId) ? await lockKeys(tx, platformId, [keyId]) : [];
  return key ?? failUnknownKey();
}

export function isUsable(key: StoredKey, now: Date): boolean {
  return key.isActive && (key.expiresAt === null || key.expiresAt > now);
}

/**
 * Live keys administer the platform, its test keys included. A test key is handed to people and machines that are not
 * trusted with live data: it neither sees nor touches live keys.
 */
export function isVisible(key: StoredKey, caller: KeyCaller): boolean {
  return caller.livemode || key.isTest;
}

function failUnknownKey(): never {
  return fail('NOT_FOUND', { message: 'This platform has no key with this id.' });
}
