import { failValidation } from '#domain/errors.js';
import type { Clock } from '#kit/clock.js';
import type { Database, Tx } from '#kit/db/database.js';
import type { IdSource } from '#kit/ids.js';
import { recordActivity } from '#ledger/activity.js';
import { findEmptiestGroup, findOpenGroups } from '#ledger/groups/store.js';
import { newKey, recordNewKey, storeKey } from './newKeys.js';
import {
  findPlatform,
  hasAnyPlatform,
  hasPlatformTable,
  insertPlatform,
  type Platform,
  takeFirstStartTurn,
} from './store.js';

/** A key and its id. */
interface NamedKey {
  readonly id: string;
  readonly key: string;
}

/** The first two keys of a platform, both with full access. */
interface FirstKeys {
  readonly live: NamedKey;
  readonly test: NamedKey;
}

interface PlatformToAdd {
  id: string;
  name: string;
  trustTier: Platform['trustTier'];
  plan: Platform['plan'];
  /** Default: the ledger group with the fewest platforms. */
  group?: number | undefined;
  /** Groups that do not answer. */
  away?: ReadonlySet<number>;
  keys: { live: string; test: string };
  /** As in Activity. */
  actor: string;
}

/**
 * Creates a platform with a live and a test key, with an entry in the audit trail for each. Throws
 * VALIDATION_ERROR if the ledger group takes no platforms.
 * @param over began in the first group.
 */
export async function addPlatform(
  tx: Tx,
  ids: IdSource,
  now: Date,
  { id, name, trustTier, plan, group: wanted, away, keys, actor }: PlatformToAdd,
): Promise<{ platform: Platform; keys: FirstKeys }> {
  const platform: Platform = {
    id,
    name,
    trustTier,
    plan,
    isActive: true,
    velocityExempt: false,
    rateLimitPerMinute: null,
    monthlyQuota: null,
    maxKeyLifetimeDays: null,
    confirmationsRequireWrite: false,
    contact: null,
    privacyUrl: null,
    createdAt: now,
    updatedAt: now,
  };
  const group = wanted === undefined ? await findEmptiestGroup(tx, away) : await knownGroup(tx, wanted);
  await insertPlatform(tx, platform, group);
  const unscoped = { platformId: id, label: null, scopes: [], allowedCidrs: [], expiresAt: null, actor };
  const live = await storeKey(tx, ids, now, { ...unscoped, key: keys.live, isTest: false });
  const test = await storeKey(tx, ids, now, { ...unscoped, key: keys.test, isTest: true });
  await tx.inLedger(group, async (own) => {
    await recordActivity(own, {
      id: ids.at(now),
      platformId: id,
      livemode: true,
      action: 'PLATFORM_CREATED',
      actor,
      target: id,
      details: { name, trustTier, plan },
      at: now,
    });
    for (const key of [live, test]) await recordNewKey(own, ids, id, key, actor);
  });
  return {
    platform,
    keys: { live: { id: live.id, key: keys.live }, test: { id: test.id, key: keys.test } },
  };
}

async function knownGroup(tx: Tx, group: number): Promise<number> {
  const groups = await findOpenGroups(tx);
  if (groups.includes(group)) return group;
  const message = `no platforms are placed in ledger group ${group}; the groups are ${groups.join(', ')}`;
  return failValidation([{ path: 'group', code: 'custom', message }]);
}

interface BootstrapDeps {
  db: Database;
  clock: Clock;
  ids: IdSource;
  config: { bootstrapLiveKey?: string | undefined; bootstrapTestKey?: string | undefined };
}

/** Whether the database, migrated or not, has a platform. */
export async function hasPlatform(db: Database): Promise<boolean> {
  return (await hasPlatformTable(db)) && hasAnyPlatform(db);
}

/** The first platform of an empty database, decided before anything is written. */
export interface FirstPlatform {
  readonly id: string;
  readonly keys: { readonly live: string; readonly test: string };
}

/**
 * Made once per process and used for every attempt, so that a retry after a lost connection
 * recognises its own work.
 */
export function draftFirstPlatform({ clock, ids, config }: Omit<BootstrapDeps, 'db'>): FirstPlatform {
  return {
    id: ids.at(clock.now()),
    keys: {
      live: config.bootstrapLiveKey ?? newKey('live'),
      test: config.bootstrapTestKey ?? newKey('test'),
    },
  };
}

export interface BootstrapOptions {
  draft?: FirstPlatform;
  /**
   * Stores the keys where their owner finds them. Runs before the commit: if it fails, no keys are
   * created.
   */
  handOver?(keys: FirstPlatform['keys']): Promise<void>;
}

/**
 * Creates the first platform of an empty database, with a live and a test key (RULES K11), and
 * returns it with its keys; null when there is another platform. Processes that start at the same
 * time create one in total.
 */
export async function bootstrapPlatform(
  deps: BootstrapDeps,
  { draft = draftFirstPlatform(deps), handOver }: BootstrapOptions = {},
): Promise<FirstPlatform | null> {
  const { db, clock, ids } = deps;
  return db.transaction(async (tx) => {
    await takeFirstStartTurn(tx);
    if (await hasAnyPlatform(tx)) return (await findPlatform(tx, draft.id)) ? draft : null;
    await handOver?.(draft.keys);
    await addPlatform(tx, ids, clock.now(), {
      ...draft,
      name: 'Default',
      trustTier: 'STARTER',
      plan: 'enterprise',
      actor: 'service',
    });
    return draft;
  });
}
