import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from './config.js';
import { planOf } from './domain/catalogues/plans.js';
import { serviceError } from './domain/errors.js';
import { expireAttestations } from './features/attestation/attestations/endAttestations.js';
import { confirmation } from './features/attestation/confirmations/kind.js';
import { sendReminders } from './features/attestation/confirmations/sendReminders.js';
import { lapseDisputes } from './features/attestation/disputes/lapseDisputes.js';
import { reference } from './features/attestation/references/kind.js';
import { createIssuer } from './features/credentials/issuing/issuer.js';
import { createSharedRecordLoader } from './features/credentials/issuing/sharedRecords.js';
import { createShareTokens } from './features/credentials/issuing/shareTokens.js';
import { removeOldOffers } from './features/credentials/wallets/removeOldOffers.js';
import { sumDays } from './features/insight/analytics/sumDays.js';
import { benchmarkSweep, dailyBenchmarkSweep } from './features/insight/benchmarks/makeEditions.js';
import { screeningJobs } from './features/insight/screenings/doScreening.js';
import { removeOldScreenings } from './features/insight/screenings/removeOldScreenings.js';
import { createImportThread, inImportThread } from './features/intake/imports/importThread.js';
import { importHandler } from './features/intake/imports/runImport.js';
import { takeFile } from './features/intake/imports/takeFile.js';
import { createChannelAdapter } from './features/notify/channels/channelAdapter.js';
import { createMailer } from './features/notify/channels/mailer.js';
import { createStreams } from './features/notify/stream/streams.js';
import { removeOldDeliveries } from './features/notify/webhooks/removeOldDeliveries.js';
import { createWebhookAdapter } from './features/notify/webhooks/webhookAdapter.js';
import { removeOldLinkTokens } from './features/subjects/links/removeOldLinkTokens.js';
import { startStatusSampler } from './features/system/system/sampleStatus.js';
import { startSweeps } from './features/tenancy/operator/startSweeps.js';
import { createSweeps } from './features/tenancy/operator/sweeps.js';
import { announceEndingKeys } from './features/tenancy/platforms/announceKeys.js';
import {
  type CachingAuthenticator,
  createAuthenticator,
} from './features/tenancy/platforms/authenticator.js';
import { KEYS_CHANNEL } from './features/tenancy/platforms/keyStore.js';
import { createKeyUses } from './features/tenancy/platforms/keyUses.js';
import { createUsageMeter } from './features/tenancy/usage/meter.js';
import { removeOldUsage } from './features/tenancy/usage/removeOldUsage.js';
import { createTextModel } from './kit/ai.js';
import type { HelperProgram } from './kit/backpressure/helperThread.js';
import {
  countRequest,
  createTrafficCount,
  createTrafficGauge,
  createWideTrafficGauge,
  noteSignal,
  startTrafficSignals,
} from './kit/backpressure/traffic.js';
import { type Clock, systemClock } from './kit/clock.js';
import type { Database } from './kit/db/database.js';
import { createNotifier } from './kit/db/notifier.js';
import type { Admission, Authenticator } from './kit/http/admission.js';
import { allowedMethods } from './kit/http/allowedMethods.js';
import { createBodyBudget } from './kit/http/bodyBudget.js';
import { createFailedLogins } from './kit/http/failedLogins.js';
import { createMetrics, observeAnswer, observeRequests } from './kit/http/metrics.js';
import { mountRoutes } from './kit/http/mount.js';
import { createServer } from './kit/http/server.js';
import { createThrottle } from './kit/http/throttle.js';
import { createIdSource } from './kit/ids.js';
import { createJobSignal } from './kit/jobs/jobs.js';
import { createJobWorker } from './kit/jobs/jobWorker.js';
import { createOutboundFetch, type OutboundFetch } from './kit/outboundFetch.js';
import { rateLimitInMemory, rateLimitInRedis } from './kit/rateLimit.js';
import type { Vault } from './kit/vault.js';
import { createLedger } from './ledger/append/append.js';
import { createOutcomeLoader } from './ledger/profile/outcomeRecords.js';
import type { OnRecomputed } from './ledger/recompute/queue.js';
import { listenForQueued, signalOtherProcesses, signalOwnWorker } from './ledger/recompute/signal.js';
import { createRecomputeWorker } from './ledger/recompute/worker.js';
import { createWithIdempotency, trackClaims } from './ledger/requests/idempotency.js';
import { createKeyRing } from './ledger/signingKeys.js';
import { createDispatcher } from './outbox/dispatcher.js';
import { createOutboxSignal } from './outbox/outboxSignal.js';
import { buildRoutes } from './routes.js';

