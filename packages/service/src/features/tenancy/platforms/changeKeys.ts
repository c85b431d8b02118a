import type { z } from 'zod';
import { fail } from '#domain/errors.js';
import { canonicalNetworks } from '#kit/addressGuard.js';
import type { Tx } from '#kit/db/database.js';
import { created, type TypedAnswer } from '#kit/http/answer.js';
import type { IdempotencyClaim, KeyCaller, OperatorCaller } from '#kit/http/route.js';
import { recordActivities, recordActivity } from '#ledger/activity.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import type {
  KeyBody,
  KeyMinted,
  KeyRevoked,
  KeyRotated,
  OwnKeyBody,
  RotationBody,
  StoredKey,
} from './keySchemas.js';
import {
  announceKeyChange,
  findDescendants,
  findKeys,
  findSuccessors,
  lockKeys,
  saveKey,
} from './keyStore.js';
import {
  assertNoSuccessor,
  assertNotReplaced,
  assertWithinCeiling,
  endAfter,
  endOfKey,
  isVisible,
  lockKey,
  lockKeysOrFail,
  lockOwnKey,
  warningsOfScopes,
} from './keyTerms.js';
import type { KeyUses } from './keyUses.js';
import { announceNewKey, newKey, type Replacement, recordNewKey, replaceKey, storeKey } from './newKeys.js';
import { lockPlatform, lockSettings, type Platform, readPlatform } from './store.js';
import { type ConsoleUser, recordUsers, removeUsers } from './userStore.js';

export type PlatformDeps = Pick<
  ServiceDeps,
  'db' | 'groups' | 'clock' | 'ids' | 'log' | 'withIdempotency' | 'wakes'
> & {
  keyUses: KeyUses;
  /** Clears the key cache of this process, so that a change takes effect with the next request. */
  forgetKeys(): void;
};

/** GET /platform/keys: the platform's keys; a test key sees test keys only. */
export async function listOwnKeys({ db, keyUses }: PlatformDeps, caller: KeyCaller): Promise<StoredKey[]> {
  await keyUses.flush();
  return (await findKeys(db.shared, caller.platformId)).filter((key) => isVisible(key, caller));
}

/** GET /admin/platforms/{id}/keys: all keys that the platform ever had. */
export async function listKeys({ db, keyUses }: PlatformDeps, id: string): Promise<StoredKey[]> {
  const shared = db.shared;
  const platform = await readPlatform(shared, id);
  await keyUses.flush();
  return findKeys(shared, platform.id);
}

/**
 * POST /platform/keys: one more key, at or below the scopes and networks of the key in use (RULES
 * K4).
 */
export function mintOwnKey(
  deps: PlatformDeps,
  caller: KeyCaller,
  { label = null, expiresInDays, ...asked }: z.output<typeof OwnKeyBody>,
  claim: IdempotencyClaim | null,
): Promise<TypedAnswer<201, KeyMinted>> {
  const isTest = modeFor(caller, asked.isTest);
  return mint(deps, claim, async (tx, now) => {
    const platform = await lockSettings(tx, caller.platformId);
    const own = await lockOwnKey(tx, now, caller);
    assertNotReplaced(own);
    const scopes = [...new Set(asked.scopes ?? own.scopes)];
    const allowedCidrs = canonicalNetworks(asked.allowedCidrs ?? own.allowedCidrs);
    assertWithinCeiling(own, { scopes, allowedCidrs });
    return { platform, own, actor: caller.actor, label, scopes, isTest, expiresInDays, allowedCidrs };
  });
}

function modeFor(caller: KeyCaller, wanted = !caller.livemode): boolean {
  if (caller.livemode || wanted) return wanted;
  return fail('TEST_MODE_NOT_ALLOWED', { message: 'A test key can only create test keys.' });
}

