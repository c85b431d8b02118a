import cluster from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';
import { rateLimitInRedis } from '#kit/rateLimit.js';
import { createWorkerThread } from '../shape/workerThread.js';
import { assertAddressFree, listen } from './listen.js';
import type { PrepareOptions } from './prepare.js';
import type { ProcessPlan } from './processPlan.js';
import { openStorage } from './storage.js';

/** Only the bundle contains it; a service that runs from its sources imports without the thread. */
const IMPORT_PROGRAM = import.meta.url.endsWith('.js')
  ? { file: new URL('./importThread.js', import.meta.url) }
  : undefined;

/**
 * The loops begin with a dozen statements that the embedded database runs for the first time. The first
 * requests, which may have waited for this start, would wait for them on its one connection.
 */
const WORK_AFTER_MS = 250;

/** Requests that still run then are cut off, so that the whole stop takes less than ten seconds. */
const CUT_CONNECTIONS_AFTER_MS = 7_000;

interface StartOptions extends PrepareOptions {
  plan: ProcessPlan;
  /** Its number of several processes (PROCESSES). */
  process: number | null;
  /** Called if the service fails after it started to listen. */
  onFatal(error: unknown): void;
}

/**
 * Starts the parts that ROLE names: opens the storage, prepares it, builds, listens and begins to
 * work. If the database is unavailable, the service listens, answers 503 and retries.
 * Throws ConfigError, StartError, DataDirLockedError or MigrationError, whose messages are for the
 * operator.
 */
export async function startService(options: StartOptions) {
  const { config, plan, log } = options;
  const { redisUrl: url } = config;
  // The supervisor of several processes has checked it. Here it would take connections from the others.
  if (!cluster.isWorker) await assertAddressFree(config);
  const storage = await openStorage({ ...options, poolSize: plan.poolSize });
  const stopping = new AbortController();
  let tracing: { stop(): Promise<void> } | null = null;
  try {
    // Most modules are loaded here, while the embedded engine starts in its own thread.
    const [{ beginPreparing }, { buildApp, loadParts }, { startTracing }] = await Promise.all([
      import('./prepare.js'),
      import('./build.js'),
      import('./startTracing.js'),
    ]);
    const parts = await loadParts(config.role, plan.workerPoolSize !== null);
    tracing = await startTracing(config, log);
    const preparing = await beginPreparing(options, storage, stopping.signal);
    const { workerPoolSize } = plan;
    const workerThread =
      workerPoolSize === null
        ? null
        : createWorkerThread({
            program: new URL('./main.js', import.meta.url),
            data: { poolSize: workerPoolSize, process: options.process },
            onDeath: options.onFatal,
          });
    const app = buildApp(
      {
        ...preparing.deps,
        config: { ...config, maxConnections: plan.maxConnections },
        replica: storage.replica,
        workerThread,
        adminSecret: preparing.adminSecret,
        prepareGroup: preparing.prepareGroup,
        importProgram: IMPORT_PROGRAM,
        // Else each process counts the requests of its callers alone.
        sharedLimiter: parts.api && url ? await rateLimitInRedis({ url, log }) : undefined,
      },
      parts,
    );
    await storage.opened;
    const { firstOutcome, done } = preparing.open(app);
    // Before it listens: a process of several gets connections at once, and would answer 503.
    const first = await firstOutcome;
    const address = await listen(app.server, config).catch(async (error: unknown) => {
      preparing.announce(null, first);
      await app.close();
      throw error;
    });
    app.started();
    const live = done
      .then(async (made) => {
        log.info({ address }, options.isPrepared ? 'the worker thread runs' : 'ready');
        await preparing.announce(address, made);
        const { signal } = stopping;
        if (storage.db.hasOneConnection) await pause(WORK_AFTER_MS, undefined, { signal });
        app.startWork();
        workerThread?.start();
        // Documentation and OpenAPI document are made once, and nobody has to wait for it.
        for (const path of ['/docs', '/openapi.json']) await app.server?.inject(path);
      })
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) options.onFatal(error);
      });
    return {
      metrics: app.metrics,
      wake: app.wake,
      async stop() {
        stopping.abort();
        await live;
        const cut = setTimeout(() => app.server?.server.closeAllConnections(), CUT_CONNECTIONS_AFTER_MS);
        await Promise.all([app.close(), workerThread?.stop()]);
        clearTimeout(cut);
        await tracing?.stop();
        await storage.close();
      },
    };
  } catch (error) {
    stopping.abort();
    await tracing?.stop();
    await storage.close();
    throw error;
  }
}
