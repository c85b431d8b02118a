import cluster from 'node:cluster';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { type App, buildApp } from './app.js';
import { type Config, ConfigError } from './config.js';
import { assertSpaceForDatabase, closeToOthers } from './dataFolder.js';
import { followDataKey } from './dataKey.js';
import { createSignInLink } from './features/tenancy/console/signInLink.js';
import type { FirstPlatform } from './features/tenancy/platforms/bootstrap.js';
import { beginFirstStart, reasonOf } from './firstStart.js';
import { type Clock, systemClock } from './kit/clock.js';
import {
  type Database,
  DataDirLockedError,
  openDatabase,
  openReplica,
  type ReplicaReads,
} from './kit/db/database.js';
import { codeOf } from './kit/db/errors.js';
import { createVault } from './kit/vault.js';
import { headFileIn } from './ledger/log/head.js';
import { listen, reserveAddress } from './listening.js';
import { keepPreparing, prepareGroup } from './prepare.js';
import type { ProcessPlan } from './processPlan.js';
import { startTracing } from './startTracing.js';

/** Only the bundle contains it; a service that runs from its sources imports without the thread. */
const IMPORT_PROGRAM = import.meta.url.endsWith('.js')
  ? { file: new URL('./importThread.js', import.meta.url) }
  : undefined;

export interface StartOptions {
  config: Config;
  plan: ProcessPlan;
  log: FastifyBaseLogger;
  /** Prints a text for the person at the console. */
  say(text: string): void;
  /** Called if the service fails after it started to listen. */
  onFatal(error: unknown): void;
}

export interface RunningService {
  /** Finishes running work and closes the database. */
  stop(): Promise<void>;
}

/**
 * Starts the parts that ROLE names. Before it writes anything, it checks the port, the data folder
 * with its free space and lock, and that no pooler shares sessions. If the database is unavailable,
 * the service listens, answers 503 and retries.
 * Throws ConfigError, StartError, DataDirLockedError or MigrationError, whose messages are for the
 * operator.
 */
export async function startService(options: StartOptions): Promise<RunningService> {
  const { config, plan, log, say, onFatal } = options;
  assertRoleFits(config);
  // The parent of several processes has checked it. Here it would take connections from the others.
  const release = cluster.isWorker ? async () => {} : await reserveAddress(config);
  const db = await openStorage(options).catch(async (error: unknown) => {
    await release();
    throw error;
  });
  const replica = openReplicaOf(options, db);
  const tracing = await startTracing(config, log);
  const stopping = new AbortController();
  try {
    const firstStart = await beginFirstStart(config, systemClock, say);
    if (firstStart.adminSecret === undefined) log.warn('the operator API is closed: ADMIN_SECRET is not set');
    const vault = createVault(firstStart.dataKeys.current, firstStart.dataKeys.previous);
    const { logStateDir } = config;
    const logHead = (group: number) => (logStateDir === undefined ? null : headFileIn(logStateDir, group));
    const deps = { config, db, clock: systemClock, log, vault, logHead };
    const app = buildApp({
      replica,
      config: { ...config, maxConnections: plan.maxConnections },
      logHead,
      db,
      log,
      vault,
      adminSecret: firstStart.adminSecret,
      prepareGroup: (group) => prepareGroup(deps, group),
      importProgram: IMPORT_PROGRAM,
    });
    // Before it listens: a process of several gets connections at once, and would answer 503.
    const start = async (away: readonly number[]) => {
      void followDataKey(deps, stopping.signal);
      await app.startWorkers(away);
      app.markReady();
    };
    const preparing = keepPreparing(deps, firstStart.bootstrap, start, stopping.signal);
    const first = await preparing.firstOutcome;
    await release();
    const address = await listen(app.server, config).catch(async (error: unknown) => {
      firstStart.announce(null, first, null);
      await app.close();
      throw error;
    });
    app.started();
    const live = preparing.done
      .then(async (made) => {
        log.info({ address }, 'ready');
        firstStart.announce(address, made, made && address && (await signInLinkOf(deps, address, made)));
      })
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) onFatal(error);
      });
    return { stop: () => stop({ app, db, replica, live, stopping, tracing }) };
  } catch (error) {
    stopping.abort();
    await release();
    await tracing?.stop();
    await replica?.close();
    await db.close();
    throw error;
  }
}

/** At BASE_URL if that has https: over http a browser would refuse the cookie. */
async function signInLinkOf(
  { config, db, clock }: { config: Config; db: Database; clock: Clock },
  address: string,
  { keys }: FirstPlatform,
): Promise<string | null> {
  if (!config.console) return null;
  const base = config.baseUrl.startsWith('https:') ? config.baseUrl : address;
  return `${base}/console#sign-in=${await createSignInLink({ db, clock }, keys.test)}`;
}

/** Only one process can use the embedded database, so that process has all roles. */
function assertRoleFits({ role, databaseUrl }: Config): void {
  if (role === 'all' || databaseUrl !== undefined) return;
  throw new ConfigError(
    `ROLE=${role} needs DATABASE_URL, because only one process can use the embedded database. Set DATABASE_URL, or ROLE=all.`,
  );
}

async function openStorage({ config: { databaseUrl, dataDir }, plan, log, say }: StartOptions) {
  const folder = join(dataDir, 'database');
  const isNew = !existsSync(folder);
  if (databaseUrl === undefined) await assertSpaceForDatabase(dataDir, isNew);
  await closeToOthers(dataDir, log);
  if (databaseUrl === undefined && isNew) {
    say(`Creating the embedded database in ${dataDir}. This takes a few seconds, once.`);
  }
  try {
    return await openDatabase({
      databaseUrl,
      dataDir: folder,
      poolSize: plan.poolSize,
      isGuarded: false,
      log,
    });
  } catch (error) {
    if (error instanceof DataDirLockedError) throw error;
    // An error of the operating system is explained by its code; any other needs its stack.
    if (codeOf(error) === undefined) log.error({ err: error }, 'the embedded database cannot be opened');
    throw new ConfigError(
      `The embedded database in ${dataDir} cannot be opened (${reasonOf(error)}). ` +
        'Set DATA_DIR to a folder that this user can write to, with free space.',
    );
  }
}

function openReplicaOf({ config, plan, log }: StartOptions, db: Database): ReplicaReads | null {
  const { databaseUrl, databaseReplicaUrl: replicaUrl, replicaMaxLagMs: maxLagMs } = config;
  if (databaseUrl === undefined || replicaUrl === undefined) return null;
  return openReplica({ databaseUrl, replicaUrl, poolSize: plan.poolSize, maxLagMs, log }, db);
}

/** Requests that still run then are cut off, so that the whole stop takes less than ten seconds. */
const CUT_CONNECTIONS_AFTER_MS = 7_000;

interface Stopping {
  app: App;
  db: Database;
  replica: ReplicaReads | null;
  /** Settles when the background start has ended. */
  live: Promise<void>;
  stopping: AbortController;
  /** Null: no traces. */
  tracing: { stop(): Promise<void> } | null;
}

async function stop({ app, db, replica, live, stopping, tracing }: Stopping): Promise<void> {
  stopping.abort();
  await live;
  const cut = setTimeout(() => app.server.server.closeAllConnections(), CUT_CONNECTIONS_AFTER_MS);
  await app.close();
  clearTimeout(cut);
  await tracing?.stop();
  await replica?.close();
  await db.close();
}
