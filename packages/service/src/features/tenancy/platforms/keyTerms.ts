import { fail } from '#domain/errors.js';
import { mayWriteAnything, scopesBeyond } from '#domain/scopes.js';
import { DAY_MS } from '#domain/timestamp.js';
import { networksBeyond } from '#kit/addressGuard.js';
import type { Tx } from '#kit/db/database.js';
import type { KeyCaller } from '#kit/http/route.js';
import { isUuid } from '#kit/ids.js';
import type { StoredKey } from './keySchemas.js';
import { lockKeys } from './keyStore.js';
import type { Platform } from './store.js';
import { lockUsers, scopesOfRole } from './userStore.js';

/** A warning in the answer with a new key; GET /enums lists the codes. */
interface KeyWarning {
  readonly code: 'KEY_EXPIRY_CLAMPED' | 'KEY_OPENS_CONFIRMATIONS';
  readonly message: string;
}

/**
 * The privilege ceiling: a key grants at most its own scopes and networks. Throws
 * SCOPE_CEILING_EXCEEDED.
 */
export function assertWithinCeiling(
  own: Pick<StoredKey, 'scopes' | 'allowedCidrs'>,
  wanted: Pick<StoredKey, 'scopes' | 'allowedCidrs'>,
): void {
  const scopes = scopesBeyond(own.scopes, wanted.scopes);
  if (scopes.length > 0) {
    fail('SCOPE_CEILING_EXCEEDED', {
      message:
        wanted.scopes.length === 0
          ? 'An empty list of scopes means full access, which only a key without scopes can grant.'
          : `This key cannot grant ${scopes.join(', ')}: its own scopes do not include it.`,
      details: { exceeded: scopes },
    });
  }
  if (own.allowedCidrs.length === 0) return;
  const everywhere = wanted.allowedCidrs.length === 0;
  const networks = everywhere ? ['0.0.0.0/0', '::/0'] : networksBeyond(own.allowedCidrs, wanted.allowedCidrs);
  if (networks.length === 0) return;
  fail('SCOPE_CEILING_EXCEEDED', {
    message: everywhere
      ? 'A key that is restricted to networks cannot create a key that works from everywhere.'
      : `This key cannot grant access from ${networks.join(', ')}: it is restricted to other networks.`,
    details: { exceeded: networks },
  });
}

interface Asked {
  /** The requested end; null: never. */
  readonly expiresAt: Date | null;
  /** The caller asked for this end, so an earlier one is worth a warning. */
  readonly isExplicit: boolean;
}

/**
 * The earliest of the requested end, the end of the creating key, and the platform's limit; with a
 * warning when it is earlier.
 */
export function endOfKey(
  now: Date,
  asked: Asked,
  maker: StoredKey | null,
  { maxKeyLifetimeDays }: Pick<Platform, 'maxKeyLifetimeDays'>,
): { expiresAt: Date | null; warnings: KeyWarning[] } {
  const bounds = [
    {
      end: maker?.expiresAt ?? null,
      reason: 'the key in use expires then, and no key outlives the key that created it',
    },
    {
      end: endAfter(now, maxKeyLifetimeDays),
      reason: `keys of this platform live at most ${maxKeyLifetimeDays} days (maxKeyLifetimeDays)`,
    },
  ];
  let expiresAt = asked.expiresAt;
  let reason: string | null = null;
  for (const bound of bounds) {
    if (bound.end === null || (expiresAt !== null && expiresAt <= bound.end)) continue;
    expiresAt = bound.end;
    reason = bound.reason;
  }
  if (reason === null || !asked.isExplicit) return { expiresAt, warnings: [] };
  const message = `The key expires at ${expiresAt?.toISOString()}, earlier than requested: ${reason}.`;
  return { expiresAt, warnings: [{ code: 'KEY_EXPIRY_CLAMPED', message }] };
}

/** The end of a key that lives this many days; null: it does not expire. */
export function endAfter(now: Date, days: number | null | undefined): Date | null {
  return days ? new Date(now.getTime() + days * DAY_MS) : null;
}

/** A read-only key can still open confirmations, which its owner may not expect. */
export function warningsOfScopes(
  scopes: readonly string[],
  { confirmationsRequireWrite }: Pick<Platform, 'confirmationsRequireWrite'>,
): KeyWarning[] {
  if (confirmationsRequireWrite || mayWriteAnything(scopes)) return [];
  return [
    {
      code: 'KEY_OPENS_CONFIRMATIONS',
      message:
        'These scopes only read, but any valid key can open confirmations and references, and a confirmed one counts in a score. ' +
        'To require a write action: PATCH /platform {"confirmationsRequireWrite": true}.',
    },
  ];
}

/** A replaced key works until its grace period ends, but creates no keys. Throws FORBIDDEN. */
export function assertNotReplaced({ replacedBy, expiresAt }: StoredKey): void {
  if (replacedBy === null) return;
  fail('FORBIDDEN', {
    message:
      `This key was replaced by ${replacedBy} and works until ${expiresAt?.toISOString()}. It can no longer mint or rotate keys: ` +
      'use its successor. It can still revoke other keys.',
  });
}

/** A stolen old key could otherwise end the key that replaced it. */
export function assertNoSuccessor(
  { replacedBy, expiresAt }: StoredKey,
  successors: readonly string[],
  revoked: readonly StoredKey[],
): void {
  const successor = revoked.find(({ id }) => successors.includes(id));
  if (!successor) return;
  fail('FORBIDDEN', {
    message:
      `This key was replaced by ${replacedBy} and works until ${expiresAt?.toISOString()}. It cannot revoke its ` +
      `successor ${successor.id}: use the successor.`,
  });
}

/**
 * The key in use, read again and locked. The cache of authentication may be a second old, which is
 * enough for a revoked key to mint its own successor. Throws UNAUTHORIZED.
 */
export async function lockOwnKey(tx: Tx, now: Date, caller: KeyCaller): Promise<StoredKey> {
  if (caller.isUser) return lockOwnUser(tx, caller);
  const [own] = await lockKeys(tx, caller.platformId, [caller.keyId]);
  return own && isUsable(own, now) ? own : refuseKey();
}

/**
 * A user as a key that has the scopes of the role, does not expire and works from everywhere. Throws
 * UNAUTHORIZED.
 */
async function lockOwnUser(tx: Tx, { keyId, platformId, scopes }: KeyCaller): Promise<StoredKey> {
  const [user] = await lockUsers(tx, platformId, [keyId]);
  if (!user || scopesOfRole(user.role).join() !== scopes.join()) return refuseKey();
  return {
    id: user.id,
    label: null,
    scopes: [...scopes],
    isTest: false,
    isActive: true,
    expiresAt: null,
    lastUsedAt: null,
    createdAt: user.createdAt,
    createdBy: user.createdBy,
    replacedBy: null,
    allowedCidrs: [],
  };
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
  const own = caller.isUser ? await lockOwnUser(tx, caller) : keys.find((key) => key.id === caller.keyId);
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