/** POST /admin/platforms/{id}/keys: for a platform that has lost its last key. */
export function mintKey(
  deps: PlatformDeps,
  { actor }: OperatorCaller,
  platformId: string,
  { label = null, scopes = [], isTest = false, expiresInDays, allowedCidrs = [] }: z.output<typeof KeyBody>,
  claim: IdempotencyClaim | null,
): Promise<TypedAnswer<201, KeyMinted>> {
  return mint(deps, claim, async (tx) => ({
    platform: await lockSettings(tx, platformId),
    own: null,
    actor,
    label,
    scopes: [...new Set(scopes)],
    isTest,
    expiresInDays,
    allowedCidrs: canonicalNetworks(allowedCidrs),
  }));
}

/** A key to create. */
interface Wanted extends Pick<StoredKey, 'label' | 'scopes' | 'isTest' | 'allowedCidrs'> {
  /** Its settings are locked by the transaction. */
  readonly platform: Platform;
  /** The key in use, locked too; null: the operator acts. */
  readonly own: StoredKey | null;
  /** As in Activity. */
  readonly actor: string;
  readonly expiresInDays: number | null | undefined;
}

async function mint(
  { clock, ids, withIdempotency, wakes }: PlatformDeps,
  claim: IdempotencyClaim | null,
  wantedIn: (tx: Tx, now: Date) => Promise<Wanted>,
): Promise<TypedAnswer<201, KeyMinted>> {
  const now = clock.now();
  const answer = await withIdempotency(claim, { now, isSecret: true }, async (tx) => {
    const { platformId, actor, stored, ...secret } = await tx.inShared(async (shared) => {
      const { platform, own, actor, expiresInDays, ...wanted } = await wantedIn(shared, now);
      const asked = { expiresAt: endAfter(now, expiresInDays), isExplicit: expiresInDays !== undefined };
      const { expiresAt, warnings } = endOfKey(now, asked, own, platform);
      const key = newKey(wanted.isTest ? 'test' : 'live');
      const owned = { ...wanted, platformId: platform.id, expiresAt, actor };
      const stored = await storeKey(shared, ids, now, { ...owned, key });
      const all = [...warnings, ...warningsOfScopes(wanted.scopes, platform)];
      return { platformId: platform.id, actor, stored, key, warnings: all };
    });
    await recordNewKey(tx, ids, platformId, stored, actor);
    await announceNewKey(tx, ids, platformId, stored, null);
    return created({ ...stored, ...secret });
  });
  wakes.raise('deliveries');
  return answer;
}

/**
 * POST /platform/keys/{keyId}/rotate. The caller receives the new key, so the ceiling applies here
 * as well.
 */
export function rotateOwnKey(
  deps: PlatformDeps,
  caller: KeyCaller,
  keyId: string,
  body: z.output<typeof RotationBody>,
  claim: IdempotencyClaim | null,
): Promise<TypedAnswer<201, KeyRotated>> {
  return rotate(deps, body, claim, async (tx, now) => {
    const platform = await lockSettings(tx, caller.platformId);
    const { own, target } = await lockKeysOrFail(tx, now, caller, keyId);
    assertNotReplaced(own);
    assertWithinCeiling(own, target);
    return { platform, own, actor: caller.actor, previous: target };
  });
}

/** POST /admin/platforms/{id}/keys/{keyId}/rotate. */
export function rotateKey(
  deps: PlatformDeps,
  { actor }: OperatorCaller,
  platformId: string,
  keyId: string,
  body: z.output<typeof RotationBody>,
  claim: IdempotencyClaim | null,
): Promise<TypedAnswer<201, KeyRotated>> {
  return rotate(deps, body, claim, async (tx) => {
    const platform = await lockSettings(tx, platformId);
    return { platform, own: null, actor, previous: await lockKey(tx, platform.id, keyId) };
  });
}

const DEFAULT_GRACE_HOURS = 24;

async function rotate(
  { clock, ids, withIdempotency, forgetKeys, wakes }: PlatformDeps,
  { graceHours = DEFAULT_GRACE_HOURS }: z.output<typeof RotationBody>,
  claim: IdempotencyClaim | null,
  lockedIn: (tx: Tx, now: Date) => Promise<Omit<Replacement, 'graceHours'>>,
): Promise<TypedAnswer<201, KeyRotated>> {
  const now = clock.now();
  const answer = await withIdempotency(claim, { now, isSecret: true }, async (tx) =>
    created(
      await replaceKey(tx, ids, now, async (shared) => ({ ...(await lockedIn(shared, now)), graceHours })),
    ),
  );
  forgetKeys();
  wakes.raise('deliveries');
  return answer;
}

