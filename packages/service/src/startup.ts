import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { FastifyBaseLogger } from 'fastify';
import { type App, buildApp } from './app.js';
import { type Config, ConfigError } from './config.js';
import {
  type BootstrapOptions,
  bootstrapPlatform,
  type FirstPlatform,
} from './features/platforms/bootstrap.js';
import { beginFirstStart, reasonOf, StartError } from './firstStart.js';
import { type Clock, systemClock } from './kit/clock.js';
import { type Database, DataDirLockedError, isDatabaseUnavailable, openDatabase } from './kit/db/database.js';
import { migrate } from './kit/db/migrate.js';
import { createIdSource } from './kit/ids.js';
import { createVault, type Vault } from './kit/vault.js';
import { hasOtherDataKey, noteCluster } from './ledger/installation.js';
import { localAddress } from './welcome.js';

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
 * on trying. Throws ConfigError, StartError, DataDirLockedError or MigrationError, whose messages are for the operator.
 */
export async function startService({ config, log, say, onFatal }: StartOptions): Promise<RunningService> {
  assertRoleFits(config);
  const db = await openStorage(config, log, say);
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
    const parts = { config, db, clock: systemClock, log, vault };
    const preparing = keepPreparing(parts, firstStart.bootstrap, stopping.signal);
    const first = await preparing.firstOutcome;
    const address = await listen(app, config).catch((error: unknown) => {
      firstStart.tell(null, first);
      throw error;
    });
    const live = preparing.done
      .then(async (made) => {
        app.markReady();
        await app.startWorkers();
        firstStart.tell(address, made);
        log.info('ready');
      })
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) onFatal(error);
      });
    return { stop: () => stop({ app, db, live, stopping }) };
  } catch (error) {
    stopping.abort();
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
  if (databaseUrl === undefined && !existsSync(folder)) {
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
    log.error({ err: error }, 'the embedded database cannot be opened');
    throw new StartError(
      `The embedded database in ${dataDir} cannot be opened (${reasonOf(error)}). ` +
        'DATA_DIR must be a folder that this user can write to, with room left.',
    );
  }
}

interface PrepareParts {
  config: Config;
  db: Database;
  clock: Clock;
  log: FastifyBaseLogger;
  vault: Vault;
}

/** There once the service is built; run from its sources, it does without. */
const IMPORT_PROGRAM = import.meta.url.endsWith('.js')
  ? { file: new URL('./importThread.js', import.meta.url) }
  : undefined;
const MIGRATIONS = fileURLToPath(new URL('../migrations/', import.meta.url));

/** Makes an open database fit for service: migrated, its cluster noted, with a platform in it. Answers that one if it is new. */
export async function prepare(
  { config, db, clock, log, vault }: PrepareParts,
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
const LONGEST_RETRY_MS = 10_000;
/** A long migration must not look like a service that is not there. */
const LISTEN_ANYWAY_AFTER_MS = 5_000;

interface Preparing {
  /** The first attempt's result; null as soon as the database turns out to be away, or slow. */
  firstOutcome: Promise<FirstPlatform | null>;
  /** Rejects when no further attempt can help, or on `signal`. */
  done: Promise<FirstPlatform | null>;
}

function keepPreparing(parts: PrepareParts, options: BootstrapOptions, signal: AbortSignal): Preparing {
  let stopWaiting = () => {};
  const patience = new Promise<null>((resolve) => {
    stopWaiting = () => resolve(null);
    setTimeout(stopWaiting, LISTEN_ANYWAY_AFTER_MS).unref();
  });
  const done = attempt(FIRST_RETRY_MS);
  return { done, firstOutcome: Promise.race([done, patience]) };

  async function attempt(retryMs: number): Promise<FirstPlatform | null> {
    try {
      return await prepare(parts, options);
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      parts.log.warn({ err: error, retryMs }, 'waiting for the database');
      stopWaiting();
      await pause(retryMs, undefined, { signal });
      return attempt(Math.min(2 * retryMs, LONGEST_RETRY_MS));
    }
  }
}

/** Answers the address on this machine; null for a worker, which listens to nobody. */
async function listen({ server }: App, { role, host, port }: Config): Promise<string | null> {
  if (role === 'worker') return null;
  try {
    await server.listen({ host, port });
  } catch (error) {
    throw new StartError(whyNotListening(error, host, port));
  }
  const [bound] = server.addresses();
  return localAddress(host, typeof bound === 'object' ? bound.port : port);
}

function whyNotListening(error: unknown, host: string, port: number): string {
  switch (error instanceof Error && 'code' in error ? error.code : undefined) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is taken by another program. Stop that one, or set PORT to a free port.`;
    case 'EACCES':
      return `Port ${port} may not be used by this user. Set PORT to 1024 or higher.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `HOST ${host} is no address of this machine. Set HOST to one, or to 0.0.0.0 for all of them.`;
    default:
      return `Listening on ${host}, port ${port}, failed: ${reasonOf(error)}`;
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
