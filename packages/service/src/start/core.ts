import cluster from 'node:cluster';
import type { FastifyBaseLogger } from 'fastify';
import { type Cosigning, createCosigning } from '../features/credentials/witness/cosigning.js';
import { createWitnessOutbound } from '../features/credentials/witness/witnessOutbound.js';
import type { ServiceDeps } from '../features/serviceDeps.js';
import { createKeyUses, type KeyUses } from '../features/tenancy/platforms/keyUses.js';
import {
  createTrafficCount,
  createWideTrafficGauge,
  noteSignal,
  startTrafficSignals,
  type TrafficCount,
} from '../kit/backpressure/traffic.js';
import { type Clock, systemClock } from '../kit/clock.js';
import { type Database, type ReplicaReads, readsOfPrimary } from '../kit/db/database.js';
import { createNotifier } from '../kit/db/notifier.js';
import { createMetrics, type Metrics } from '../kit/http/metrics.js';
import { createIdSource } from '../kit/ids.js';
import { createJobSlots, type JobSlots } from '../kit/jobs/jobSlots.js';
import { createJobSignal } from '../kit/jobs/jobs.js';
import { createOutboundFetch, type OutboundFetch } from '../kit/outboundFetch.js';
import { sumOf } from '../kit/processes/metricsOfAll.js';
import { linkToParent, type ParentLink } from '../kit/processes/parentLink.js';
import { type MetricJson, ONE_PROCESS } from '../kit/processes/topics.js';
import type { Vault } from '../kit/vault.js';
import { createLedger } from '../ledger/append/append.js';
import { createWritePressure, type WritePressure } from '../ledger/append/writePressure.js';
import { createErasedSubjects } from '../ledger/erasure/erasedSubjects.js';
import { createExchange, type Exchange } from '../ledger/links/exchange.js';
import type { HeadFile } from '../ledger/log/headFile.js';
import { originOf } from '../ledger/log/logKey.js';
import { createSequencer, LOG_CHANNEL, type Sequencer } from '../ledger/log/sequencer.js';
import { createConcentrationLoader } from '../ledger/profile/concentrations.js';
import { createOutcomeLoader } from '../ledger/profile/outcomeRecords.js';
import type { OnRecomputed } from '../ledger/recompute/queue.js';
import { type RecomputeSignal, signalOtherProcesses, signalOwnWorker } from '../ledger/recompute/signal.js';
import { createRecomputeWorker, type RecomputeWorker } from '../ledger/recompute/worker.js';
import { createWithIdempotency, trackClaims } from '../ledger/requests/idempotency.js';
import { createKeyRing, type KeyRing } from '../ledger/signingKeys.js';
import { createOutboxSignal, type OutboxSignal } from '../outbox/outboxSignal.js';
import { type SendBudget, shareSends } from '../outbox/sendBudget.js';
import { metricsOfThreads, type WorkerThread } from '../shape/workerThread.js';
import type { Config } from './config.js';

export interface CoreDeps {
  config: Config;
  db: Database;
  /** Default: all reads come from `db`. */
  replica?: ReplicaReads | null;
  log: FastifyBaseLogger;
  vault: Vault;
  /** Where the newest checkpoint of the log is kept outside of the database. */
  logHead?: HeadFile | null;
  /** The handles of all ledger groups. Default: `db` alone. */
  groups?: () => readonly Database[];
  /** The core of group 0, for that of another group: what a process has once is shared. */
  first?: Core;
  /** Default: the system's clock. */
  clock?: Clock;
  /**
   * Replaces the service's own outgoing HTTP: a test answers for receivers. The caller closes it.
   */
  outbound?: OutboundFetch;
  /** Runs the loops of this process. Default: this thread runs them. */
  workerThread?: Pick<WorkerThread, 'metrics'> | null;
}

/**
 * What all rooms are built from: the ledger with its recompute worker, signals, metrics, outgoing
 * HTTP.
 */
