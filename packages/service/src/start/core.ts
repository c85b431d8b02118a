import type { FastifyBaseLogger } from 'fastify';
import { createTraffic } from '#kit/backpressure/traffic.js';
import { type Clock, systemClock } from '#kit/clock.js';
import type { Vault } from '#kit/crypto.js';
import { type Database, readsOfPrimary } from '#kit/db/database.js';
import { createWakes, type Topic, type Wakes } from '#kit/db/wakes.js';
import { createMetrics } from '#kit/http/metrics.js';
import { createIdSource } from '#kit/ids.js';
import { createOutboundFetch, type OutboundFetch } from '#kit/outboundFetch.js';
import { createLedger } from '#ledger/append/append.js';
import { createWritePressure } from '#ledger/append/writePressure.js';
import { createErasedSubjects } from '#ledger/erasure/erasedSubjects.js';
import { forgetPlatforms } from '#ledger/groups/platforms.js';
import { createConcentrationLoader } from '#ledger/profile/concentrations.js';
import { createOutcomeLoader } from '#ledger/profile/outcomeRecords.js';
import { createWithIdempotency, trackClaims } from '#ledger/requests/idempotency.js';
import { createKeyRing } from '#ledger/signingKeys.js';
import type { ServiceDeps } from '../features/serviceDeps.js';
import { createKeyUses } from '../features/tenancy/platforms/keyUses.js';
import { joinProcesses } from '../shape/processes/link.js';
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
  /** The handles of all ledger groups. Default: `db` alone. */
  groups?: () => readonly Database[];
  /** The core of group 0, for that of another group: what a process has once is shared. */
  first?: Core | undefined;
  /** Default: the system's clock. */
  clock?: Clock;
  /**
   * Replaces the service's own outgoing HTTP: a test answers for receivers. The caller closes it.
   */
  outbound?: OutboundFetch;
  /** Does the work of this process. Its metrics are added to those of this thread. */
  workerThread?: Pick<WorkerThread, 'metrics' | 'wake'> | null;
}

/** What the API and the loops of a ledger group are built from. */
export interface Core extends ServiceDeps, ReturnType<typeof buildOnce> {
  groupWakes: Map<number, Wakes>;
  replica: ReplicaReads | null;
  /** Whether this process works on what is queued (ROLE). */
  runsWorker: boolean;
  /** True while requests need the processor. */
  mustYield(): boolean;
}

export function buildCore(given: CoreDeps): Core {
  const { config, db, log, vault, clock = systemClock, replica = null, first } = given;
  const once = first ?? buildOnce(given);
  const { metrics, groupWakes, pressure } = once;
  const ids = createIdSource();
  const claims = trackClaims();
  const wakeThread = (topic: Topic) => given.workerThread?.wake(db.ledgers.own, topic) ?? false;
  const wakes = createWakes(db, log, wakeThread);
  groupWakes.set(db.ledgers.own, wakes);
  if (!first) wakes.on('keys', forgetPlatforms);
  const erased = createErasedSubjects(db, wakes, log);
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
    ...once,
    config,
    db,
    reads: replica ? replica.readsFor(db) : readsOfPrimary(db),
    replica,
    groups: given.groups ?? (() => [db]),
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
    runsWorker: config.role !== 'api',
    // The embedded database has one connection: work that rests while it holds that would delay everybody.
    mustYield: () => !db.hasOneConnection && once.traffic.isBusy(),
  };
}

/** What a process has once, for all ledger groups. */
function buildOnce({ config, db, log, vault, clock = systemClock, ...given }: CoreDeps) {
  const metrics = createMetrics();
  given.replica?.onRead((source) => metrics.replicaReads.inc({ source }));
  const ownMetrics = () => metricsOfThreads(metrics.registry, given.workerThread ?? null);
  const processes = joinProcesses(ownMetrics);
  return {
    metrics,
    ownMetrics,
    /** Those of its PROCESSES. */
    processes,
    groupWakes: new Map<number, Wakes>(),
    traffic: createTraffic(),
    pressure: createWritePressure(() => processes.state().running),
    outbound: given.outbound ?? createOutboundFetch({ allowed: config.webhookAllowedPrivateCidrs }),
    /** Keys that sign the logs. On several nodes two groups could make the first key at the same time. */
    logKeys: createKeyRing(db, vault, clock, 'log'),
    /** Uses of keys, which are recognised before their group is known. */
    keyUses: createKeyUses({ db, log }),
  };
}
