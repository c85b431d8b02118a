import type { z } from 'zod';
import { fail } from '../../../domain/errors.js';
import { scopeCatalogue } from '../../../domain/scopes.js';
import type { Tx } from '../../../kit/db/database.js';
import { created, type TypedAnswer } from '../../../kit/http/answer.js';
import type { IdempotencyClaim, KeyCaller } from '../../../kit/http/route.js';
import { recordActivity } from '../../../ledger/activity.js';
import { overLimitsOf } from '../../../ledger/planCounts.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { newKey } from './addKey.js';
import { addPlatform } from './addPlatform.js';
import type { PlatformDeps } from './changeKeys.js';
import { announceKeyChange } from './keyStore.js';
import { lockOwnKey } from './lockKeys.js';
import type {
  OwnPlatform,
  OwnPlatformChanges,
  Platform,
  PlatformBody,
  PlatformChanges,
  PlatformCreated,
} from './schemas.js';
import { lockPlatform, savePlatform } from './store.js';

/** POST /admin/platforms: a platform with its first live and test key. */
export function createPlatform(
  { clock, ids, withIdempotency }: PlatformDeps,
  { name, trustTier = 'STARTER', plan = 'starter', group }: z.output<typeof PlatformBody>,
  claim: IdempotencyClaim | null,
): Promise<TypedAnswer<201, z.output<typeof PlatformCreated>>> {
  const now = clock.now();
  return withIdempotency(claim, { now, isSecret: true }, async (tx) => {
    const keys = { live: newKey('live'), test: newKey('test') };
    const id = ids.at(now);
    return created(
      await addPlatform(tx, ids, now, { id, name, trustTier, plan, group, keys, actor: 'operator' }),
    );
  });
}

/**
 * PATCH /admin/platforms/{id}. A new trust tier applies to events reported from now on; events in
 * the ledger keep theirs. A body that changes nothing writes nothing.
 */
export async function updatePlatform(
  deps: PlatformDeps,
  id: string,
  changes: z.output<typeof PlatformChanges>,
): Promise<Platform> {
  const platform = await deps.db.transaction(async (tx) =>
    changePlatform(tx, deps, await lockPlatform(tx, id), changes, 'operator'),
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
  const { maxKeyLifetimeDays, confirmationsRequireWrite } = await deps.db.transaction(async (tx) => {
    const before = await lockPlatform(tx, caller.platformId);
    await lockOwnKey(tx, deps.clock.now(), caller);
    return changePlatform(tx, deps, before, changes, caller.actor);
  });
  deps.forgetKeys();
  return readOwnPlatform(deps, { ...caller, maxKeyLifetimeDays, confirmationsRequireWrite });
}

/** GET /platform: the platform of the key in use, and the scopes of this key. */
export async function readOwnPlatform(
  { db, clock }: Pick<PlatformDeps, 'db' | 'clock'>,
  caller: KeyCaller,
): Promise<OwnPlatform> {
  return {
    id: caller.platformId,
    name: caller.platformName,
    tier: caller.plan,
    trustTier: caller.trustTier,
    rateLimitPerMinute: caller.rateLimitPerMinute,
    overLimits: await overLimitsOf(db, caller, caller.plan, clock.now()),
    maxKeyLifetimeDays: caller.maxKeyLifetimeDays,
    confirmationsRequireWrite: caller.confirmationsRequireWrite,
    mode: caller.livemode ? 'live' : 'test',
    scopes: [...caller.scopes],
    keyId: caller.keyId,
    scopeCatalogue: [...scopeCatalogue],
  };
}

type Changes = { readonly [Field in keyof Platform]?: Platform[Field] | undefined };

/**
 * Changes a locked platform, with an entry in the audit trail. Fields left out keep their value;
 * without a change nothing is written.
 * @param actor as in Activity.
 */
async function changePlatform(
  tx: Tx,
  { clock, ids }: Pick<ServiceDeps, 'clock' | 'ids'>,
  before: Platform,
  changes: Changes,
  actor: string,
): Promise<Platform> {
  const given: Partial<Platform> = Object.fromEntries(
    Object.entries(changes).filter(([, value]) => value !== undefined),
  );
  const changed = (Object.keys(given) as (keyof Platform)[]).filter(
    (field) => given[field] !== before[field],
  );
  if (changed.length === 0) return before;
  const now = clock.now();
  const after: Platform = { ...before, ...given, updatedAt: now };
  await savePlatform(tx, after);
  await announceKeyChange(tx);
  await recordActivity(tx, {
    id: ids.at(now),
    platformId: before.id,
    livemode: true,
    action: 'PLATFORM_UPDATED',
    actor,
    target: before.id,
    details: Object.fromEntries(changed.map((field) => [field, { from: before[field], to: after[field] }])),
    at: now,
  });
  return after;
}
