import { randomBytes } from 'node:crypto';
import { bundleService } from '../../bundle.mjs';
import { serviceMigrations } from './migrationsFolder.js';
import { prepareSeed } from './pgliteSeed.js';
import { findPostgres, onServer, type PostgresCluster, startPostgresCluster } from './postgresCluster.js';
import { dropOldScratch } from './scratchFolder.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Any database of a server on which tests may create databases; undefined: none is to be had. */
    testPostgresUrl: string | undefined;
    /** In the names of this run's databases, which are dropped when it ends. */
    testRun: string;
    /** The project runs everything on this engine that runs on one alone. */
    breadthEngine: 'pglite' | undefined;
    /** The project tries all cases of the properties, not a tenth of them. */
    isThorough: true | undefined;
  }
}

interface Run {
  provide(key: 'testPostgresUrl', value: string | undefined): void;
  provide(key: 'testRun', value: string): void;
}

/**
 * Once for a test run: a PostgreSQL server for all files (TEST_DATABASE_URL names another), and the embedded database's
 * seed, so that test files that start together do not all make it. Returns what takes the server away again.
 */
export default async function setUp(run: Run): Promise<() => Promise<void>> {
  dropOldScratch();
  await bundleService(); // for the tests that start a program
  // A migration that fails must fail the tests that need it, not those that need no database.
  const seed = prepareSeed(serviceMigrations).catch((error: unknown) =>
    console.warn('the migrations do not run:', error),
  );
  const cluster = await ownCluster();
  await seed;
  const url = process.env.TEST_DATABASE_URL ?? cluster?.url('postgres');
  if (url === undefined) {
    console.warn(
      'PostgreSQL tests are skipped: none of version 15 or later is installed and TEST_DATABASE_URL is not set',
    );
  }
  const testRun = randomBytes(4).toString('hex');
  run.provide('testPostgresUrl', url);
  run.provide('testRun', testRun);
  return async () => {
    if (cluster) await cluster.remove();
    else if (url !== undefined) await dropDatabases(url, testRun);
  };
}

/** Those that a process of tests has used to its end. */
async function dropDatabases(url: string, testRun: string): Promise<void> {
  await onServer(url, async (admin) => {
    const names = await admin.query<{ datname: string }>(
      'select datname from pg_database where datname like $1',
      [`%\\_${testRun}\\_%`],
    );
    for (const { datname } of names.rows)
      await admin.query(`drop database if exists ${datname} with (force)`);
  });
}

async function ownCluster(): Promise<PostgresCluster | undefined> {
  if (process.env.TEST_DATABASE_URL || findPostgres() === undefined) return undefined;
  try {
    return await startPostgresCluster({ fsync: false });
  } catch (error) {
    console.warn('PostgreSQL is installed but does not start:', error);
    return undefined;
  }
}
