import { type Database, isDatabaseUnavailable } from '#kit/db/database.js';
import { MAX_GROUP, schemaOfGroup } from '#kit/db/groups.js';
import { assertMigrated, migrateGroup, NotMigratedError } from '#kit/db/migrate.js';
import { PooledDatabase, type Scope } from '#kit/db/pooledDatabase.js';
import { endsInTime } from '#kit/inTime.js';
import {
  findGroups,
  findUngrantedGroups,
  GroupsError,
  insertGroup,
  readSharedSchema,
  SHARED_MIGRATIONS,
} from '#ledger/groups/store.js';
import { distributeGroup, isDistributed } from '../citus/distribute.js';
import { DistributedGroup, openDistributed } from '../citus/distributedGroup.js';
import { findDistributed, findNodes } from '../citus/placement.js';

/**
 * A handle for each group; the first is `db` itself. Throws NotMigratedError if the role has no
 * rights on the schema of a group.
 */
export async function openGroups(db: Database): Promise<Database[]> {
  const groups = await findGroups(db);
  if (groups.length === 1) return [db];
  await assertGranted(db, groups.slice(1));
  const shared = await readSharedSchema(db);
  const scopeOf = scopes(db, groups.length);
  const distributed = await findDistributed(db);
  return groups.map((group) =>
    distributed.has(group)
      ? openDistributed(pooled(db), scopeOf(group), shared)
      : openPlain(db, scopeOf(group)),
  );
}

/**
 * Without rights on its schema, the names of a group would find the tables of the first group.
 * @param groups without the first one.
 */
async function assertGranted(db: Database, groups: readonly number[]): Promise<void> {
  const ungranted = groups.length === 0 ? [] : await findUngrantedGroups(db, groups);
  if (ungranted.length === 0) return;
  const names = ungranted.map(schemaOfGroup).join(', ');
  throw new NotMigratedError(
    `the role of DATABASE_URL has no rights on ${names}, the ${ungranted.length === 1 ? 'schema of a ledger group' : 'schemas of ledger groups'}. ` +
      'Run `npm run migrate` with DATABASE_URL of this role and DATABASE_MIGRATION_URL of the role that owns the tables: it grants them.',
  );
}

function openPlain(db: Database, scope: Scope): Database {
  if (scope.ledger === 0) return db;
  const opened = pooled(db).open(scope);
  opened.handles.set(scope.ledger, opened);
  return opened;
}

function pooled(db: Database): PooledDatabase {
  if (db instanceof PooledDatabase) return db;
  throw new TypeError('ledger groups are opened with the handle of the first one');
}

/** Handles for changes of the schemas: on Citus they run on the coordinator, which tells the nodes. */
export async function openSchemas(db: Database): Promise<Database[]> {
  const groups = await findGroups(db);
  const scopeOf = scopes(db, groups.length);
  return groups.map((group) => (group === 0 ? db : pooled(db).open(scopeOf(group))));
}

/** Requests wait while a loop of the group has its only connection. */
const MIN_POOL = 2;

/**
 * The first group, with the tables of all, keeps its connections. The others share as many, but each has
 * two at least. They close when the group rests.
 */
function scopes(db: Database, count: number): (group: number) => Scope {
  const share = count < 2 ? 0 : pooled(db).poolSize / (count - 1);
  const poolSize = Math.max(MIN_POOL, Math.floor(share));
  return (group) => ({ ledger: group, path: group === 0 ? '' : schemaOfGroup(group), poolSize });
}

/**
 * Whether the schemas of groups other than the first are up to date. `behind`: handles for changes of those
 * that lack migrations, each with the first that is missing. `away`: groups whose schema could not be read,
 * because their node of a Citus cluster is away.
 * Throws MigrationError if a schema does not match the folder, and NotMigratedError if the role has no
 * rights on one.
 * @param only the group to inspect. Default: all but the first.
 */
export async function inspectGroups(db: Database, folder: string, only?: number) {
  const schemas = (await openSchemas(db)).slice(1);
  const groups = schemas.map(({ ledgers }) => ledgers.own);
  await assertGranted(db, groups);
  const nodes = new Map((await findNodes(db)).map(({ group, node }) => [group, node]));
  const awayNodes = new Set<string>(); // asked once: each question may wait for a time limit
  const behind = new Map<Database, NotMigratedError>();
  for (const each of schemas) {
    if (only !== undefined && each.ledgers.own !== only) continue;
    const node = nodes.get(each.ledgers.own);
    if (node !== undefined && awayNodes.has(node)) continue;
    try {
      await assertMigrated(each, folder, SHARED_MIGRATIONS);
    } catch (error) {
      if (error instanceof NotMigratedError) behind.set(each, error);
      else if (node !== undefined && isDatabaseUnavailable(error)) awayNodes.add(node);
      else throw error;
    }
  }
  const away = [...nodes].flatMap(([group, node]) => (awayNodes.has(node) ? [group] : []));
  return { behind, away };
}

/**
 * Migrates the schemas of all groups but the first. Returns the groups that could not be asked
 * whether they lack migrations. Migrations themselves need all nodes of a cluster.
 */
export async function migrateGroups(db: Database, folder: string): Promise<number[]> {
  const { behind, away } = await inspectGroups(db, folder);
  for (const group of behind.keys()) await migrateGroup(group, folder, SHARED_MIGRATIONS);
  return away;
}

/**
 * Adds groups with the next numbers, each with its own schema, and returns their numbers. Platforms
 * are placed in them from then on. A run after a crash continues with the schema that is there.
 */
export async function addGroups(
  db: Database,
  folder: string,
  count: number,
  now: Date,
  onStep: (step: string) => void = () => {},
): Promise<number[]> {
  const isOnCluster = await isDistributed(db);
  const added: number[] = [];
  while (added.length < count) {
    const group = (await findGroups(db)).length;
    if (group > MAX_GROUP) throw new GroupsError(`A database has at most ${MAX_GROUP + 1} groups.`);
    onStep(`Adding group ${group}, ${added.length + 1} of ${count}`);
    await migrateGroup(pooled(db).open(scopes(db, group + 1)(group)), folder, SHARED_MIGRATIONS);
    if (isOnCluster) await distributeGroup(db, group);
    // Last: nobody uses a schema that is not complete. Another process may have added the same.
    if (await insertGroup(db, group, now)) added.push(group);
  }
  return added;
}

const ANSWERS_WITHIN_MS = 1000;

/**
 * The ledger groups without those whose worker of a Citus cluster does not answer. Their platforms are
 * refused, and the others are served.
 */
export async function reachableGroups(groups: readonly Database[], closed: ReadonlySet<number>) {
  const open = groups.filter(({ ledgers }) => !closed.has(ledgers.own));
  const answers = open.map(async (db) => {
    if (!(db instanceof DistributedGroup)) return [db];
    const isThere = await endsInTime(db.ping(), ANSWERS_WITHIN_MS).catch(() => false);
    return isThere ? [db] : [];
  });
  return (await Promise.all(answers)).flat();
}
