import { fail } from '../../../domain/errors.js';
import type { Tx } from '../../../kit/db/database.js';
import type { KeyCaller } from '../../../kit/http/route.js';
import { isUuid } from '../../../kit/ids.js';
import type { StoredKey } from './keySchemas.js';
import { lockKeys } from './keyStore.js';

/**
 * The key in use, read again and locked. The cache of authentication may be a second old, which is
 * enough for a revoked key to mint its own successor. Throws UNAUTHORIZED.
 */
export async function lockOwnKey(tx: Tx, now: Date, caller: KeyCaller): Promise<StoredKey> {
  const [own] = await lockKeys(tx, caller.platformId, [caller.keyId]);
  return own && isUsable(own, now) ? own : refuseKey();
}

interface LockedKeys {
  own: StoredKey;
  /** The key to change; it may be the key in use. */
  target: StoredKey;
}

/**
 * Locks the key in use and the key to change. Throws UNAUTHORIZED, and NOT_FOUND for a key that the
 * caller cannot see.
 */
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

/** Locks a key of a platform, for the operator. Throws NOT_FOUND. */
export async function lockKey(tx: Tx, platformId: string, keyId: string): Promise<StoredKey> {
  const [key] = isUuid(keyId) ? await lockKeys(tx, platformId, [keyId]) : [];
  return key ?? failUnknownKey();
}

export function isUsable(key: StoredKey, now: Date): boolean {
  return key.isActive && (key.expiresAt === null || key.expiresAt > now);
}

/**
 * Live keys administer all keys of the platform. Test keys are given to people and machines that
 * are not trusted with live data, so they neither see nor change live keys.
 */
export function isVisible(key: StoredKey, caller: KeyCaller): boolean {
  return caller.livemode || key.isTest;
}

function failUnknownKey(): never {
  return fail('NOT_FOUND', { message: 'This platform has no key with this id.' });
}

/** The same answer to every key that is refused: the reason is revealed to nobody. */
export function refuseKey(): never {
  return fail('UNAUTHORIZED', {
    message:
      'A valid API key is required: Authorization: Bearer crd_live_... or crd_test_... This key is missing, malformed, unknown, ' +
      'revoked, expired or belongs to an inactive platform.',
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
}
