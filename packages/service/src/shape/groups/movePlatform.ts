import type { Database, Queryable, Tx } from '#kit/db/database.js';
import { quoted, schemaOfGroup } from '#kit/db/groups.js';
import { isUuid } from '#kit/ids.js';
import {
  findGroups,
  GroupsError,
  lockPlatformGroup,
  platformTables,
  readSharedSchema,
  setPlatformGroup,
} from '#ledger/groups/store.js';
import { findDistributed } from '../citus/placement.js';

/** Tables whose rows move with their platform. Rows in any other table are a reason to refuse. */
const MOVABLE: ReadonlySet<string> = new Set([
  'activity',
  'delivery',
  'envelope',
  'idempotency',
  'monitor',
  'notification_channel',
  'policy',
  'project',
  'quota_usage',
  'quota_warning',
  'saved_mapping',
  'usage_daily',
  'webhook',
]);
/** Tables of work that is under way and ends. */
const QUEUES: ReadonlySet<string> = new Set(['job', 'outbox_queue', 'stream_lease']);
/** No request that began before the platform was deactivated runs or is cached any longer. */
const QUIET_MS = 60_000;

/**
 * Moves a platform without a ledger to another group, in one transaction. Returns the group that it
 * left. Throws GroupsError, which says why not.
 *
 * A ledger stays. Its facts are leaves of the log of its group: they cannot be deleted there, and
 * logged a second time they would count twice for who compares both logs.
 */
export async function movePlatform(db: Database, platformId: string, group: number, now: Date) {
  if (!isUuid(platformId)) throw new GroupsError(`Not the id of a platform: ${platformId}.`);
  if ((await findDistributed(db)).size > 0) {
    throw new GroupsError(
      'On a Citus cluster a platform keeps its group. Whole groups move between nodes: see `citus_rebalance_start`.',
    );
  }
  const shared = await readSharedSchema(db);
  const schemaOf = (number: number) => (number === 0 ? quoted(shared) : schemaOfGroup(number));
  return db.transaction(async (tx) => {
    const from = await lockQuiet(tx, platformId, group, now);
    const tables = await platformTables(tx, from === 0 ? shared : schemaOfGroup(from));
    await refuseOthers(tx, schemaOf(from), tables, platformId);
    for (const { name, columns } of tables.filter((table) => MOVABLE.has(table.name))) {
      const names = columns.map((column) => `"${column}"`).join(', ');
      const old = `${schemaOf(from)}.${name}`;
      await tx.execute(
        `insert into ${schemaOf(group)}.${name} (${names}) select ${names} from ${old} where platform_id = $1`,
        [platformId],
      );
      await tx.execute(`delete from ${old} where platform_id = $1`, [platformId]);
    }
    await setPlatformGroup(tx, platformId, group, now);
    return from;
  });
}

/** Locks the platform. Throws unless nothing can write its rows. */
async function lockQuiet(tx: Tx, platformId: string, group: number, now: Date): Promise<number> {
  const platform = await lockPlatformGroup(tx, platformId);
  if (!platform) throw new GroupsError(`There is no platform ${platformId}.`);
  if (!(await findGroups(tx)).includes(group)) {
    throw new GroupsError(`There is no ledger group ${group}. \`npm run db:groups\` lists and adds them.`);
  }
  if (platform.group === group) throw new GroupsError(`The platform is in group ${group} already.`);
  if (platform.isActive) {
    throw new GroupsError(
      'The platform is active. Deactivate it (`PATCH /admin/platforms/{id}` with `"isActive": false`), ' +
        'move it a minute later, and activate it again.',
    );
  }
  const waitMs = platform.updatedAt.getTime() + QUIET_MS - now.getTime();
  if (waitMs > 0) {
    throw new GroupsError(
      `The platform was changed less than a minute ago. Its requests may still run: try again in ${Math.ceil(waitMs / 1000)} s.`,
    );
  }
  return platform.group;
}

async function refuseOthers(
  db: Queryable,
  schema: string,
  tables: readonly { readonly name: string }[],
  platformId: string,
): Promise<void> {
  const filled: string[] = [];
  for (const { name } of tables.filter((table) => !MOVABLE.has(table.name))) {
    const rows = await db.query(`select 1 from ${schema}.${name} where platform_id = $1 limit 1`, [
      platformId,
    ]);
    if (rows.length > 0) filled.push(name);
  }
  if (filled.length === 0) return;
  if (filled.every((name) => QUEUES.has(name))) {
    throw new GroupsError(`Work of the platform is under way (${filled.join(', ')}). Try again later.`);
  }
  throw new GroupsError(
    `The platform has a ledger, which stays in its group (rows in ${filled.join(', ')}). Its facts are leaves of ` +
      'the transparency log of that group, and proofs that were given refer to it. Only a platform without ' +
      'subjects, requests, jobs and reports can be moved. `DELETE /test/data` removes test data.',
  );
}
