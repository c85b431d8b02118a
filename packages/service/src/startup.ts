import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { FastifyBaseLogger } from 'fastify';
import { type App, buildApp } from './app.js';
import { type Config, ConfigError } from './config.js';
import { assertSpaceForDatabase, assertWritable, closeToOthers } from './dataFolder.js';
import {
  type BootstrapOptions,
  bootstrapPlatform,
  type FirstPlatform,
  hasPlatform,
} from './features/tenancy/platforms/bootstrap.js';
import { beginFirstStart, needsKeyFile, reasonOf, StartError } from './firstStart.js';
import { type Clock, systemClock } from './kit/clock.js';
import {
  type Database,
  DataDirLockedError,
  isDatabaseUnavailable,
  openDatabase,
  sharesSessions,
} from './kit/db/database.js';
import { codeOf } from './kit/db/errors.js';
import { migrate } from './kit/db/migrate.js';
import { createIdSource } from './kit/ids.js';
import { packageFile } from './kit/packageFile.js';
import { createVault, type Vault } from './kit/vault.js';
import { hasOtherDataKey, noteCluster } from './ledger/installation.js';
import { listen, reserveAddress } from './listening.js';

export interface StartOptions {
  config: Config;
  log: FastifyBaseLogger;
  /** Prints a text for the person at the console. */
  say(text: string): void;
  /** Told of what makes a service that listens already unfit to go on. */
  onFatal(error: unknown): void;
}

export interface RunningService {
  /** Finishes what runs, loses nothing, and lets go of the database. */
  stop(): Promise<void>;
}

/**
 * Brings up what ROLE asks for. A database that is away does not stop the start: the service listens, answers 503, and goes
 * on trying. What can be found wrong before anything is made is looked for first: the port, the data folder, its room, its
 * lock, a database behind a pooler that shares sessions. Throws ConfigError, StartError, DataDirLockedError or
 * MigrationError, whose messages are for the operator.
 */
export async function startService({ config, log, say, onFatal }: StartOptions): Promise<RunningService> {
  assertRoleFits(config);
  const release = await reserveAddress(config);
  const db = await openStorage(config, log, say).catch(async (error: unknown) => {
    await release();
    throw error;
  });
  const stopping = new AbortController();
  try {
    const firstStart = await beginFirstStart(config, systemClock, say);
    if (firstStart.adminSecret === undefined) log.warn('the operator API is closed: ADMIN_SECRET is not set');
    const vault = createVault(firstStart.dataKey);
    const app = buildApp({
      config,
      db,
      log,
      vault,
      adminSecret: firstStart.adminSecret,
      importProgram: IMPORT_PROGRAM,
    });
    const deps = { config, db, clock: systemClock, log, vault };
    const preparing = keepPreparing(deps, firstStart.bootstrap, stopping.signal);
    const first = await preparing.firstOutcome;
    await release();
    const address = await listen(app.server, config).catch((error: unknown) => {
      firstStart.tell(null, first);
      throw error;
    });
    const live = preparing.done
      .then(async (made) => {
        app.markReady();
        await app.startWorkers();
        log.info({ address }, 'ready');
        firstStart.tell(address, made);
      })
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) onFatal(error);
      });
    return { stop: () => stop({ app, db, live, stopping }) };
  } catch (error) {
    stopping.abort();
    await release();
    await db.close();
    throw error;
  }
}

/** One process owns the embedded database, so it has to do all there is to do. */
function assertRoleFits({ role, databaseUrl }: Config): void {
  if (role === 'all' || databaseUrl !== undefined) return;
  throw new ConfigError(
    `ROLE=${role} needs DATABASE_URL: the embedded database serves one process, which is then all roles at once.`,
  );
}

async function openStorage(
  { databaseUrl, databasePoolSize, dataDir }: Config,
  log: FastifyBaseLogger,
  say: (text: string) => void,
) {
  const folder = join(dataDir, 'database');
  const isNew = !existsSync(folder);
  if (databaseUrl === undefined) await assertSpaceForDatabase(dataDir, isNew);
  await closeToOthers(dataDir, log);
  if (databaseUrl === undefined && isNew) {
    say(`Creating the embedded database in ${dataDir}. This takes some seconds, this one time.`);
  }
  try {
    return await openDatabase({
      databaseUrl,
      dataDir: folder,
      poolSize: databasePoolSize,
      isGuarded: false,
      log,
    });
  } catch (error) {
    if (error instanceof DataDirLockedError) throw error;
    // What the operating system refused says all by its name.
    if (codeOf(error) === undefined) log.error({ err: error }, 'the embedded database cannot be opened');
    throw new ConfigError(
      `The embedded database in ${dataDir} cannot be opened (${reasonOf(error)}). ` +
        'DATA_DIR must be a folder that this user can write to, with room left.',
    );
  }
}

