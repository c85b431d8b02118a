import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** What this process counts, in a registry of its own so that several apps can live in one process. */
export interface Metrics {
  readonly registry: Registry;
  readonly requests: Counter<'method' | 'route' | 'status'>;
  readonly requestSeconds: Histogram<'route'>;
  readonly droppedConnections: Counter;
  /** API keys and admin secrets that were presented and refused. */
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
  /** Attempts to reach a webhook endpoint or a channel. */
  readonly deliveryAttempts: Counter<'kind' | 'result'>;
  readonly deliverySeconds: Histogram<'kind'>;
  /** Set before each scrape. */
  readonly outboxQueueDepth: Gauge;
  readonly jobQueueDepth: Gauge;
  readonly openStreams: Gauge;
  /** Cut off because their readers were too slow. */
  readonly droppedStreams: Counter;
}

const LATENCY_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
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
      help: 'Connections that were dropped since as many as MAX_CONNECTIONS were open.',
      registers,
    }),
    failedLogins: new Counter({
      name: 'failed_logins_total',
      help: 'Log-ins that were refused, of platforms by an API key (kind key) and of the operator (kind operator).',
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
      help: 'Entries that wait to be worked into a score, counted up to 100000; NaN while the database does not answer.',
      registers,
    }),
    recomputeFailingRecords: new Gauge({
      name: 'recompute_failing_records',
      help: 'Records whose score cannot be computed, counted up to 100000; NaN while the database does not answer.',
      registers,
    }),
    deliveryAttempts: new Counter({
      name: 'delivery_attempts_total',
      help: 'Attempts of this process to deliver envelopes, by kind of target and result.',
      labelNames: ['kind', 'result'],
      registers,
    }),
    deliverySeconds: new Histogram({
      name: 'delivery_duration_seconds',
      help: 'Time from the start of an attempt to deliver to its end, by kind of target.',
      labelNames: ['kind'],
      buckets: [...LATENCY_BUCKETS, 10],
      registers,
    }),
    outboxQueueDepth: new Gauge({
      name: 'outbox_queue_depth',
      help: 'Deliveries that are pending, due or not, counted up to 100000; NaN while the database does not answer.',
      registers,
    }),
    jobQueueDepth: new Gauge({
      name: 'job_queue_depth',
      help: 'Imports and screenings that wait or are under way; NaN while the database does not answer.',
      registers,
    }),
    openStreams: new Gauge({
      name: 'event_streams_open',
      help: 'Live streams that are open in this process.',
      registers,
    }),
    droppedStreams: new Counter({
      name: 'event_streams_dropped_total',
      help: 'Live streams that were cut off because their readers were too slow.',
      registers,
    }),
  };
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Its answer was counted when it began. */
    isCounted: boolean;
    /** The address pattern of its route. Fastify's `routeOptions` has it too, but is rebuilt on each access. */
    pattern: string;
  }
}

/**
 * Counts every answer and writes the access log, at debug: refusals and failures are logged where they are answered, with
 * their code. Neither holds a query, a body, a key or a path as sent: the route's pattern replaces the path.
 * Costs about a microsecond a request.
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

/** Counts one answer, with the time up to now: for an answer that lasts as long as its reader stays, to be called when it begins. */
export function observeAnswer(metrics: Metrics, request: FastifyRequest, reply: FastifyReply): void {
  const { method, pattern: route } = request;
  const status = reply.statusCode;
  const ms = Math.round(reply.elapsedTime * 1000) / 1000;
  metrics.requests.inc({ method: knownMethod(method), route, status });
  metrics.requestSeconds.observe({ route }, ms / 1000);
  // By the server's log, since the first word to a request's own has it made.
  request.server.log.debug({ requestId: request.id, method, route, status, ms }, 'request answered');
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** The method is the caller's to choose, and a label must not grow with what callers invent. */
function knownMethod(method: string): string {
  return METHODS.has(method) ? method : 'other';
}
