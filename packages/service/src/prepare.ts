import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { type Config, ConfigError } from './config.js';
import { assertWritable } from './dataFolder.js';
import { assertDataKey } from './dataKey.js';
import { findLostHeads } from './features/credentials/witness/lostHeads.js';
import {
  type BootstrapOptions,
  bootstrapPlatform,
  type FirstPlatform,
  hasPlatform,
} from './features/tenancy/platforms/bootstrap.js';
import { needsKeyFile, StartError } from './firstStart.js';
import type { Clock } from './kit/clock.js';
import { type Database, isDatabaseUnavailable, sharesSessions } from './kit/db/database.js';
import { NotMigratedError } from './kit/db/migrate.js';
import { createIdSource } from './kit/ids.js';
import type { RotatingVault } from './kit/vault.js';
import { openGroups } from './ledger/groups/groups.js';
import { isDistributed, noteCluster } from './ledger/installation.js';
import { type HeadFile, readTreeSize } from './ledger/log/head.js';
import { migrateSchema, reportRole } from './migrateSchema.js';

interface PrepareDeps {
  config: Config;
  db: Database;
  clock: Clock;
  log: FastifyBaseLogger;
  vault: RotatingVault;
  /** Where the newest checkpoint of each group's log is kept outside of the database. */
  logHead?: (group: number) => HeadFile | null;
}

const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 10_000;
/** During a long migration the service must listen and answer 503. */
const LISTEN_ANYWAY_AFTER_MS = 5_000;

interface Preparing {
  /** The result of the first attempt; null as soon as the database is unavailable or slow. */
  firstOutcome: Promise<FirstPlatform | null>;
  /** Rejects if a retry cannot help, or on `signal`. */
  done: Promise<FirstPlatform | null>;
}

/**
 * Prepares the database. Retries while it is unavailable.
 * @param start runs once, when the database is prepared.
 */
export function keepPreparing(
  deps: PrepareDeps,
  options: BootstrapOptions,
  start: () => Promise<void>,
  signal: AbortSignal,
): Preparing {
  let stopWaiting = () => {};
  const patience = new Promise<null>((resolve) => {
    stopWaiting = () => resolve(null);
    setTimeout(stopWaiting, LISTEN_ANYWAY_AFTER_MS).unref();
  });
  const done = attempt(FIRST_RETRY_MS).then(async (made) => {
    await start();
    return made;
  });
  return { done, firstOutcome: Promise.race([done, patience]) };

  async function attempt(retryMs: number): Promise<FirstPlatform | null> {
    try {
      await assertServerFits(deps);
      return await prepare(deps, options);
    } catch (error) {
      // Another process may be about to migrate.
      if (!isDatabaseUnavailable(error) && !(error instanceof NotMigratedError)) throw error;
      deps.log.warn({ err: error, retryMs }, 'waiting for the database');
      stopWaiting();
      await pause(retryMs, undefined, { signal });
      return attempt(Math.min(2 * retryMs, MAX_RETRY_MS));
    }
  }
}

/**
 * Checks for settings that would fail later with a database server. Writes nothing. Throws
 * ConfigError.
 */
async function assertServerFits({ config, db }: PrepareDeps): Promise<void> {
  const { databaseUrl, dataDir } = config;
  if (databaseUrl === undefined) return;
  if (await sharesSessions(databaseUrl)) {
    throw new ConfigError(
      'DATABASE_URL points to a pooler that shares sessions between connections, such as PgBouncer with pool_mode = ' +
        'transaction. Notifications and prepared statements do not work there. Set pool_mode = session, or point ' +
        'DATABASE_URL at PostgreSQL itself.',
    );
  }
  if (needsKeyFile(config) && !(await hasPlatform(db))) await assertWritable(dataDir);
}

/**
 * Migrates the database, records its cluster and creates the first platform.
 * @returns that platform, if this call created it.
 */
export async function prepare(
  { config, db, clock, log, vault, logHead }: PrepareDeps,
  options: BootstrapOptions = {},
): Promise<FirstPlatform | null> {
  if (await isDistributed(db)) {
    throw new StartError(
      'Citus has distributed tables of this schema. The service cannot run on it: webhooks, book and exports would fail. ' +
        'Restore the data into a database of one PostgreSQL server.',
    );
  }
  await migrateSchema({ config, db, log });
  await reportRole(db, log);
  const groups = await openGroups(db);
  if (await noteCluster(db, groups, clock.now())) {
    log.warn('the database has moved to another cluster: all it held before counts as settled');
  }
  await assertDataKey(db, vault);
  for (const each of groups) await assertLogIsWhole(each, logHead?.(each.group) ?? null, config);
  return bootstrapPlatform({ db, clock, ids: createIdSource(), config }, options);
}

/** Throws StartError where the database lost leaves of the log that were signed. */
async function assertLogIsWhole(
  db: Database,
  head: HeadFile | null,
  { logWitnesses: witnesses }: Config,
): Promise<void> {
  const lost = await findLostHeads(db, { head, witnesses });
  if (lost.length === 0) return;
  const size = Math.max(...lost.map((each) => each.size));
  throw new StartError(
    `The transparency log of the database has ${await readTreeSize(db)} leaves and does not contain the log of ${size} leaves ` +
      `that was signed before (known by ${lost.map(({ knownBy }) => knownBy).join(', ')}). A backup was restored, or rows were ` +
      `changed. Restore the database with all its rows, or accept the loss: npm run accept-rollback -- ${size}${db.group === 0 ? '' : ` --group ${db.group}`}. The log then ` +
      'records the loss for everybody to see.',
  );
}
