import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { createSignInLink } from '../features/tenancy/console/signInLink.js';
import type { FirstPlatform } from '../features/tenancy/platforms/bootstrap.js';
import { type Clock, systemClock } from '../kit/clock.js';
import type { Database } from '../kit/db/database.js';
import { type RateLimiter, rateLimitInRedis } from '../kit/rateLimit.js';
import { createVault } from '../kit/vault.js';
import { headFileIn } from '../ledger/log/headFile.js';
import type { MetricJson } from '../shape/processes/summedMetrics.js';
import { openReplica, type ReplicaReads } from '../shape/replica/replica.js';
import { createWorkerThread, type WorkerThread } from '../shape/workerThread.js';
import { type App, buildApp } from './app.js';
import type { Config } from './config.js';
import { followDataKey } from './dataKey.js';
import { beginFirstStart } from './firstStart.js';
import { listen } from './listening.js';
import { keepPreparing, prepareGroup } from './prepare.js';
import type { ProcessPlan } from './processPlan.js';
import { startTracing } from './startTracing.js';

/** Only the bundle contains it; a service that runs from its sources imports without the thread. */
const IMPORT_PROGRAM = import.meta.url.endsWith('.js')
  ? { file: new URL('./importThread.js', import.meta.url) }
  : undefined;

/**
 * Workers begin with a dozen statements that the embedded database runs for the first time. The first
 * requests, which may have waited for this start, would wait for them on its one connection.
 */
const WORKERS_AFTER_MS = 250;

export interface StartOptions {
  config: Config;
  plan: ProcessPlan;
  log: FastifyBaseLogger;
  /** Prints a text for the person at the console. */
  say(text: string): void;
  /** Called if the service fails after it started to listen. */
  onFatal(error: unknown): void;
  /** Another thread of this process has prepared the database. */
  isPrepared?: boolean;
}

export interface RunningService {
  metrics(): Promise<readonly MetricJson[]>;
  /** Finishes running work and closes the database. */
  stop(): Promise<void>;
}

/** What is there before the modules of the service are loaded. */
export interface Storage {
  db: Database;
  /** Resolves when the database accepts statements. */
  opened: Promise<void>;
  /** The embedded database has to be created. */
  isEmpty: boolean;
}

/**
 * Builds the service on a database that may still be opening, prepares the database, and listens.
 * Throws as `startService` does; the caller then closes `db`.
 */
export async function serve(options: StartOptions, storage: Storage): Promise<RunningService> {
  const { config, plan, log, say, onFatal } = options;
  const { db, opened, isEmpty } = storage;
  // A secret that a first start makes is shown once: not before there is a database to use it with.
  if (isEmpty) await opened;
  const replica = openReplicaOf(options);
  const tracing = await startTracing(config, log);
  const stopping = new AbortController();
  try {
    const firstStart = await beginFirstStart(config, systemClock, say);
    if (firstStart.adminSecret === undefined) log.warn('the operator API is closed: ADMIN_SECRET is not set');
    const vault = createVault(firstStart.dataKeys.current, firstStart.dataKeys.previous);
    const { logStateDir } = config;
    const logHead = (group: number) => (logStateDir === undefined ? null : headFileIn(logStateDir, group));
    const deps = { config, db, clock: systemClock, log, vault, logHead };
    const workerThread = workerThreadOf(options);
    const app = buildApp({
      replica,
      workerThread,
      config: { ...config, maxConnections: plan.maxConnections },
      logHead,
      db,
      log,
      vault,
      adminSecret: firstStart.adminSecret,
      prepareGroup: (group) => prepareGroup(deps, group),
      importProgram: IMPORT_PROGRAM,
      sharedLimiter: await sharedLimiterOf(config, log),
    });
    await opened;
    // Before it listens: a process of several gets connections at once, and would answer 503.
    const open = async (away: readonly number[]) => {
      await app.open(away);
      void followDataKey(deps, stopping.signal);
      app.markReady();
    };
    const given = options.isPrepared ? { made: null, away: [] } : undefined;
    const preparing = keepPreparing(deps, firstStart.bootstrap, open, stopping.signal, given);
    const first = await preparing.firstOutcome;
    const address = await listen(app.server, config).catch(async (error: unknown) => {
      firstStart.announce(null, first, null);
      await app.close();
      throw error;
    });
    app.started();
    const live = preparing.done
      .then(async (made) => {
        log.info({ address }, options.isPrepared ? 'the worker thread runs' : 'ready');
        firstStart.announce(address, made, made && address && (await signInLinkOf(deps, address, made)));
        if (db.hasOneConnection) await pause(WORKERS_AFTER_MS, undefined, { signal: stopping.signal });
        await app.startWorkers();
        workerThread?.start();
        // Documentation and OpenAPI document are made once, and nobody has to wait for it.
        const paths = config.role === 'worker' ? [] : ['/docs', '/openapi.json'];
        for (const path of paths) await app.server.inject(path);
      })
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) onFatal(error);
      });
    return {
      metrics: app.metrics,
      stop: () => stop({ app, db, replica, live, stopping, tracing, workerThread }),
    };
  } catch (error) {
    stopping.abort();
    await tracing?.stop();
    await replica?.close();
    throw error;
  }
}

/** Undefined: each process counts the requests of its callers alone. */
function sharedLimiterOf(
  { redisUrl: url }: Config,
  log: FastifyBaseLogger,
): Promise<RateLimiter> | undefined {
  return url === undefined ? undefined : rateLimitInRedis({ url, log });
}

/** Null: this thread does all that ROLE says. */
function workerThreadOf({ plan, onFatal }: StartOptions): WorkerThread | null {
  if (plan.workerPoolSize === null) return null;
  return createWorkerThread({
    program: new URL('./workerProgram.js', import.meta.url),
    data: { poolSize: plan.workerPoolSize },
    onDeath: onFatal,
  });
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

function openReplicaOf({ config, plan, log }: StartOptions): ReplicaReads | null {
  const { databaseUrl, databaseReplicaUrl: replicaUrl, replicaMaxLagMs: maxLagMs } = config;
  if (databaseUrl === undefined || replicaUrl === undefined) return null;
  return openReplica({ databaseUrl, replicaUrl, poolSize: plan.poolSize, maxLagMs, log });
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
  workerThread: WorkerThread | null;
}

async function stop({ app, db, replica, live, stopping, tracing, workerThread }: Stopping): Promise<void> {
  stopping.abort();
  await live;
  const cut = setTimeout(() => app.server.server.closeAllConnections(), CUT_CONNECTIONS_AFTER_MS);
  await Promise.all([app.close(), workerThread?.stop()]);
  clearTimeout(cut);
  await tracing?.stop();
  await replica?.close();
  await db.close();
}
