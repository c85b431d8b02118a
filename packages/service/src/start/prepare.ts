import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import {
  type BootstrapOptions,
  bootstrapPlatform,
  type FirstPlatform,
  hasPlatform,
} from '../features/tenancy/platforms/bootstrap.js';
import type { Clock } from '../kit/clock.js';
import { type Database, isDatabaseUnavailable } from '../kit/db/database.js';
import { NotMigratedError } from '../kit/db/migrate.js';
import { createIdSource } from '../kit/ids.js';
import type { RotatingVault } from '../kit/vault.js';
import type { HeadFile } from '../ledger/log/headFile.js';
import { noteCluster } from '../shape/citus/clusterNote.js';
import { isDistributed, isSharded } from '../shape/citus/distribute.js';
import { openGroups } from '../shape/groups/groups.js';
import { changedHostText, noteHost } from './baseHost.js';
import { type Config, ConfigError } from './config.js';
import { assertWritable } from './dataFolder.js';
import { assertDataKey } from './dataKey.js';
import { needsKeyFile } from './firstStart.js';
import { assertLogsAreWhole } from './logLosses.js';
import { migrateLateGroup, migrateSchema, reportRole } from './migrateSchema.js';
import { assertOwnSessions } from './ownSessions.js';
import { StartError } from './startError.js';

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
 * Prepares the database and starts on it. Retries while it is unavailable.
 * @param start runs when the database is prepared, and again if the database was away meanwhile. It gets
 *   the groups that are not prepared.
 * @param prepared what another thread of this process has prepared.
 */
export function keepPreparing(
  deps: PrepareDeps,
  options: BootstrapOptions,
  start: (away: readonly number[]) => Promise<void>,
  signal: AbortSignal,
  prepared?: Prepared,
): Preparing {
  let stopWaiting = () => {};
  const patience = new Promise<null>((resolve) => {
    stopWaiting = () => resolve(null);
    setTimeout(stopWaiting, LISTEN_ANYWAY_AFTER_MS).unref();
  });
  const done = attempt(FIRST_RETRY_MS);
  return { done, firstOutcome: Promise.race([done, patience]) };

  async function attempt(retryMs: number): Promise<FirstPlatform | null> {
    try {
      if (!prepared) await assertServerFits(deps);
      // Once: its keys are shown only by the call that made them.
      prepared ??= await prepare(deps, options);
      await start(prepared.away);
      return prepared.made;
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
  await assertOwnSessions('DATABASE_URL', databaseUrl);
  if (needsKeyFile(config) && !(await hasPlatform(db))) await assertWritable(dataDir);
}

export interface Prepared {
  /** The first platform, if this call created it. */
  made: FirstPlatform | null;
  /** Ledger groups that could not be prepared: their node of a Citus cluster is away. */
  away: readonly number[];
}

/** Migrates the database, records its cluster and creates the first platform. */
export async function prepare(deps: PrepareDeps, options: BootstrapOptions = {}): Promise<Prepared> {
  const { config, db, clock, log, vault } = deps;
  if (await isSharded(db)) {
    throw new StartError(
      'Citus has distributed tables of this schema by their rows. The service cannot run on it: webhooks, book and exports would fail. ' +
        'Restore the data into a database of one PostgreSQL server.',
    );
  }
  if (config.databaseReplicaUrl !== undefined && (await isDistributed(db))) {
    throw new ConfigError(
      'DATABASE_REPLICA_URL cannot be used with a Citus cluster: it is a replica of one server. Remove it.',
    );
  }
  const away = await migrateSchema({ config, db, log });
  const groups = (await openGroups(db)).filter(({ ledgers }) => !away.includes(ledgers.own));
  await reportRole(groups, log);
  for (const each of groups) await noteClusterOf(each, deps);
  await assertDataKey(db, vault);
  await assertLogs(groups, deps);
  const changed = await noteHost(db, config);
  if (changed) log.warn(changed, changedHostText(changed));
  const made = await bootstrapPlatform({ db, clock, ids: createIdSource(), config }, options);
  return { made, away };
}

/** Prepares a ledger group whose node of a Citus cluster is back. Throws as `prepare` does. */
export async function prepareGroup(deps: PrepareDeps, group: Database): Promise<void> {
  await migrateLateGroup(deps, group.ledgers.own);
  await noteClusterOf(group, deps);
  await assertLogs([group], deps);
}

async function noteClusterOf(db: Database, { clock, log }: PrepareDeps): Promise<void> {
  if (!(await noteCluster(db, clock.now()))) return;
  log.warn(
    { group: db.ledgers.own },
    'the database has moved to another cluster: all it held before counts as settled',
  );
}

function assertLogs(groups: readonly Database[], { config, logHead }: PrepareDeps): Promise<void> {
  const headOf = (group: number) => logHead?.(group) ?? null;
  return assertLogsAreWhole(groups, { headOf, witnesses: config.logWitnesses });
}
