import { fileURLToPath } from 'node:url';
import {
  type Database,
  type DatabaseLog,
  DatabaseUnavailableError,
  isDatabaseUnavailable,
} from '../kit/db/database.js';
import { assertMigrated, canMigrate, migrate, NotMigratedError } from '../kit/db/migrate.js';
import { untilGivenUp } from '../kit/db/transaction.js';
import { announce } from '../kit/db/wakes.js';
import { packageFile } from '../kit/packageFile.js';
import { GroupsError } from '../ledger/groups/groupsError.js';
import { closeGroup } from '../ledger/groups/store.js';
import { grantToApplication } from '../ledger/roles/grants.js';
import { currentRole, inspectRole, isApplicationRole, isGranted } from '../ledger/roles/inspectRole.js';
import {
  assertClusterFits,
  assertNobodyServes,
  distributeGroup,
  findNodesAway,
  isDistributed,
  prepareCluster,
} from '../shape/citus/distribute.js';
import { findDistributed } from '../shape/citus/placement.js';
import { addGroups, inspectGroups, migrateGroups, openSchemas } from '../shape/groups/groups.js';
import { movePlatform } from '../shape/groups/movePlatform.js';
import { openDatabase } from '../shape/openDatabase.js';
import type { Config } from './config.js';

const MIGRATIONS = fileURLToPath(packageFile('migrations/'));

interface SchemaDeps {
  config: Pick<Config, 'databaseMigrationUrl'>;
  /** As the application's role. */
  db: Database;
  log: DatabaseLog;
}

/**
 * Migrates the database: as the role of DATABASE_MIGRATION_URL if it is set, which then grants the
 * application's role what it needs, else as the role of DATABASE_URL if that owns the schema. A role
 * that does not own the schema checks only that all migrations ran.
 * Throws MigrationError, and NotMigratedError while another process still has to migrate.
 * @returns the ledger groups that could not be checked: their node of a Citus cluster is away.
 */
export async function migrateSchema({ config, db, log }: SchemaDeps): Promise<number[]> {
  const url = config.databaseMigrationUrl;
  if (url !== undefined) return migrateAsOwner(url, db, log);
  if (await canMigrate(db)) return migrateAll(db, log);
  await assertMigrated(db, MIGRATIONS);
  await assertGranted(db);
  const { behind, away } = await inspectGroups(db, MIGRATIONS);
  for (const error of behind.values()) throw error;
  return away;
}

/** Migrates a ledger group that `migrateSchema` could not check. Throws while its node is away. */
export async function migrateLateGroup(deps: SchemaDeps, group: number): Promise<void> {
  const { behind, away } = await inspectGroups(deps.db, MIGRATIONS, group);
  if (away.length > 0) throw new DatabaseUnavailableError(`the node of ledger group ${group} is away`);
  if (behind.size > 0) await migrateSchema(deps);
}

async function migrateAsOwner(url: string, db: Database, log: DatabaseLog): Promise<number[]> {
  return withOwner(url, log, async (owner) => {
    const away = await migrateAll(owner, log);
    // Grants need all nodes of a cluster.
    await (away.length > 0 ? assertGranted(db) : grantTo(db, owner, log));
    return away;
  });
}

async function assertGranted(db: Database): Promise<void> {
  if (await isGranted(db)) return;
  // The owner grants right after it has migrated.
  throw new NotMigratedError(
    'the role of DATABASE_URL was not granted what this version needs: run `npm run migrate` as the owner of the tables',
  );
}

/** Checks without writing that every migration ran. Throws NotMigratedError. */
export function assertSchemaMigrated(db: Database): Promise<void> {
  return assertMigrated(db, MIGRATIONS);
}

/**
 * Adds ledger groups, as the role that `migrateSchema` uses, and grants the application's role what
 * it needs. Returns their numbers. Throws MigrationError and GroupsError.
 */
export async function addLedgerGroups(
  { config, db, log }: SchemaDeps,
  count: number,
  now: Date,
  onStep: (step: string) => void,
): Promise<number[]> {
  const add = (owner: Database) =>
    namingNodesAway(owner, () => addGroups(owner, MIGRATIONS, count, now, onStep));
  const url = config.databaseMigrationUrl;
  if (url === undefined && !(await canMigrate(db))) {
    throw new GroupsError(
      'The role of DATABASE_URL may not create schemas. Set DATABASE_MIGRATION_URL to the role that owns the tables.',
    );
  }
  const added = await (url === undefined ? add(db) : asOwner(url, db, log, add));
  await announce(db, 'groups'); // running processes open the groups
  return added;
}

/**
 * Distributes the ledger groups over a Citus cluster and adds groups up to `count`, as the role that
 * `migrateSchema` uses. The first group stays on the coordinator and takes no new platforms. What
 * an earlier run did is left as it is.
 * @param onStep hears what begins: a step takes seconds, or longer with many rows.
 * Throws MigrationError and GroupsError.
 */
export async function distributeLedgerGroups(
  { config, db, log }: SchemaDeps,
  count: number,
  now: Date,
  onStep: (step: string) => void,
): Promise<{ distributed: number[]; added: number[] }> {
  const work = async (owner: Database) => {
    await assertClusterFits(owner, config.databaseMigrationUrl !== undefined);
    if (!(await isDistributed(owner))) await assertNobodyServes(owner);
    await prepareCluster(owner, onStep);
    const distributed: number[] = [];
    const groups = (await openSchemas(owner)).map(({ ledgers }) => ledgers.own);
    const known = await findDistributed(owner);
    const local = groups.filter((group) => group !== 0 && !known.has(group));
    for (const [index, group] of local.entries()) {
      onStep(`Distributing group ${group}, ${index + 1} of ${local.length}`);
      if (await distributeGroup(owner, group)) distributed.push(group);
    }
    const missing = Math.max(0, count - groups.length);
    const added = await addGroups(owner, MIGRATIONS, missing, now, onStep);
    await closeGroup(owner, 0);
    return { distributed, added };
  };
  const url = config.databaseMigrationUrl;
  const guarded = (owner: Database) => namingNodesAway(owner, () => work(owner));
  const done = await (url === undefined ? guarded(db) : asOwner(url, db, log, guarded));
  await announce(db, 'groups');
  return done;
}

