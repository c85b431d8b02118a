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
import { type Database, readsOfPrimary } from '../kit/db/database.js';
import { createWakes, type Wakes } from '../kit/db/wakes.js';
import { createMetrics, type Metrics } from '../kit/http/metrics.js';
import { createIdSource } from '../kit/ids.js';
import { createJobSlots, type JobSlots } from '../kit/jobs/jobSlots.js';
import { createOutboundFetch, type OutboundFetch } from '../kit/outboundFetch.js';
import type { Vault } from '../kit/vault.js';
import { createLedger } from '../ledger/append/append.js';
import { createWritePressure, type WritePressure } from '../ledger/append/writePressure.js';
import { createErasedSubjects } from '../ledger/erasure/erasedSubjects.js';
import { createExchange, type Exchange } from '../ledger/links/exchange.js';
import type { HeadFile } from '../ledger/log/headFile.js';
import { originOf } from '../ledger/log/logKey.js';
import { createSequencer, type Sequencer } from '../ledger/log/sequencer.js';
import { createConcentrationLoader } from '../ledger/profile/concentrations.js';
import { createOutcomeLoader } from '../ledger/profile/outcomeRecords.js';
import type { OnRecomputed } from '../ledger/recompute/queue.js';
import { createRecomputeWorker, type RecomputeWorker } from '../ledger/recompute/worker.js';
import { createWithIdempotency, trackClaims } from '../ledger/requests/idempotency.js';
import { createKeyRing, type KeyRing } from '../ledger/signingKeys.js';
import { type SendBudget, shareSends } from '../outbox/sendBudget.js';
import { joinProcesses, type Processes } from '../shape/processes/link.js';
import type { MetricJson } from '../shape/processes/summedMetrics.js';
import type { ReplicaReads } from '../shape/replica/replica.js';
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
  /** Those of its PROCESSES. */
  processes: Processes;
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
  /** Requests of this process, and signs of traffic from others. */
  requests: TrafficCount;
  /** Uses of keys. One for all groups: keys are recognised before their group is known. */
  keyUses: KeyUses;
  /** True while requests need the processor. */
  mustYield(): boolean;
  groupWakes: Map<number, Wakes>;
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
  const processes = first?.processes ?? joinProcesses(ownMetrics);
  if (!first) replica?.onRead((source) => metrics.replicaReads.inc({ source }));
  const wakes = createWakes(db, log);
  const groupWakes = first?.groupWakes ?? new Map<number, Wakes>();
  groupWakes.set(db.ledgers.own, wakes);
  const requests = first?.requests ?? createTrafficCount();
  const runsWorker = config.role !== 'api';
  const runsLoops = runsWorker && !workerThread;
  const hasTraffic = createWideTrafficGauge(requests);
  // The embedded database has one connection: work that rests while it holds that would delay everybody.
  const mustYield = () => !db.hasOneConnection && hasTraffic();
  const onRecomputed = afterRecompute(metrics, wakes, () => exchange.wake());
  const exchange =
    first?.exchange ??
    createExchange({
      groups: () => groups(),
      clock,
      log,
      onQueued: (group) => groupWakes.get(group)?.raise('scores'),
    });
  const pressure = first?.pressure ?? createWritePressure(() => processes.state().running);
  const worker = createRecomputeWorker({
    db,
    clock,
    ids,
    log,
    velocityMaxPerHour: config.velocityMaxPerHour,
    isPressed: pressure.isHigh,
    onRecomputed,
  });
  const erased = createErasedSubjects(db, wakes, log);
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
    origin: originOf(config.baseUrl, db.ledgers.own),
    head: given.logHead ?? null,
    needsWitnesses: quorum > 0,
    onSigned: cosigning.wake,
    // On a server a rest would only delay the same work.
    isPressed: () => db.hasOneConnection && pressure.isHigh(),
  });
  const groups = given.groups ?? (() => [db]);
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
      wakes.raise('scores');
    },
  });
  pressure.add(ledger);
  return {
    config,
    db,
    reads: replica ? replica.readsFor(db) : readsOfPrimary(db),
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
    wakes,
    groupWakes,
    outbound:
      given.outbound ??
      first?.outbound ??
      createOutboundFetch({ allowed: config.webhookAllowedPrivateCidrs }),
    metrics,
    processes,
    shareSends: first?.shareSends ?? shareSends(),
    jobSlots: first?.jobSlots ?? createJobSlots(),
    pressure,
    worker,
    exchange,
    logKeys,
    sequencer,
    cosigning,
    witnessOutbound,
    runsWorker,
    runsLoops,
    ownMetrics,
    requests,
    keyUses: first?.keyUses ?? createKeyUses({ db, log }),
    mustYield,
    onRecomputed,
  };
}

function afterRecompute(metrics: Metrics, wakes: Wakes, shared: () => void): OnRecomputed {
  return (records, lagSeconds, emitted, queued, forOthers) => {
    if (emitted > 0) wakes.raise(queued > 0 ? 'deliveries' : 'envelopes');
    if (forOthers > 0) shared();
    metrics.recomputedRecords.inc(records);
    for (const seconds of lagSeconds) metrics.recomputeLagSeconds.observe(seconds);
  };
}

/** For processes that leave long work and scores to others. @returns what ends it. */
export function sayTraffic({ wakes, requests, pressure }: Core): () => void {
  const stops = [
    startTrafficSignals(requests, () => wakes.raise('traffic')),
    pressure.startSignals(() => wakes.raise('pressure')),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

export function hearTraffic({ wakes, requests, pressure }: Core): void {
  wakes.on('traffic', () => noteSignal(requests));
  wakes.on('pressure', pressure.noteSignal);
}
