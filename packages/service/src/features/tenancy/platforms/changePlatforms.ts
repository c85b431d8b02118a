import type { z } from 'zod';
import { fail } from '#domain/errors.js';
import { scopeCatalogue } from '#domain/scopes.js';
import { type Database, isDatabaseUnavailable, type Tx } from '#kit/db/database.js';
import { created, type TypedAnswer } from '#kit/http/answer.js';
import type { IdempotencyClaim, KeyCaller, OperatorCaller } from '#kit/http/route.js';
import { withoutUndefined } from '#kit/lists.js';
import { differences, recordActivity } from '#ledger/activity.js';
import { overLimitsOf } from '#ledger/planCounts.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { addPlatform } from './addPlatform.js';
import type { PlatformDeps } from './changeKeys.js';
import { announceKeyChange } from './keyStore.js';
import { lockOwnKey } from './keyTerms.js';
import { newKey } from './newKeys.js';
import {
  lockPlatform,
  type OwnPlatform,
  type OwnPlatformChanges,
  type Platform,
  type PlatformBody,
  type PlatformChanges,
  type PlatformCreated,
  readPlatform,
  savePlatform,
} from './store.js';
import { endSessionsOf } from './userStore.js';

/**
 * POST /admin/platforms: a platform with its first live and test key. If the ledger group with the
 * fewest platforms does not answer, it is placed in one that does.
 */
export async function createPlatform(
  { groups, clock, ids, withIdempotency }: PlatformDeps,
  { actor }: OperatorCaller,
  { name, trustTier = 'STARTER', plan = 'starter', group }: z.output<typeof PlatformBody>,
  claim: IdempotencyClaim | null,
): Promise<TypedAnswer<201, z.output<typeof PlatformCreated>>> {
  const now = clock.now();
  const keys = { live: newKey('live'), test: newKey('test') };
  const platform = { id: ids.at(now), name, trustTier, plan, group, keys, actor };
  const createWithout = (away: ReadonlySet<number>) =>
    withIdempotency(claim, { now, isSecret: true }, async (tx) =>
      created(await addPlatform(tx, ids, now, { ...platform, away })),
    );
  try {
    return await createWithout(new Set());
  } catch (error) {
    if (group !== undefined || !isDatabaseUnavailable(error)) throw error;
    const away = await findAway(groups());
    if (away.size === 0) throw error;
    return createWithout(away);
  }
}

async function findAway(groups: readonly Database[]): Promise<Set<number>> {
  const answers = await Promise.allSettled(groups.map((db) => db.ping()));
  const away = groups.filter((_, index) => answers[index]?.status === 'rejected');
  return new Set(away.map(({ ledgers }) => ledgers.own));
}

/**
 * PATCH /admin/platforms/{id}. A new trust tier applies to events reported from now on; events in
 * the ledger keep theirs. A body that changes nothing writes nothing.
 */
export async function updatePlatform(
  deps: PlatformDeps,
  { actor }: OperatorCaller,
  id: string,
  changes: z.output<typeof PlatformChanges>,
): Promise<Platform> {
  const platform = await deps.db.transaction((tx) =>
    changePlatform(tx, deps, (shared) => lockPlatform(shared, id), changes, actor),
  );
  deps.forgetKeys();
  return platform;
}

/**
 * PATCH /platform. The settings apply to both modes, so test keys, which are not trusted with live
 * data, cannot change them.
 */
export async function updateOwnPlatform(
  deps: PlatformDeps,
  caller: KeyCaller,
  changes: z.output<typeof OwnPlatformChanges>,
): Promise<OwnPlatform> {
  if (!caller.livemode) {
    fail('TEST_MODE_NOT_ALLOWED', {
      message: 'These settings also apply to live keys, so a test key cannot change them. Use a live key.',
    });
  }
  const lock = async (shared: Tx) => {
    const before = await lockPlatform(shared, caller.platformId);
    await lockOwnKey(shared, deps.clock.now(), caller);
    return before;
  };
  const { maxKeyLifetimeDays, confirmationsRequireWrite } = await deps.db.transaction((tx) =>
    changePlatform(tx, deps, lock, changes, caller.actor),
  );
  deps.forgetKeys();
  return readOwnPlatform(deps, { ...caller, maxKeyLifetimeDays, confirmationsRequireWrite });
}

/** GET /platform: the platform of the key in use, and the scopes of this key. */
export async function readOwnPlatform(
  { db, clock }: Pick<PlatformDeps, 'db' | 'clock'>,
  caller: KeyCaller,
): Promise<OwnPlatform> {
  const { contact, privacyUrl } = await readPlatform(db, caller.platformId);
  return {
    id: caller.platformId,
    name: caller.platformName,
    tier: caller.plan,
    trustTier: caller.trustTier,
    rateLimitPerMinute: caller.rateLimitPerMinute,
    overLimits: await overLimitsOf(db, caller, caller.plan, clock.now()),
    maxKeyLifetimeDays: caller.maxKeyLifetimeDays,
    confirmationsRequireWrite: caller.confirmationsRequireWrite,
    contact,
    privacyUrl,
    mode: caller.livemode ? 'live' : 'test',
    scopes: [...caller.scopes],
    keyId: caller.keyId,
    scopeCatalogue: [...scopeCatalogue],
  };
}

type Changes = { readonly [Field in keyof Platform]?: Platform[Field] | undefined };

/**
 * Changes a platform, with an entry in the audit trail. Fields left out keep their value;
 * without a change nothing is written.
 * @param lock reads the platform and locks it.
 * @param actor as in Activity.
 */
async function changePlatform(
  tx: Tx,
  { clock, ids }: Pick<ServiceDeps, 'clock' | 'ids'>,
  lock: (shared: Tx) => Promise<Platform>,
  changes: Changes,
  actor: string,
): Promise<Platform> {
  const given = withoutUndefined(changes);
  const now = clock.now();
  const { after, details } = await tx.inShared(async (shared) => {
    const before = await lock(shared);
    const changed: Platform = { ...before, ...given, updatedAt: now };
    const details = differences(before, changed, Object.keys(given) as (keyof Platform)[]);
    if (Object.keys(details).length === 0) return { after: before, details: null };
    await savePlatform(shared, changed);
    if (!changed.isActive) await endSessionsOf(shared, changed.id);
    await announceKeyChange(shared);
    return { after: changed, details };
  });
  if (details === null) return after;
  await recordActivity(tx, {
    id: ids.at(now),
    platformId: after.id,
    livemode: true,
    action: 'PLATFORM_UPDATED',
    actor,
    target: after.id,
    details,
    at: now,
  });
  return after;
}
