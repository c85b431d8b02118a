import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Config } from './config.js';
import { serviceError } from './domain/errors.js';
import { type CachingGatekeeper, createGatekeeper } from './features/platforms/gatekeeper.js';
import { startStatusSampler } from './features/system/sampleStatus.js';
import { type Clock, systemClock } from './kit/clock.js';
import type { Database } from './kit/db/database.js';
import { allowedMethods } from './kit/http/allowedMethods.js';
import { createMetrics, observeRequests } from './kit/http/metrics.js';
import { type Gatekeeper, mountRoutes } from './kit/http/mount.js';
import { createServer } from './kit/http/server.js';
import { createIdSource } from './kit/ids.js';
import { createLedger } from './ledger/append.js';
import { createOnceRunner, trackClaims } from './ledger/idempotency.js';
import { listenForQueued, signalOtherProcesses, signalOwnWorker } from './ledger/recomputeSignal.js';
import { createRecomputeWorker } from './ledger/recomputeWorker.js';
import { buildRoutes } from './routes.js';

export interface AppParts {
  config: Config;
  db: Database;
  log: FastifyBaseLogger;
  /** Unset: the operator API is closed. */
  adminSecret: string | undefined;
  clock?: Clock;
}

/** The service, wired but not listening. */
export interface App {
  server: FastifyInstance;
  /** The database is migrated and holds a platform: from here on credentials are looked at. */
  markReady(): void;
  /** Starts what runs beside the requests, as ROLE says. */
  startWorkers(): Promise<void>;
  /** Finishes what runs: requests, the append lane, the workers. The database stays open. */
  close(): Promise<void>;
}

/** The one place where everything is built and joined. */
export function buildApp({ config, db, log, adminSecret, clock = systemClock }: AppParts): App {
  const ids = createIdSource();
  const claims = trackClaims();
  const metrics = createMetrics();
  const runsWorker = config.role !== 'api';
  const worker = createRecomputeWorker({
    db,
    clock,
    ids,
    log,
    velocityMaxPerHour: config.velocityMaxPerHour,
    onRecomputed(records, lagSeconds) {
      metrics.recomputedRecords.inc(records);
      for (const seconds of lagSeconds) metrics.recomputeLagSeconds.observe(seconds);
    },
  });
  const signal = runsWorker ? signalOwnWorker(worker) : signalOtherProcesses(db, log);
  const ledger = createLedger({
    db,
    clock,
    ids,
    claims,
    onAppended(count) {
      if (count === 0) return;
      metrics.eventsAppended.inc(count);
      metrics.groupEvents.observe(count);
      signal.queued();
    },
  });
  const gatekeeper = createGatekeeper({ db, clock, adminSecret });
  const readiness = { isReady: false };
  const { forgetKeys } = gatekeeper;
  const once = createOnceRunner(db, claims);
  const table = buildRoutes({ config, db, clock, ids, ledger, once, metrics, readiness, forgetKeys, signal });
  const server = createServer({ log, methodsOf: allowedMethods(table) });
  observeRequests(server, metrics);
  mountRoutes(server, table, closedUntilReady(gatekeeper, readiness));
  const stops: (() => Promise<void> | void)[] = [];

  return {
    server,
    markReady() {
      readiness.isReady = true;
    },
    async startWorkers() {
      stops.push(startStatusSampler({ db, clock, log, readiness }));
      if (!runsWorker) return;
      worker.start();
      stops.push(() => worker.stop(), await listenForQueued(db, worker));
    },
    async close() {
      await server.close();
      await ledger.idle();
      for (const stop of stops) await stop();
    },
  };
}

/** Until the database is prepared nobody can be recognised; operations open to everyone answer all the same. */
function closedUntilReady(gatekeeper: CachingGatekeeper, readiness: { isReady: boolean }): Gatekeeper {
  return {
    admit(access, request) {
      if (access.kind !== 'public' && !readiness.isReady) {
        const message = 'The service is waiting for its database. Try again in a moment.';
        throw serviceError('SERVICE_UNAVAILABLE', { message, headers: { 'Retry-After': '1' } });
      }
      return gatekeeper.admit(access, request);
    },
  };
}