export interface Core extends ServiceDeps {
  metrics: Metrics;
  /** Null: there is no replica. */
  replica: ReplicaReads | null;
  /** Null: this is the only process of its PROCESSES. */
  parent: ParentLink | null;
  /** Makes the budget of a ledger group's dispatcher. */
  shareSends: () => SendBudget;
  jobSlots: JobSlots;
  /** Of all ledger groups together. */
  pressure: WritePressure;
  /** Computes scores, once started. */
  worker: RecomputeWorker;
  /** Keys that sign the transparency log. */
  logKeys: KeyRing;
  /** Appends facts to the transparency log and signs it, once started. */
  sequencer: Sequencer;
  /** Brings tallies of linked subjects to other ledger groups, once started. One for all groups. */
  exchange: Exchange;
  /** Has witnesses cosign the log, once started. */
  cosigning: Cosigning;
  /** Outgoing HTTP to witnesses. */
  witnessOutbound: OutboundFetch;
  /** Whether this process works on what is queued (ROLE). */
  runsWorker: boolean;
  /** Whether this thread does. */
  runsLoops: boolean;
  /** Of this process. */
  ownMetrics(): Promise<readonly MetricJson[]>;
  /** Of all processes, as Prometheus text. */
  metricsText(): Promise<string>;
  /** Requests of this process, and signs of traffic from others. */
  requests: TrafficCount;
  /** Called when keys or platforms have changed, here or in another process. */
  keyListeners: Set<() => void>;
  /** Uses of keys. One for all groups: keys are recognised before their group is known. */
  keyUses: KeyUses;
  /** True while requests need the processor. */
  mustYield(): boolean;
  /** The signals of all groups. */
  signals: Map<number, RecomputeSignal>;
  /** Called after each recompute that was committed. */
  onRecomputed: OnRecomputed;
}

