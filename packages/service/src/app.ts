import type { FastifyInstance } from 'fastify';
import { buildCore, type Core, type CoreDeps, hearTraffic, sayTraffic } from './core.js';
import { describeApi } from './features/system/system/describeApi.js';
import type { HelperProgram } from './kit/backpressure/helperThread.js';
import type { Admission } from './kit/http/admission.js';
import { createJobWorker } from './kit/jobs/jobWorker.js';
import { type RateLimiter, rateLimitInMemory, rateLimitInRedis } from './kit/rateLimit.js';
import { erasureJobs } from './ledger/erasure/erasureJob.js';
import { LOG_CHANNEL } from './ledger/log/sequencer.js';
import { listenForQueued } from './ledger/recompute/signal.js';
import { createDispatcher } from './outbox/dispatcher.js';
import { buildRooms, type Rooms } from './rooms.js';
import { buildRoutes } from './routes.js';
import { buildServer } from './webServer.js';

export interface AppDeps extends Omit<CoreDeps, 'isRecordingImport'> {
  /** Undefined: the operator API is closed. */
  adminSecret: string | undefined;
  /** Replaces the service's own admission: a bench measures what that costs. */
  admission?: Admission;
  /** The program of a thread for large imports. Undefined: the main thread does them. */
  importProgram?: HelperProgram | undefined;
  /** Time between two heartbeats of a live stream; tests shorten it. Default: 15 s. */
  streamHeartbeatMs?: number;
}

/** The service, wired but not listening. */
export interface App {
  server: FastifyInstance;
  /** Call when the server listens: it tells the parent of several processes. */
  started(): void;
  /** Call when the database is migrated and has a platform: from then on keys are recognised. */
  markReady(): void;
  /** Starts what runs beside the requests, as ROLE says. */
  startWorkers(): Promise<void>;
  /** Finishes what runs: requests, appends, the workers. The database stays open. */
  close(): Promise<void>;
}

/** The one place where everything is built and joined. */
export function buildApp(given: AppDeps): App {
  const core = buildCore({ ...given, isRecordingImport: () => rooms.intake.isRecording() });
  const readiness = { isReady: false };
  const document = describeApi(() => table, core.config.baseUrl);
  const { adminSecret, importProgram, streamHeartbeatMs } = given;
  const deps = { ...core, adminSecret, readiness, importProgram, streamHeartbeatMs, document };
  const rooms = buildRooms(deps);
  const table = buildRoutes(rooms, deps);
  const limiter = limiterOf(core);
  const server = buildServer({ core, rooms, table, limiter, admission: given.admission });
  const dispatcher = dispatcherOf(core, rooms);
  const jobWorker = jobWorkerOf(core, rooms);
  const stops: (() => Promise<void> | void)[] = [];

  return {
    server,
    started: () => core.parent?.started(),
    markReady() {
      readiness.isReady = true;
    },
    async startWorkers() {
      stops.push(await core.erased.start(), rooms.system.start(), rooms.tenancy.start());
      stops.push(await rooms.tenancy.listen(), await core.outbox.listen());
      if (!core.runsWorker || core.parent) stops.push(sayTraffic(core));
      if (!core.runsWorker) return;
      core.worker.start();
      core.sequencer.start();
      core.cosigning.start();
      dispatcher.start();
      jobWorker.start();
      stops.push(
        () => core.worker.stop(),
        () => core.sequencer.stop(),
        () => core.cosigning.stop(),
        rooms.tenancy.startSweeps(),
      );
      stops.push(await listenForQueued(core.db, core.worker), await core.jobs.listen());
      stops.push(await hearTraffic(core), await core.db.listen(LOG_CHANNEL, () => core.sequencer.wake()));
    },
    async close() {
      // First: the server waits for open answers, and streams do not end by themselves.
      await rooms.notify.streams.close();
      // Each may take some seconds to finish what it has under way.
      await Promise.all([server.close(), dispatcher.stop(), jobWorker.stop()]);
      await rooms.intake.close();
      await core.ledger.idle();
      for (const stop of stops) await stop();
      limiter.close();
      rooms.notify.closeMailer();
      await rooms.insight.close();
      await core.witnessOutbound.close();
      if (!given.outbound) await core.outbound.close();
    },
  };
}

function limiterOf({ config, log, parent }: Core): RateLimiter {
  if (config.redisUrl) return rateLimitInRedis({ url: config.redisUrl, log });
  return parent?.limiter ?? rateLimitInMemory();
}

function dispatcherOf({ db, clock, log, outbox, metrics }: Core, { notify }: Rooms) {
  return createDispatcher({
    db,
    clock,
    log,
    signal: outbox,
    adapters: notify.adapters,
    onSent(kind, result, seconds) {
      metrics.deliveryAttempts.inc({ kind, result });
      metrics.deliverySeconds.observe({ kind }, seconds);
    },
  });
}

function jobWorkerOf(core: Core, { insight, intake }: Rooms) {
  const { db, clock, log, jobs } = core;
  const handlers = [...insight.jobHandlers, ...intake.jobHandlers, erasureJobs(core)];
  return createJobWorker({ db, clock, log, signal: jobs, handlers });
}
