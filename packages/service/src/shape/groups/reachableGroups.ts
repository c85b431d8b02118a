import type { Database } from '../../kit/db/database.js';
import { endsInTime } from '../../kit/inTime.js';
import { DistributedGroup } from '../citus/distributedGroup.js';

const ANSWERS_WITHIN_MS = 1000;

/**
 * The ledger groups without those whose worker of a Citus cluster does not answer. Their platforms are
 * refused, and the others are served.
 */
export async function reachableGroups(
  groups: readonly Database[],
  closed: ReadonlySet<number>,
): Promise<Database[]> {
  const open = groups.filter(({ ledgers }) => !closed.has(ledgers.own));
  const answers = open.map(async (db) => {
    if (!(db instanceof DistributedGroup)) return [db];
    const isThere = await endsInTime(db.ping(), ANSWERS_WITHIN_MS).catch(() => false);
    return isThere ? [db] : [];
  });
  return (await Promise.all(answers)).flat();
}
