import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/**
 * The metrics of this process, in their own registry, so that several apps can run in one process.
 */
export interface Metrics {
  readonly registry: Registry;
  readonly requests: Counter<'method' | 'route' | 'status'>;
  readonly requestSeconds: Histogram<'route'>;
  readonly droppedConnections: Counter;
  /** API keys and admin secrets that were sent and refused. */
  readonly failedLogins: Counter<'kind'>;
  readonly eventsAppended: Counter;
  /** Events that shared one commit. */
  readonly groupEvents: Histogram;
  readonly recomputedRecords: Counter;
  /** From an event's commit to the score that counts it. */
  readonly recomputeLagSeconds: Histogram;
  /** Set before each scrape. */
  readonly recomputeQueueDepth: Gauge;
  readonly recomputeFailingRecords: Gauge;
  /** Attempts to deliver to a webhook endpoint or a channel. */
  readonly deliveryAttempts: Counter<'kind' | 'result'>;
  readonly deliverySeconds: Histogram<'kind'>;
  /** Set before each scrape. */
  readonly outboxQueueDepth: Gauge;
  readonly jobQueueDepth: Gauge;
  /** Of the transparency log; set before each scrape. */
  readonly logLeaves: Gauge;
  readonly logSignedLeaves: Gauge;
  readonly logPublishedLeaves: Gauge;
  readonly logWitnessesFailing: Gauge;
  readonly logWitnessesContradicting: Gauge;
  readonly logQueueDepth: Gauge;
  readonly logHalted: Gauge;
  /** Which ledger groups the sums above are over; set before each scrape. */
  readonly ledgerGroupUp: Gauge<'group'>;
  readonly openStreams: Gauge;
  /** Of DATABASE_REPLICA_URL; the lag is set before each scrape. */
  readonly replicaLagSeconds: Gauge;
  readonly replicaReads: Counter<'source'>;
  /** Of PROCESSES; set before each scrape. */
  readonly processesRunning: Gauge;
  readonly processRestarts: Gauge;
  /** Streams that were closed because their reader was too slow. */
  readonly droppedStreams: Counter;
}

const LATENCY_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/**
 * The first scrape starts the metrics of the process. A timer measures the delay of the event loop:
 * it wakes an idle process a hundred times a second, for nobody if nobody scrapes.
 */
class ScrapedRegistry extends Registry {
  #isScraped = false;

  override metrics(): Promise<string> {
    this.#start();
    return super.metrics();
  }

  override getMetricsAsJSON(): ReturnType<Registry['getMetricsAsJSON']> {
    this.#start();
    return super.getMetricsAsJSON();
  }

  #start(): void {
    if (this.#isScraped) return;
    this.#isScraped = true;
    collectDefaultMetrics({ register: this });
  }
}

