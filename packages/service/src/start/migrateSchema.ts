import { fileURLToPath } from 'node:url';
import { systemClock } from '#kit/clock.js';
import {
  type Database,
  type DatabaseLog,
  DatabaseUnavailableError,
  isDatabaseUnavailable,
} from '#kit/db/database.js';
import { assertMigrated, canMigrate, migrate, NotMigratedError } from '#kit/db/migrate.js';
import { untilGivenUp } from '#kit/db/transaction.js';
import { announce } from '#kit/db/wakes.js';
import { packageFile } from '#kit/packageFile.js';
import { closeGroup, GroupsError } from '#ledger/groups/store.js';
import {
  currentRole,
  grantToApplication,
  inspectRole,
  isApplicationRole,
  isGranted,
} from '#ledger/roles/privileges.js';
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

export const MIGRATIONS = fileURLToPath(packageFile('migrations/'));

export interface SchemaDeps {
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
export async function migrateSchema(deps: SchemaDeps): Promise<number[]> {
  const { config, db, log } = deps;
  if (config.databaseMigrationUrl !== undefined || (await canMigrate(db))) {
    return asOwner(deps, (owner) => migrateAll(owner, log));
  }
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

async function assertGranted(db: Database): Promise<void> {
  if (await isGranted(db)) return;
  // The owner grants right after it has migrated.
  throw new NotMigratedError(
    'the role of DATABASE_URL was not granted what this version needs: run `npm run migrate` as the owner of the tables',
  );
}

/**
 * Adds ledger groups, as the role that `migrateSchema` uses, and grants the application's role what
 * it needs. Returns their numbers. Throws MigrationError and GroupsError.
 */
export async function addLedgerGroups(deps: SchemaDeps, count: number, onStep: (step: string) => void) {
  await assertMay('create schemas', deps);
  const added = await asOwner(deps, (owner) =>
    namingNodesAway(owner, () => addGroups(owner, MIGRATIONS, count, systemClock.now(), onStep)),
  );
  await announce(deps.db, 'groups'); // running processes open the groups
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
  deps: SchemaDeps,
  count: number,
  onStep: (step: string) => void,
): Promise<{ distributed: number[]; added: number[] }> {
  const work = async (owner: Database) => {
    await assertClusterFits(owner, deps.config.databaseMigrationUrl !== undefined);
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
    const added = await addGroups(owner, MIGRATIONS, missing, systemClock.now(), onStep);
    await closeGroup(owner, 0);
    return { distributed, added };
  };
  const done = await asOwner(deps, (owner) => namingNodesAway(owner, () => work(owner)));
  await announce(deps.db, 'groups');
  return done;
}

/**
 * Moves a platform to another ledger group, as the role that `migrateSchema` uses. Returns the group
 * that it left. Throws GroupsError, which says why not.
 */
export async function movePlatformTo(deps: SchemaDeps, platformId: string, group: number): Promise<number> {
  await assertMay('delete rows', deps);
  return asOwner(deps, (owner) => movePlatform(owner, platformId, group, systemClock.now()));
}

/** @param act of the owner of the tables. */
async function assertMay(act: string, { config, db }: SchemaDeps): Promise<void> {
  if (config.databaseMigrationUrl !== undefined || (await canMigrate(db))) return;
  throw new GroupsError(
    `The role of DATABASE_URL may not ${act}. Set DATABASE_MIGRATION_URL to the role that owns the tables.`,
  );
}

/**
 * Runs `work` as the role of DATABASE_MIGRATION_URL, which then grants the application's role what it
 * needs; if that is not set, as the role of DATABASE_URL.
 */
async function asOwner<T>(
  { config, db, log }: SchemaDeps,
  work: (owner: Database) => Promise<T>,
): Promise<T> {
  const databaseUrl = config.databaseMigrationUrl;
  if (databaseUrl === undefined) return work(db);
  const owner = await openDatabase({ databaseUrl, poolSize: 2, log, transactionLimitMs: null });
  try {
    const result = await work(owner);
    // Grants need all nodes of a cluster.
    await ((await nodesAway(owner)).length > 0 ? assertGranted(db) : grantTo(db, owner, log));
    return result;
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
