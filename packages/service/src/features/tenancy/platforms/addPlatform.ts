import { failValidation } from '../../../domain/errors.js';
import type { Tx } from '../../../kit/db/database.js';
import type { IdSource } from '../../../kit/ids.js';
import { recordActivity } from '../../../ledger/activity.js';
import { findEmptiestGroup, findOpenGroups } from '../../../ledger/groups/store.js';
import { recordNewKey, storeKey } from './addKey.js';
import type { Platform } from './schemas.js';
import { insertPlatform } from './store.js';

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
