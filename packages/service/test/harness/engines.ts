import { rmSync } from 'node:fs';
import { inject } from 'vitest';
import type { Database, DatabaseLog } from '#kit/db/database.js';
import { migrate } from '#kit/db/migrate.js';
import { announce } from '#kit/db/wakes.js';
import { closeGroup, findGroups } from '#ledger/groups/store.js';
import { grantToApplication, tablePrivileges } from '#ledger/roles/privileges.js';
import { prepareCluster } from '../../src/shape/citus/distribute.js';
import { CREATE_GUARD, CREATE_PREPARE } from '../../src/shape/citus/placement.js';
import { addGroups, openGroups, openSchemas } from '../../src/shape/groups/groups.js';
import { openDatabase } from '../../src/shape/openDatabase.js';
import { ALL_GROUPS, createViews } from './allGroups.js';
import { APPLICATION_ROLE, applicationUrl, createApplicationRole } from './applicationRole.js';
import {
  citusNodes,
  cloneOnNodes,
  createOnNodes,
  dropOnNodes,
  ofDatabase,
  sealOnNodes,
} from './citusCluster.js';
import { PATIENCE_MS } from './eventually.js';
import { contentKey, serviceMigrations } from './migrationsFolder.js';
import { seededDataDir } from './pgliteSeed.js';
import { dropDatabase, freshName, onServer } from './postgresCluster.js';
import { quietLog } from './quietLog.js';
import { withSharedTables } from './sharedTables.js';

export type Engine = 'pglite' | 'postgresql';

/** Whether this run has a PostgreSQL server. A run without one prints a notice. */
export const hasPostgres = inject('testPostgresUrl') !== undefined;

/**
 * Every engine, for tests that depend on it: `describe.each(engines)('… on %s', (engine) => …)`. The embedded
 * database has one ledger group, so the project `groups` leaves it out.
 */
export const engines: Engine[] = !hasPostgres
  ? ['pglite']
  : inject('groups') > 1
    ? ['postgresql']
    : ['pglite', 'postgresql'];

/**
 * One engine, for tests that do not depend on it: PostgreSQL if available. The project `embedded`
 * uses the embedded database.
 */
export const mainEngine: Engine = inject('breadthEngine') ?? (hasPostgres ? 'postgresql' : 'pglite');

/**
 * The same as a list, which names the engine: `describe.each(breadth)('… on %s', (engine) => …)`.
 */
export const breadth: readonly Engine[] = [mainEngine];

/** Whether the PostgreSQL of this run is the coordinator of a Citus cluster: TEST_CITUS_URL. */
export const hasCitus = inject('testCitusUrl') !== undefined;

/** Ledger groups of each PostgreSQL database of the tests. */
export const groupCount = hasCitus ? Math.max(3, inject('groups')) : inject('groups');

/**
 * The service refuses work as overload after 2 s without a free connection, and ends transactions after 10 s. On a busy machine that is
 * the right answer, and no test but those of overload is about it. The guard against a handle
 * inside a transaction is on, unlike in production.
 */
const patient = {
  isGuarded: true,
  connectWithinMs: PATIENCE_MS,
  transactionLimitMs: PATIENCE_MS,
  severalServersLimitMs: PATIENCE_MS,
};

/** A new database: migrated and empty. */
export interface TestDatabase {
  db: Database;
  /** To open it again: the URL of a PostgreSQL database, the folder of an embedded one. */
  url: string | undefined;
  dataDir: string | undefined;
  /** Closes the database and deletes it. */
  close(): Promise<void>;
}

/** Opens a new database with the service's migrations, or with those of another folder. */
export async function openTestDatabase(
  engine: Engine,
  options: { migrations?: string; log?: DatabaseLog } = {},
): Promise<TestDatabase> {
  const { migrations = serviceMigrations, log = quietLog } = options;
  return engine === 'pglite' ? openEmbedded(migrations, log) : openOnServer(migrations, log);
}