/** PATCH /admin/platforms/{id}/keys/{keyId}: replaces the scopes of a key in place. */
export async function changeScopes(
  { db, clock, ids, forgetKeys }: PlatformDeps,
  { actor }: OperatorCaller,
  id: string,
  keyId: string,
  scopes: readonly string[],
): Promise<StoredKey> {
  const key = await db.transaction(async (tx) => {
    const { platformId, before, after } = await tx.inShared(async (shared) => {
      const { id: platformId } = await readPlatform(shared, id);
      const before = await lockKey(shared, platformId, keyId);
      const after = { ...before, scopes: [...new Set(scopes)] };
      await saveKey(shared, platformId, after);
      await announceKeyChange(shared);
      return { platformId, before, after };
    });
    const now = clock.now();
    await recordActivity(tx, {
      id: ids.at(now),
      platformId,
      livemode: !before.isTest,
      action: 'API_KEY_SCOPES_UPDATED',
      actor,
      target: before.id,
      details: { from: before.scopes, to: after.scopes },
      at: now,
    });
    return after;
  });
  forgetKeys();
  return key;
}

/**
 * DELETE /platform/keys/{keyId}: revokes a key for ever, and with `cascade` all keys that descend
 * from it.
 */
export async function revokeOwnKey(
  { db, clock, ids, forgetKeys }: PlatformDeps,
  caller: KeyCaller,
  keyId: string,
  cascade: boolean,
): Promise<KeyRevoked> {
  const { platformId, actor } = caller;
  const result = await db.transaction(async (tx) => {
    const now = clock.now();
    const { target, revoked, users } = await tx.inShared((shared) =>
      revokeIn(shared, now, caller, keyId, cascade),
    );
    const details = { cascadeFrom: target.id };
    await recordUsers(tx, ids, caller, users, { action: 'CONSOLE_USER_REMOVED', at: now, details });
    await recordActivities(
      tx,
      revoked.map(({ id, isTest }) => ({
        id: ids.at(now),
        platformId,
        livemode: !isTest,
        action: 'API_KEY_REVOKED' as const,
        actor,
        target: id,
        ...(id !== target.id && { details: { cascadeFrom: target.id } }),
        at: now,
      })),
    );
    const alreadyRevoked = !target.isActive;
    const descendantsRevoked = revoked.length - (alreadyRevoked ? 0 : 1);
    return { id: target.id, revoked: true as const, alreadyRevoked, descendantsRevoked };
  });
  forgetKeys();
  return result;
}

/** Returns the key as it was, and the keys and console users that this ended. */
async function revokeIn(
  tx: Tx,
  now: Date,
  caller: KeyCaller,
  keyId: string,
  cascade: boolean,
): Promise<{ target: StoredKey; revoked: StoredKey[]; users: ConsoleUser[] }> {
  const { platformId } = caller;
  // Keys are created under a shared lock of the platform, so none is created while the
  // descendants are looked up.
  if (cascade) await lockPlatform(tx, platformId);
  const { own, target } = await lockKeysOrFail(tx, now, caller, keyId);
  const made = cascade ? await findDescendants(tx, platformId, target.id) : { keyIds: [], userIds: [] };
  const descendants = await lockKeys(tx, platformId, made.keyIds);
  const revoked = [target, ...descendants.filter(({ id }) => id !== target.id)].filter(
    ({ isActive }) => isActive,
  );
  if (own.replacedBy !== null) {
    assertNoSuccessor(own, await findSuccessors(tx, platformId, own.id), revoked);
  }
  for (const key of revoked) await saveKey(tx, platformId, { ...key, isActive: false });
  const users = await removeUsers(tx, platformId, made.userIds);
  if (revoked.length + users.length > 0) await announceKeyChange(tx);
  return { target, revoked, users };
}