export interface AppDeps {
  config: Config;
  db: Database;
  log: FastifyBaseLogger;
  vault: Vault;
  /** Unset: the operator API is closed. */
  adminSecret: string | undefined;
  clock?: Clock;
  /** In place of the service's own: a bench measures what that costs. */
  admission?: Admission;
  /** In place of the service's own way out: a test answers for receivers. Whoever gives it closes it. */
  outbound?: OutboundFetch;
  /** The program of a thread for large imports; without it they are done among the requests. */
  importProgram?: HelperProgram | undefined;
  /** Between two signs of life on a live stream; tests do not wait that long. */
  streamHeartbeatMs?: number;
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

/** Where processes that answer requests tell those that do their long work that somebody waits. */
const TRAFFIC_CHANNEL = 'traffic';

/** The one place where everything is built and joined. */
export function buildApp(deps: AppDeps): App {
  const { config, db, log, vault, adminSecret, clock = systemClock } = deps;
  const ids = createIdSource();
  const claims = trackClaims();
  const metrics = createMetrics();
  const runsWorker = config.role !== 'api';
  const requests = createTrafficCount();
  const hasTraffic = createTrafficGauge(requests);
  const isTrafficAbout = createWideTrafficGauge(requests);
  // The embedded database has one connection: whoever rests while holding it keeps everybody waiting.
  const mustYield = () => db.engine === 'postgresql' && hasTraffic();
  const outbox = createOutboxSignal(db, log);
  const jobs = createJobSignal(db, log);
  const onRecomputed: OnRecomputed = (records, lagSeconds, emitted) => {
    if (emitted > 0) outbox.written();
    metrics.recomputedRecords.inc(records);
    for (const seconds of lagSeconds) metrics.recomputeLagSeconds.observe(seconds);
  };
  const worker = createRecomputeWorker({
    db,
    clock,
    ids,
    log,
    velocityMaxPerHour: config.velocityMaxPerHour,
    isPressed: () => ledger.isPressed(),
    mustYield,
    isLeftToOther: () => importThread?.isRecording() === true && isTrafficAbout(),
    onRecomputed,
  });
  const outbound = deps.outbound ?? createOutboundFetch({ allowed: config.webhookAllowedNetworks });
  const messageKeys = createKeyRing(db, vault, clock, 'message');
  const credentialKeys = createKeyRing(db, vault, clock, 'credential');
  const { smtpUrl, smtpFrom, baseUrl } = config;
  const mailer = smtpUrl ? createMailer({ smtpUrl, from: smtpFrom, baseUrl }) : null;
  const dispatcher = createDispatcher({
    db,
    clock,
    log,
    signal: outbox,
    adapters: [
      createWebhookAdapter({ clock, ids, vault, outbound, messageKeys, config }),
      createChannelAdapter({ db, clock, log, vault, outbound, mailer, baseUrl }),
    ],
    onSent(kind, result, seconds) {
      metrics.deliveryAttempts.inc({ kind, result });
      metrics.deliverySeconds.observe({ kind }, seconds);
    },
  });
  const signal = runsWorker ? signalOwnWorker(worker) : signalOtherProcesses(db, log);
  const ledger = createLedger({
    db,
    clock,
    ids,
    claims,
    disputeWindowMs: config.disputeWindowMs,
    onAppended(count) {
      if (count === 0) return;
      metrics.eventsAppended.inc(count);
      metrics.groupEvents.observe(count);
      signal.queued();
    },
  });
  const { databaseUrl, importMaxStoredErrors, disputeWindowMs, velocityMaxPerHour } = config;
  const importData = { databaseUrl, importMaxStoredErrors, disputeWindowMs, velocityMaxPerHour, requests };
  const importThread = deps.importProgram
    ? createImportThread({
        program: deps.importProgram,
        data: importData,
        log,
        signal,
        outbox,
        onRecomputed,
      })
    : null;
  const scoresFollow = async () => signal.queued();
  const imports = importHandler({ config, db, clock, ids, ledger, outbox, scoresFollow });
  const jobWorker = createJobWorker({
    db,
    clock,
    log,
    signal: jobs,
    handlers: [
      screeningJobs({ clock, ids, outbox }),
      // The embedded database has one connection, and that is the main thread's.
      importThread && db.engine === 'postgresql' ? inImportThread(imports, importThread, db) : imports,
    ],
  });
  const keyUses = createKeyUses({ db, log });
  const authenticator = createAuthenticator({ db, clock, adminSecret, keyUses });
  const readiness = { isReady: false };
  const streams = createStreams({ db, clock, log, outbox, metrics, heartbeatMs: deps.streamHeartbeatMs });
  const forgetKeys = () => {
    authenticator.forgetKeys();
    streams.checkKeys();
  };
  const withIdempotency = createWithIdempotency(db, claims);
  const sweeps = createSweeps({
    db,
    signal,
    more: {
      reminders: [sendReminders({ config, db, ids, outbox }), announceEndingKeys({ db, ids, outbox })],
      expiry: [expireAttestations(db, confirmation), expireAttestations(db, reference)],
      disputes: [lapseDisputes({ db, ids, ledger, signal, outbox })],
      retention: [
        removeOldUsage(db),
        removeOldDeliveries(db),
        removeOldLinkTokens(db),
        removeOldScreenings(db),
        removeOldOffers(db),
      ],
      benchmarks: [benchmarkSweep({ db, config }), sumDays(db)],
    },
  });
  const meter = createUsageMeter({ db, clock, ids, outbox, log, config });
  const ai = config.ai ? createTextModel({ ...config.ai, clock, log }) : null;
  const limiter = config.redisUrl ? rateLimitInRedis({ url: config.redisUrl, log }) : rateLimitInMemory();
  const throttle = createThrottle({
    limiter,
    anonymousPerMinute: config.anonymousRateLimitPerMinute,
    operatorPerMinute: planOf('enterprise').rateLimitPerMinute,
  });
  const table = buildRoutes({
    config,
    log,
    db,
    clock,
    ids,
    ledger,
    withIdempotency,
    metrics,
    readiness,
    forgetKeys,
    keyUses,
    meter,
    signal,
    sweeps,
    vault,
    outbox,
    jobs,
    readFile: importThread?.readFile ?? takeFile,
    mustYield,
    runsWorker,
    outbound,
    messageKeys,
    issuer: createIssuer({ config, credentialKeys }),
    shareTokens: createShareTokens({ vault, ids, config }),
    loadShared: createSharedRecordLoader(db),
    loadOutcomes: createOutcomeLoader(db),
    streams,
    ai,
  });
  const server = createServer({
    log,
    methodsOf: allowedMethods(table),
    throttle,
    trustProxy: config.trustProxy,
    readLargeJson: importThread?.readJson,
    maxConnections: config.maxConnections,
  });
  observeRequests(server, metrics, (route) => countRequest(requests, route));
  const openShare = createBodyBudget();
  const ownAdmission = {
    authenticator: closedUntilReady(authenticator, readiness),
    throttle,
    meter,
    openShare,
    failedLogins: createFailedLogins(clock, (kind, count) => metrics.failedLogins.inc({ kind }, count)),
  };
  const onOpened = (request: FastifyRequest, reply: FastifyReply) => observeAnswer(metrics, request, reply);
  mountRoutes(server, table, deps.admission ?? ownAdmission, onOpened);
  const stops: (() => Promise<void> | void)[] = [];

  return {
    server,
    markReady() {
      readiness.isReady = true;
    },
    async startWorkers() {
      stops.push(startStatusSampler({ db, clock, log, readiness }), keyUses.start(), meter.start());
      stops.push(await db.listen(KEYS_CHANNEL, forgetKeys), await outbox.listen());
      if (!runsWorker) {
        stops.push(startTrafficSignals(requests, createNotifier(db, TRAFFIC_CHANNEL, log)));
        return;
      }
      worker.start();
      dispatcher.start();
      jobWorker.start();
      const scheduled = { ...sweeps, benchmarks: [dailyBenchmarkSweep({ db, config }), sumDays(db)] };
      stops.push(() => worker.stop(), startSweeps({ sweeps: scheduled, clock, log }));
      stops.push(await listenForQueued(db, worker), await jobs.listen());
      stops.push(await db.listen(TRAFFIC_CHANNEL, () => noteSignal(requests)));
    },
    async close() {
      await streams.close(); // the server waits for answers under way, and these have no end of their own
      // Each may take some seconds to finish what it has under way.
      await Promise.all([server.close(), dispatcher.stop(), jobWorker.stop()]);
      await importThread?.close();
      await ledger.idle();
      for (const stop of stops) await stop();
      limiter.close();
      mailer?.close();
      await ai?.close();
      if (!deps.outbound) await outbound.close();
    },
  };
}

/** Until the database is prepared nobody can be recognised; operations open to everyone answer all the same. */
function closedUntilReady(
  authenticator: CachingAuthenticator,
  readiness: { isReady: boolean },
): Authenticator {
  return {
    identify(access, request) {
      if (access.kind !== 'public' && !readiness.isReady) {
        const message = 'The service is waiting for its database. Try again in a moment.';
        throw serviceError('SERVICE_UNAVAILABLE', { message });
      }
      return authenticator.identify(access, request);
    },
    authorize: authenticator.authorize,
  };
}
