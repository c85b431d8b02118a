import { DistributedGroup } from '../../../kit/db/citus/distributedGroup.js';
import type { Database } from '../../../kit/db/database.js';
import { endsInTime } from '../../../kit/inTime.js';

export interface GroupsDeps {
  /** The handles of all ledger groups, the first one first. */
  groups(): readonly Database[];
  readiness: {
    /** Ledger groups that this process does not serve yet: their node was away. */
    readonly closedGroups: ReadonlySet<number>;
  };
}

const ANSWERS_WITHIN_MS = 1000;

/**
 * The ledger groups without those whose worker of a Citus cluster does not answer. Their platforms are
 * refused, and the others are served.
 */
export async function reachableGroups({ groups, readiness }: GroupsDeps): Promise<Database[]> {
  const open = groups().filter(({ group }) => !readiness.closedGroups.has(group));
  const answers = open.map(async (db) => {
    if (!(db instanceof DistributedGroup)) return [db];
    const isThere = await endsInTime(db.ping(), ANSWERS_WITHIN_MS).catch(() => false);
    return isThere ? [db] : [];
  });
  return (await Promise.all(answers)).flat();
}