export function createMetrics(): Metrics {
  const registry = new ScrapedRegistry();
  const registers = [registry];
  return {
    registry,
    requests: new Counter({
      name: 'http_requests_total',
      help: 'Requests answered, by method, route pattern and status.',
      labelNames: ['method', 'route', 'status'],
      registers,
    }),
    requestSeconds: new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time from the arrival of a request to the end of its answer, by route pattern.',
      labelNames: ['route'],
      buckets: LATENCY_BUCKETS,
      registers,
    }),
    droppedConnections: new Counter({
      name: 'http_connections_dropped_total',
      help: 'Connections dropped because MAX_CONNECTIONS, or the share of their address, were open and none was idle.',
      registers,
    }),
    failedLogins: new Counter({
      name: 'failed_logins_total',
      help: 'Refused log-ins with an API key (kind key) or as the operator (kind operator).',
      labelNames: ['kind'],
      registers,
    }),
    eventsAppended: new Counter({
      name: 'ledger_events_appended_total',
      help: 'Events written to the ledger by this process.',
      registers,
    }),
    groupEvents: new Histogram({
      name: 'ledger_group_events',
      help: 'Events that were committed together.',
      buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024],
      registers,
    }),
    recomputedRecords: new Counter({
      name: 'recompute_records_total',
      help: 'Records whose score this process recomputed.',
      registers,
    }),
    recomputeLagSeconds: new Histogram({
      name: 'recompute_lag_seconds',
      help: 'Time from the commit of an event to the commit of the score that counts it.',
      buckets: LATENCY_BUCKETS,
      registers,
    }),
    recomputeQueueDepth: new Gauge({
      name: 'recompute_queue_depth',
      help: 'Queue entries that wait for a recompute, counted up to 100000; NaN while the database does not answer.',
      aggregator: 'first',
      registers,
    }),
    recomputeFailingRecords: new Gauge({
      name: 'recompute_failing_records',
      help: 'Records whose score cannot be computed, counted up to 100000; NaN while the database does not answer.',
      aggregator: 'first',
      registers,
    }),
    deliveryAttempts: new Counter({
      name: 'delivery_attempts_total',
      help: 'Delivery attempts of this process, by kind of target and result.',
      labelNames: ['kind', 'result'],
      registers,
    }),
    deliverySeconds: new Histogram({
      name: 'delivery_duration_seconds',
      help: 'Duration of a delivery attempt, by kind of target.',
      labelNames: ['kind'],
      buckets: [...LATENCY_BUCKETS, 10],
      registers,
    }),
    outboxQueueDepth: new Gauge({
      name: 'outbox_queue_depth',
      help: 'Pending deliveries, due or not, counted up to 100000; NaN while the database does not answer.',
      aggregator: 'first',
      registers,
    }),
    jobQueueDepth: new Gauge({
      name: 'job_queue_depth',
      help: 'Imports, screenings and backtests that wait or run; NaN while the database does not answer.',
      aggregator: 'first',
      registers,
    }),
    logLeaves: new Gauge({
      name: 'log_leaves',
      help: 'Facts in the transparency log; NaN while the database does not answer.',
      aggregator: 'first',
      registers,
    }),
    logSignedLeaves: new Gauge({
      name: 'log_signed_leaves',
      help: 'Facts under the newest checkpoint of the transparency log; NaN while the database does not answer.',
      aggregator: 'first',
      registers,
    }),
    logPublishedLeaves: new Gauge({
      name: 'log_published_leaves',
      help: 'Facts under the newest checkpoint that enough witnesses have cosigned; NaN while the database does not answer.',
      registers,
    }),
    logWitnessesFailing: new Gauge({
      name: 'log_witnesses_failing',
      help: 'Witnesses whose last answer was no cosignature; NaN while the database does not answer.',
      registers,
    }),
    logWitnessesContradicting: new Gauge({
      name: 'log_witnesses_contradicting',
      help: 'Witnesses that know another log under the name of this one; NaN while the database does not answer.',
      registers,
    }),
    logQueueDepth: new Gauge({
      name: 'log_queue_depth',
      help: 'Entries that wait for the transparency log, counted up to 100000; NaN while the database does not answer.',
      aggregator: 'first',
      registers,
    }),
    logHalted: new Gauge({
      name: 'log_halted',
      help: '1 while the transparency log contradicts a signed checkpoint and nothing is signed, else 0.',
      aggregator: 'first',
      registers,
    }),
    ledgerGroupUp: new Gauge({
      name: 'ledger_group_up',
      help: '1 while the ledger group answers, else 0. The sums over groups leave it out then.',
      labelNames: ['group'],
      aggregator: 'first',
      registers,
    }),
    openStreams: new Gauge({
      name: 'event_streams_open',
      help: 'Live streams that are open in this process.',
      registers,
    }),
    replicaLagSeconds: new Gauge({
      name: 'replica_lag_seconds',
      help: 'Age of the data of the read replica at most; NaN while it is not used or away.',
      aggregator: 'first',
      registers,
    }),
    replicaReads: new Counter({
      name: 'replica_reads_total',
      help: 'Reads that the replica may serve: served by it, by the primary, or retried on the primary.',
      labelNames: ['source'],
      registers,
    }),
    processesRunning: new Gauge({
      name: 'processes_running',
      help: 'Processes of this installation that share its address (PROCESSES).',
      aggregator: 'first',
      registers,
    }),
    processRestarts: new Gauge({
      name: 'process_restarts',
      help: 'Processes that ended unexpectedly and were started again, since the start of the service.',
      aggregator: 'first',
      registers,
    }),
    droppedStreams: new Counter({
      name: 'event_streams_dropped_total',
      help: 'Live streams that were closed because their readers were too slow.',
      registers,
    }),
  };
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether its answer was counted when it began. */
    isCounted: boolean;
    /**
     * The address pattern of its route. `routeOptions` of Fastify has it too, but is rebuilt on
     * each access.
     */
    pattern: string;
  }
}

/**
 * Counts every answer and writes the access log at level debug. Neither contains a query, body, key
 * or path as sent: the pattern of the route replaces the path. Costs about a microsecond per
 * request.
 */
export function observeRequests(
  app: FastifyInstance,
  metrics: Metrics,
  onAnswered: (route: string) => void,
): void {
  app.server.on('drop', () => metrics.droppedConnections.inc());
  app.decorateRequest('isCounted', false);
  app.decorateRequest('pattern', 'unmatched');
  app.addHook('onResponse', (request, reply, done) => {
    if (!request.isCounted) observeAnswer(metrics, request, reply);
    onAnswered(request.pattern);
    done();
  });
}

/**
 * Counts one answer, with the time until now. For an open-ended answer, call it when the answer
 * begins.
 */
export function observeAnswer(metrics: Metrics, request: FastifyRequest, reply: FastifyReply): void {
  const { method, pattern: route } = request;
  const status = reply.statusCode;
  const ms = Math.round(reply.elapsedTime * 1000) / 1000;
  metrics.requests.inc({ method: knownMethod(method), route, status });
  metrics.requestSeconds.observe({ route }, ms / 1000);
  // Through the server's log: the first use of a request's own log creates it.
  request.server.log.debug({ requestId: request.id, method, route, status, ms }, 'request answered');
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** A caller can send any method, and the label must not grow with it. */
function knownMethod(method: string): string {
  return METHODS.has(method) ? method : 'other';
}