interface PrepareDeps {
  config: Config;
  db: Database;
  clock: Clock;
  log: FastifyBaseLogger;
  vault: Vault;
}

/** The bundle has it; a service that runs from its sources does without. */
const IMPORT_PROGRAM = import.meta.url.endsWith('.js')
  ? { file: new URL('./importThread.js', import.meta.url) }
  : undefined;
const MIGRATIONS = fileURLToPath(packageFile('migrations/'));

/** What would go wrong on a database server once the service has begun with it. Nothing is written. Throws ConfigError. */
async function assertServerFits({ config, db }: PrepareDeps): Promise<void> {
  const { databaseUrl, dataDir } = config;
  if (databaseUrl === undefined) return;
  if (await sharesSessions(databaseUrl)) {
    throw new ConfigError(
      'DATABASE_URL leads to a pooler that shares sessions between connections, as PgBouncer does with pool_mode = ' +
        'transaction: notifications and prepared statements get lost there. Set pool_mode = session, or point ' +
        'DATABASE_URL at PostgreSQL itself.',
    );
  }
  if (needsKeyFile(config) && !(await hasPlatform(db))) await assertWritable(dataDir);
}

/** Makes an open database fit for service: migrated, its cluster noted, with a platform in it. Answers that one if it is new. */
export async function prepare(
  { config, db, clock, log, vault }: PrepareDeps,
  options: BootstrapOptions = {},
): Promise<FirstPlatform | null> {
  const { applied } = await migrate(db, MIGRATIONS);
  if (applied.length > 0) log.info({ applied }, 'the database was migrated');
  if (await noteCluster(db, clock.now())) {
    log.warn('the database has moved to another cluster: all it held before counts as settled');
  }
  if (await hasOtherDataKey(db, vault)) {
    throw new StartError(
      'DATA_KEY is not the one that this database was used with, so the secrets in it cannot be opened. ' +
        'Start with the former key.',
    );
  }
  return bootstrapPlatform({ db, clock, ids: createIdSource(), config }, options);
}

const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 10_000;
/** A long migration must not look like a service that is not there. */
const LISTEN_ANYWAY_AFTER_MS = 5_000;

interface Preparing {
  /** The first attempt's result; null as soon as the database turns out to be away, or slow. */
  firstOutcome: Promise<FirstPlatform | null>;
  /** Rejects when no further attempt can help, or on `signal`. */
  done: Promise<FirstPlatform | null>;
}

function keepPreparing(deps: PrepareDeps, options: BootstrapOptions, signal: AbortSignal): Preparing {
  let stopWaiting = () => {};
  const patience = new Promise<null>((resolve) => {
    stopWaiting = () => resolve(null);
    setTimeout(stopWaiting, LISTEN_ANYWAY_AFTER_MS).unref();
  });
  const done = attempt(FIRST_RETRY_MS);
  return { done, firstOutcome: Promise.race([done, patience]) };

  async function attempt(retryMs: number): Promise<FirstPlatform | null> {
    try {
      await assertServerFits(deps);
      return await prepare(deps, options);
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      deps.log.warn({ err: error, retryMs }, 'waiting for the database');
      stopWaiting();
      await pause(retryMs, undefined, { signal });
      return attempt(Math.min(2 * retryMs, MAX_RETRY_MS));
    }
  }
}

/** Requests that are still under way by then are cut off, so that the rest of the stop fits into its ten seconds. */
const CUT_CONNECTIONS_AFTER_MS = 7_000;

interface Stopping {
  app: App;
  db: Database;
  /** Settled once the background start is over. */
  live: Promise<void>;
  stopping: AbortController;
}

async function stop({ app, db, live, stopping }: Stopping): Promise<void> {
  stopping.abort();
  await live;
  const cut = setTimeout(() => app.server.server.closeAllConnections(), CUT_CONNECTIONS_AFTER_MS);
  await app.close();
  clearTimeout(cut);
  await db.close();
}