/**
 * Moves a platform to another ledger group, as the role that `migrateSchema` uses. Returns the group
 * that it left. Throws GroupsError, which says why not.
 */
export async function movePlatformTo(
  { config, db, log }: SchemaDeps,
  platformId: string,
  group: number,
  now: Date,
): Promise<number> {
  const move = (owner: Database) => movePlatform(owner, platformId, group, now);
  const url = config.databaseMigrationUrl;
  if (url === undefined && !(await canMigrate(db))) {
    throw new GroupsError(
      'The role of DATABASE_URL may not delete rows. Set DATABASE_MIGRATION_URL to the role that owns the tables.',
    );
  }
  return url === undefined ? move(db) : asOwner(url, db, log, move);
}

/** Runs `work` as the owner of the tables, then grants the application's role what it needs. */
function asOwner<T>(
  databaseUrl: string,
  db: Database,
  log: DatabaseLog,
  work: (owner: Database) => Promise<T>,
): Promise<T> {
  return withOwner(databaseUrl, log, async (owner) => {
    const result = await work(owner);
    await grantTo(db, owner, log);
    return result;
  });
}

async function withOwner<T>(
  databaseUrl: string,
  log: DatabaseLog,
  work: (owner: Database) => Promise<T>,
): Promise<T> {
  const owner = await openDatabase({ databaseUrl, poolSize: 2, log, transactionLimitMs: null });
  try {
    return await work(owner);
  } finally {
    await owner.close();
  }
}

/** Grants the role of `db` what the service needs. */
async function grantTo(db: Database, owner: Database, log: DatabaseLog): Promise<void> {
  const role = await currentRole(db);
  if ((await currentRole(owner)) === role) return;
  const groups = await openSchemas(owner);
  for (const group of groups) await group.transaction((tx) => grantToApplication(tx, role));
  log.info({ databaseRole: role }, 'the role of the application was granted its privileges');
  // Processes that had no rights on a group open it.
  if (groups.length > 1) await announce(owner, 'groups');
}

function migrateAll(db: Database, log: DatabaseLog): Promise<number[]> {
  return namingNodesAway(db, async () => {
    const { applied } = await migrate(db, MIGRATIONS);
    if (applied.length > 0) log.info({ applied }, 'the database was migrated');
    const away = await migrateGroups(db, MIGRATIONS);
    if (await isDistributed(db)) await prepareCluster(db, (step) => log.info({}, step));
    return away;
  });
}

/**
 * On Citus a change of a schema needs all nodes: an error then names those that are away. A statement that waits
 * for a node has no time limit, because copying rows may take hours. So it ends when a node answers no new
 * connections. `db` needs two connections.
 */
async function namingNodesAway<T>(db: Database, work: () => Promise<T>): Promise<T> {
  const givingUp = new AbortController();
  const watch = watchNodes(db, givingUp);
  try {
    return await untilGivenUp(givingUp.signal, work);
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    // Without the coordinator nobody knows the nodes.
    const away = await nodesAway(db).catch(() => []);
    if (away.length === 0) throw error;
    throw new DatabaseUnavailableError(
      new Error(
        `a change of the schema needs all nodes of the Citus cluster, and ${away.join(', ')} cannot be reached. ` +
          'Start what is missing, or give its address to a standby.',
        { cause: error },
      ),
    );
  } finally {
    clearInterval(watch);
  }
}

const NODES_ASKED_EVERY_MS = 10_000;
/** About half a minute: a node that starts again, or has no free connection for a moment, is waited for. */
const UNANSWERED_QUESTIONS = 3;

function watchNodes(db: Database, givingUp: AbortController): NodeJS.Timeout | undefined {
  if (db.hasOneConnection) return undefined;
  let unanswered = 0;
  let isAsking = false;
  const ask = async () => {
    if (isAsking) return;
    isAsking = true;
    const away = await nodesAway(db).catch(() => []);
    unanswered = away.length === 0 ? 0 : unanswered + 1;
    if (unanswered === UNANSWERED_QUESTIONS) givingUp.abort();
    isAsking = false;
  };
  return setInterval(() => void ask(), NODES_ASKED_EVERY_MS).unref();
}

async function nodesAway(db: Database): Promise<string[]> {
  return (await isDistributed(db)) ? findNodesAway(db) : [];
}

/** Logs the role of this process, as a warning if it could rewrite the ledger of any of the groups. */
export async function reportRole(groups: readonly Database[], log: DatabaseLog): Promise<void> {
  const found = [];
  for (const db of groups) {
    if (db.hasOneConnection) return;
    found.push({ group: db.ledgers.own, ...(await inspectRole(db)) });
  }
  const worst = found.find((facts) => !isApplicationRole(facts)) ?? found[0];
  if (!worst) return;
  const { role: databaseRole, ...rights } = worst;
  if (isApplicationRole(rights)) {
    log.info({ databaseRole }, 'the database role can append to the ledger and cannot change it');
    return;
  }
  log.warn(
    { databaseRole, ...rights },
    'the database role of DATABASE_URL could change the ledger or disable its triggers. Create a role for the ' +
      'application, use it in DATABASE_URL, and set DATABASE_MIGRATION_URL to the role that owns the tables ' +
      '(docs/OPERATIONS.md, Database roles)',
  );
}
