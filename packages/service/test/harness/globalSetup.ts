import { randomBytes } from 'node:crypto';
import type { TestProject } from 'vitest/node';
import { bundleAll } from '../../../cli/bundle.mjs';
import { citusNodes } from './citusCluster.js';
import { serviceMigrations } from './migrationsFolder.js';
import { prepareSeed } from './pgliteSeed.js';
import {
  dropDatabase,
  findPostgres,
  onServer,
  type PostgresCluster,
  startPostgresCluster,
} from './postgresCluster.js';
import { dropOldScratch } from './scratchFolder.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** A database of a server where tests may create databases. Undefined: there is no server. */
    testPostgresUrl: string | undefined;
    /** The coordinator of a Citus cluster (TEST_CITUS_URL), whose databases the tests then use. */
    testCitusUrl: string | undefined;
    /** Part of the names of this run's databases, which are dropped at its end. */
    testRun: string;
    /** The engine of tests that run on one engine only. */
    breadthEngine: 'pglite' | undefined;
    /** Ledger groups of each PostgreSQL database. */
    groups: number;
    /** Runs all cases of the properties, not a tenth. */
    isThorough: true | undefined;
  }
}

/**
 * Once for a test run: starts a PostgreSQL server for all files (TEST_DATABASE_URL names another
 * one) and makes the embedded database's seed, so that concurrent test files do not all make it.
 * Returns the function that stops the server.
 */
export default async function setUp(run: TestProject): Promise<() => Promise<void>> {
  dropOldScratch();
  await bundleAll(); // for the tests that start a program
  // A migration that fails must fail the tests that need it, not those that need no database.
  const seed = prepareSeed(serviceMigrations).catch((error: unknown) =>
    console.warn('the migrations do not run:', error),
  );
  const cluster = await ownCluster();
  await seed;
  const citusUrl = process.env.TEST_CITUS_URL;
  const url = citusUrl ?? process.env.TEST_DATABASE_URL ?? cluster?.url('postgres');
  if (citusUrl === undefined) console.warn('tests on a Citus cluster are skipped: TEST_CITUS_URL is not set');
  if (url === undefined) {
    console.warn(
      'PostgreSQL tests are skipped: none of version 15 or later is installed and TEST_DATABASE_URL is not set',
    );
  }
  const testRun = randomBytes(4).toString('hex');
  run.provide('testPostgresUrl', url);
  run.provide('testRun', testRun);
  run.provide('testCitusUrl', citusUrl);
  return async () => {
    if (cluster) await cluster.remove();
    else if (citusUrl !== undefined) await dropOnCluster(citusUrl, testRun);
    else if (url !== undefined) await dropDatabases(url, testRun);
  };
}

/** Drops the databases that a test process used. */
async function dropDatabases(url: string, testRun: string): Promise<void> {
  await onServer(url, async (admin) => {
    const names = await admin.query<{ datname: string }>(
      'select datname from pg_database where datname like $1',
      [`%\\_${testRun}\\_%`],
    );
    for (const { datname } of names.rows) await dropDatabase(admin, datname);
  });
}

async function dropOnCluster(url: string, testRun: string): Promise<void> {
  for (const node of await citusNodes(url)) await dropDatabases(node.url, testRun);
}

async function ownCluster(): Promise<PostgresCluster | undefined> {
  if (process.env.TEST_CITUS_URL || process.env.TEST_DATABASE_URL || findPostgres() === undefined)
    return undefined;
  try {
    return await startPostgresCluster({ fsync: false });
  } catch (error) {
    console.warn('PostgreSQL is installed but does not start:', error);
    return undefined;
  }
}
