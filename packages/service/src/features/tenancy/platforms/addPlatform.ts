import type { Tx } from '../../../kit/db/database.js';
import { withGroup } from '../../../kit/db/groups.js';
import type { IdSource } from '../../../kit/ids.js';
import { recordActivity } from '../../../ledger/activity.js';
import { findEmptiestGroup } from '../../../ledger/groups/store.js';
import { addKey } from './addKey.js';
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
  keys: { live: string; test: string };
  /** As in Activity. */
  actor: string;
}

/**
 * Creates a platform with a live and a test key, with an entry in the audit trail for each. It lives
 * in the ledger group with the fewest platforms.
 */
export async function addPlatform(
  tx: Tx,
  ids: IdSource,
  now: Date,
  { id, name, trustTier, plan, keys, actor }: PlatformToAdd,
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
  const group = await findEmptiestGroup(tx);
  await insertPlatform(tx, platform, group);
  return withGroup(tx, group, async () => {
    await recordActivity(tx, {
      id: ids.at(now),
      platformId: id,
      livemode: true,
      action: 'PLATFORM_CREATED',
      actor,
      target: id,
      details: { name, trustTier, plan },
      at: now,
    });
    const unscoped = { platformId: id, label: null, scopes: [], allowedCidrs: [], expiresAt: null, actor };
    const live = await addKey(tx, ids, now, { ...unscoped, key: keys.live, isTest: false });
    const test = await addKey(tx, ids, now, { ...unscoped, key: keys.test, isTest: true });
    return {
      platform,
      keys: { live: { id: live.id, key: keys.live }, test: { id: test.id, key: keys.test } },
    };
  });
}