export function buildCore(given: CoreDeps): Core {
  const { config, db, log, vault, clock = systemClock, replica = null, first } = given;
  const ids = createIdSource();
  const claims = trackClaims();
  const metrics = first?.metrics ?? createMetrics();
  const { workerThread = null } = given;
  const ownMetrics = () => metricsOfThreads(metrics.registry, workerThread);
  const parent = first ? first.parent : cluster.isWorker ? linkToParent(ownMetrics) : null;
  const processes = () => parent?.state() ?? ONE_PROCESS;
  if (!first) replica?.onRead((source) => metrics.replicaReads.inc({ source }));
  const outbox = createOutboxSignal(db, log);
  const requests = first?.requests ?? createTrafficCount();
  const runsWorker = config.role !== 'api';
  const runsLoops = runsWorker && !workerThread;
  const hasTraffic = createWideTrafficGauge(requests);
  // The embedded database has one connection: work that rests while it holds that would delay everybody.
  const mustYield = () => db.engine === 'postgresql' && hasTraffic();
  const onRecomputed = afterRecompute(metrics, outbox, () => exchange.wake());
  const exchange =
    first?.exchange ??
    createExchange({ groups: () => groups(), clock, log, onQueued: (group) => signals.get(group)?.queued() });
  const pressure = first?.pressure ?? createWritePressure(() => processes().running);
  const worker = createRecomputeWorker({
    db,
    clock,
    ids,
    log,
    velocityMaxPerHour: config.velocityMaxPerHour,
    isPressed: pressure.isHigh,
    onRecomputed,
  });
  const erased = createErasedSubjects(db, log);
  // One for all groups: on several nodes two of them could make the first key at the same time.
  const logKeys = first?.logKeys ?? createKeyRing(db, vault, clock, 'log');
  const witnessOutbound = first?.witnessOutbound ?? createWitnessOutbound();
  const quorum = config.logWitnessQuorum;
  const cosigning = createCosigning({
    db,
    clock,
    log,
    outbound: witnessOutbound,
    witnesses: config.logWitnesses,
    quorum,
  });
  const sequencer = createSequencer({
    db,
    clock,
    log,
    keys: logKeys,
    origin: originOf(config.baseUrl, db.group),
    head: given.logHead ?? null,
    needsWitnesses: quorum > 0,
    onSigned: cosigning.wake,
    // On a server a rest would only delay the same work.
    isPressed: () => db.engine === 'pglite' && pressure.isHigh(),
  });
  const groups = given.groups ?? (() => [db]);
  const signals = first?.signals ?? new Map<number, RecomputeSignal>();
  const signal = runsLoops ? signalOwnWorker(worker) : signalOtherProcesses(db, log);
  signals.set(db.group, signal);
  const ledger = createLedger({
    db,
    clock,
    ids,
    claims,
    erased,
    disputeWindowMs: config.disputeWindowMs,
    onAppended(count) {
      if (count === 0) return;
      metrics.eventsAppended.inc(count);
      metrics.groupEvents.observe(count);
      signal.queued();
    },
  });
  pressure.add(ledger);
  return {
    config,
    db,
    reads: replica ? replica.inGroupOf(db) : readsOfPrimary(db),
    replica,
    groups,
    clock,
    ids,
    log,
    vault,
    ledger,
    erased,
    loadOutcomes: createOutcomeLoader(db, erased),
    loadConcentration: createConcentrationLoader(db, erased),
    withIdempotency: createWithIdempotency(db, claims),
    signal,
    signals,
    outbox,
    jobs: createJobSignal(db, log),
    outbound:
      given.outbound ??
      first?.outbound ??
      createOutboundFetch({ allowed: config.webhookAllowedPrivateCidrs }),
    metrics,
    parent,
    shareSends: first?.shareSends ?? shareSends(),
    jobSlots: first?.jobSlots ?? createJobSlots(),
    pressure,
    worker,
    exchange,
    logKeys,
    sequencer,
    cosigning,
    witnessOutbound,
    logSignal: runsLoops ? sequencer : { wake: createNotifier(db, LOG_CHANNEL, log) },
    runsWorker,
    runsLoops,
    ownMetrics,
    metricsText: async () =>
      parent?.metricsOfAll() ??
      (workerThread ? sumOf([await ownMetrics()]).metrics() : metrics.registry.metrics()),
    requests,
    keyListeners: first?.keyListeners ?? new Set(),
    keyUses: first?.keyUses ?? createKeyUses({ db, log }),
    mustYield,
    onRecomputed,
  };
}

function afterRecompute(
  metrics: Metrics,
  outbox: Pick<OutboxSignal, 'written'>,
  shared: () => void,
): OnRecomputed {
  return (records, lagSeconds, emitted, queued, forOthers) => {
    if (emitted > 0) outbox.written(queued > 0);
    if (forOthers > 0) shared();
    metrics.recomputedRecords.inc(records);
    for (const seconds of lagSeconds) metrics.recomputeLagSeconds.observe(seconds);
  };
}

/** Processes say here that they have traffic, and that appends are under pressure. */
const TRAFFIC_CHANNEL = 'traffic';
const PRESSURE_CHANNEL = 'write_pressure';

/** For processes that leave long work and scores to others. @returns what ends it. */
export function sayTraffic({ db, log, requests, pressure }: Core): () => void {
  const stops = [
    startTrafficSignals(requests, createNotifier(db, TRAFFIC_CHANNEL, log)),
    pressure.startSignals(createNotifier(db, PRESSURE_CHANNEL, log)),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/** @returns what ends it. */
export async function hearTraffic({ db, requests, pressure }: Core): Promise<() => Promise<void>> {
  const stops = [
    await db.listen(TRAFFIC_CHANNEL, () => noteSignal(requests)),
    await db.listen(PRESSURE_CHANNEL, pressure.noteSignal),
  ];
  return async () => {
    for (const stop of stops) await stop();
  };
}