async function openEmbedded(migrations: string, log: DatabaseLog): Promise<TestDatabase> {
  const dataDir = await seededDataDir(migrations);
  const db = await openDatabase({ dataDir, log, ...patient });
  return {
    db,
    url: undefined,
    dataDir,
    async close() {
      await db.close();
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

async function openOnServer(migrations: string, log: DatabaseLog): Promise<TestDatabase> {
  const server = inject('testPostgresUrl');
  if (server === undefined)
    throw new Error('this run has no PostgreSQL: guard the suite with `engines` or `hasPostgres`');
  const name = freshName(`reliability_test_${inject('testRun')}`);
  await onServer(server, async (admin) => {
    const template = `reliability_seed_${contentKey(migrations, JSON.stringify(tablePrivileges), `${groupCount} ${createViews}`, `${CREATE_GUARD} ${CREATE_PREPARE} one open group`)}`;
    await admin.query('select pg_advisory_lock($1)', [SEED_LOCK]); // released with the connection
    const { rowCount } = await admin.query('select 1 from pg_database where datname = $1', [template]);
    const send = admin.query.bind(admin);
    if (rowCount === 0) await makeTemplate(send, server, template, migrations);
    if (hasCitus) await cloneOnNodes(server, name, template);
    else await send(`create database ${name} template ${template}`);
  });
  const url = ofDatabase(server, name);
  const db = await openDatabase({ databaseUrl: url, log, ...patient });
  const application = await openDatabase({ databaseUrl: applicationUrl(url), log, ...patient });
  applications.set(db, application);
  const everyGroup =
    groupCount > 1 && !hasCitus && migrations === serviceMigrations ? await openViews(url, log) : db;
  everyGroups.set(db, everyGroup);
  firstGroups.set(everyGroup, db);
  applications.set(everyGroup, application);
  return {
    db,
    url,
    dataDir: undefined,
    async close() {
      await Promise.all([db.close(), application.close(), everyGroup.close()]);
      if (hasCitus) await dropOnNodes(server, name);
      else await onServer(server, (admin) => dropDatabase(admin, name));
    },
  };
}

// Renamed when complete, so that a failed migration leaves no partial template for the next run.
async function makeTemplate(
  send: (text: string) => Promise<unknown>,
  server: string,
  template: string,
  migrations: string,
): Promise<void> {
  const draft = freshName('reliability_draft');
  if (hasCitus) await createOnNodes(server, draft);
  else await send(`create database ${draft}`);
  const db = await openDatabase({ databaseUrl: ofDatabase(server, draft), log: quietLog, ...patient });
  try {
    await migrate(db, migrations);
    if (migrations === serviceMigrations) {
      for (const node of hasCitus ? await citusNodes(server) : [{ url: server }]) {
        await createApplicationRole(node.url);
      }
      await db.transaction((tx) => grantToApplication(tx, APPLICATION_ROLE));
      if (hasCitus) await prepareCluster(db);
      await addTestGroups(db, groupCount - 1);
      // On a cluster all platforms of the tests live in one distributed group, which `service.db` reads.
      const closed = hasCitus ? (await findGroups(db)).filter((group) => group !== 1) : [];
      for (const group of closed) await closeGroup(db, group);
      if (groupCount > 1 && !hasCitus) await createViews(db, groupCount);
    }
  } finally {
    await db.close();
  }
  if (hasCitus) await sealOnNodes(server, draft, template);
  else await send(`alter database ${draft} rename to ${template}`);
}

/** Adds ledger groups, as `npm run db:groups` does. Returns their numbers. */
export async function addTestGroups(db: Database, count: number): Promise<number[]> {
  const added = await addGroups(db, serviceMigrations, count, new Date());
  for (const group of (await openSchemas(db)).slice(1)) {
    await group.transaction((tx) => grantToApplication(tx, APPLICATION_ROLE));
  }
  await announce(db, 'groups');
  return added;
}

function openViews(url: string, log: DatabaseLog): Promise<Database> {
  const options = encodeURIComponent(`-c search_path=${ALL_GROUPS},public`);
  return openDatabase({ databaseUrl: `${url}?options=${options}`, poolSize: 4, log, ...patient });
}

const everyGroups = new WeakMap<Database, Database>();

/**
 * A handle that finds the rows of all ledger groups (allGroups.ts). With one group, the same handle.
 */
export function ofEveryGroup(db: Database): Database {
  return everyGroups.get(db) ?? db;
}

/** On a cluster: a handle that finds the rows of this ledger group and the tables that all groups share. */
export function ofLedger(ledger: Database): Database {
  const first = firstGroupOf(ledger);
  if (ledger === first) return ledger;
  const both = withSharedTables(ledger, first);
  firstGroups.set(both, first);
  return both;
}

/** The handles of all ledger groups; of a handle of one group other than the first, itself alone. */
export async function groupHandles(db: Database): Promise<Database[]> {
  if (db.ledgers.own !== 0) return [db];
  const first = firstGroupOf(db);
  const handles = await openGroups(first);
  for (const handle of handles) firstGroups.set(handle, first);
  return handles;
}

/** The handle for changes of a group's schema: on a cluster they run on the coordinator. */
export async function schemaHandle(db: Database): Promise<Database> {
  return hasCitus ? ((await openSchemas(firstGroupOf(db)))[db.ledgers.own] ?? db) : db;
}

/** The handle of the first group, which a service is started with. */
export function firstGroupOf(db: Database): Database {
  return firstGroups.get(db) ?? db;
}

const firstGroups = new WeakMap<Database, Database>();

const applications = new WeakMap<Database, Database>();

/**
 * The handle that a service gets: on PostgreSQL one of the application's role, so that every test of
 * the service also shows that this role is enough. The test keeps the owner's.
 */
export function asApplication(db: Database): Database {
  return applications.get(db) ?? db;
}

// Any constant: 'seed' in ASCII.
const SEED_LOCK = 0x73656564;
