import type { Clock } from '../../../kit/clock.js';
import type { Tx } from '../../../kit/db/database.js';
import type { IdSource } from '../../../kit/ids.js';
import { recordActivity } from '../../../ledger/activity.js';
import { announceKeyChange } from './keyStore.js';
import { type Platform, savePlatform } from './store.js';

type Changes = { readonly [F in keyof Platform]?: Platform[F] | undefined };

/**
 * Changes a platform, held by this transaction, and records in the audit trail what it was before. Fields that are left out keep their
 * value; without a change nothing is written. Answers the platform as it is then.
 * @param actor as in Activity.
 */
export async function changePlatform(
  tx: Tx,
  { clock, ids }: { clock: Clock; ids: IdSource },
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
