import { type Context, context, propagation, ROOT_CONTEXT, SpanKind, trace } from '@opentelemetry/api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { endFailed, tracer } from '../tracing.js';

export type Metrics = ReturnType<typeof createMetrics>;

const LATENCY_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/**
 * The first scrape starts the metrics of the process. A timer measures the delay of the event loop:
 * it wakes an idle process a hundred times a second, for nobody if nobody scrapes.
 */
class ScrapedRegistry extends Registry {
  #isScraped = false;

  /** `metrics` and `getMetricsAsJSON` read this list. */
  override getMetricsAsArray(): ReturnType<Registry['getMetricsAsArray']> {
    if (!this.#isScraped) {
      this.#isScraped = true;
      collectDefaultMetrics({ register: this });
    }
    return super.getMetricsAsArray();
  }
}

/** In their own registry, so that several apps can run in one process. */
export function createMetrics() {
  const registry = new ScrapedRegistry();
  const registers = [registry];
  const counter = <Label extends string = never>(name: string, help: string, labelNames: Label[] = []) =>
    new Counter({ name, help, labelNames, registers });
  const histogram = <Label extends string = never>(
    name: string,
    help: string,
    buckets: number[],
    labelNames: Label[] = [],
  ) => new Histogram({ name, help, buckets, labelNames, registers });
  /** Every process has the same value, which is set before each scrape. */
  const shared = <Label extends string = never>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge({ name, help, labelNames, aggregator: 'first', registers });
  return {
    registry,
    requests: counter('http_requests_total', 'Requests answered, by method, route pattern and status.', [
      'method',
      'route',
      'status',
    ]),
    requestSeconds: histogram(
      'http_request_duration_seconds',
      'Time from the arrival of a request to the end of its answer, by route pattern.',
      LATENCY_BUCKETS,
      ['route'],
    ),
    droppedConnections: counter(
      'http_connections_dropped_total',
      'Connections dropped because MAX_CONNECTIONS, or the share of their address, were open and none was idle.',
    ),
    failedLogins: counter(
      'failed_logins_total',
      'Refused log-ins with an API key (kind key) or as the operator (kind operator).',
      ['kind'],
    ),
    eventsAppended: counter('ledger_events_appended_total', 'Events written to the ledger by this process.'),
    groupEvents: histogram(
      'ledger_group_events',
      'Events that were committed together.',
      [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024],
    ),
    recomputedRecords: counter('recompute_records_total', 'Records whose score this process recomputed.'),
    recomputeLagSeconds: histogram(
      'recompute_lag_seconds',
      'Time from the commit of an event to the commit of the score that counts it.',
      LATENCY_BUCKETS,
    ),
    recomputeQueueDepth: shared(
      'recompute_queue_depth',
      'Queue entries that wait for a recompute, counted up to 100000; NaN while the database does not answer.',
    ),
    recomputeFailingRecords: shared(
      'recompute_failing_records',
      'Records whose score cannot be computed, counted up to 100000; NaN while the database does not answer.',
    ),
    deliveryAttempts: counter(
      'delivery_attempts_total',
      'Delivery attempts of this process, by kind of target and result.',
      ['kind', 'result'],
    ),
    deliverySeconds: histogram(
      'delivery_duration_seconds',
      'Duration of a delivery attempt, by kind of target.',
      [...LATENCY_BUCKETS, 10],
      ['kind'],
    ),
    outboxQueueDepth: shared(
      'outbox_queue_depth',
      'Pending deliveries, due or not, counted up to 100000; NaN while the database does not answer.',
    ),
    jobQueueDepth: shared(
      'job_queue_depth',
      'Imports, screenings and backtests that wait or run; NaN while the database does not answer.',
    ),
    logLeaves: shared('log_leaves', 'Facts in the transparency log; NaN while the database does not answer.'),
    logSignedLeaves: shared(
      'log_signed_leaves',
      'Facts under the newest checkpoint of the transparency log; NaN while the database does not answer.',
    ),
    logPublishedLeaves: shared(
      'log_published_leaves',
      'Facts under the newest checkpoint that enough witnesses have cosigned; NaN while the database does not answer.',
    ),
    logWitnessesFailing: shared(
      'log_witnesses_failing',
      'Witnesses whose last answer was no cosignature; NaN while the database does not answer.',
    ),
    logWitnessesContradicting: shared(
      'log_witnesses_contradicting',
      'Witnesses that know another log under the name of this one; NaN while the database does not answer.',
    ),
    logQueueDepth: shared(
      'log_queue_depth',
      'Entries that wait for the transparency log, counted up to 100000; NaN while the database does not answer.',
    ),
    logHalted: shared(
      'log_halted',
      '1 while the transparency log contradicts a signed checkpoint and nothing is signed, else 0.',
    ),
    ledgerGroupUp: shared(
      'ledger_group_up',
      '1 while the ledger group answers, else 0. The sums over groups leave it out then.',
      ['group'],
    ),
    // The only gauge that adds up over processes.
    openStreams: new Gauge({
      name: 'event_streams_open',
      help: 'Live streams that are open in this process.',
      registers,
    }),
    replicaLagSeconds: shared(
      'replica_lag_seconds',
      'Age of the data of the read replica at most; NaN while it is not used or away.',
    ),
    replicaReads: counter(
      'replica_reads_total',
      'Reads that the replica may serve: served by it, by the primary, or retried on the primary.',
      ['source'],
    ),
    processesRunning: shared(
      'processes_running',
      'Processes of this installation that share its address (PROCESSES).',
    ),
    processRestarts: shared(
      'process_restarts',
      'Processes that ended unexpectedly and were started again, since the start of the service.',
    ),
    droppedStreams: counter(
      'event_streams_dropped_total',
      'Live streams that were closed because their readers were too slow.',
    ),
  };
}

declare module 'fastify' {
  interface FastifyRequest {
    isCounted: boolean;
    /**
     * The address pattern of its route. `routeOptions` of Fastify has it too, but is rebuilt on
     * each access.
     */
    pattern: string;
  }
}

/**
 * Counts every answer and writes the access log at level debug, in about a microsecond. Neither
 * contains a query, body, key or path as sent.
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

/** Counts one answer, with the time until now. For an open-ended answer, call it when the answer begins. */
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

/**
 * A span for each request, in the trace of its `traceparent`. Like the access log it names the pattern of
 * the route, never the path, the query or the caller.
 */
export function traceRequests(app: FastifyInstance): void {
  const contexts = new WeakMap<FastifyRequest, Context>();
  app.addHook('onRequest', (request, _, done) => {
    const { traceparent } = request.headers;
    const caller = propagation.extract(ROOT_CONTEXT, { traceparent });
    const attributes = { 'http.request.method': request.method, 'http.request.id': request.id };
    const span = tracer.startSpan(request.method, { kind: SpanKind.SERVER, attributes }, caller);
    const own = trace.setSpan(ROOT_CONTEXT, span);
    contexts.set(request, own);
    context.with(own, done);
  });
  // Reading the body continues outside of the span.
  app.addHook('preValidation', (request, _, done) => {
    context.with(contexts.get(request) ?? ROOT_CONTEXT, done);
  });
  app.addHook('onResponse', (request, reply, done) => {
    const span = trace.getSpan(contexts.get(request) ?? ROOT_CONTEXT);
    span?.updateName(`${request.method} ${request.pattern}`);
    span?.setAttributes({ 'http.route': request.pattern, 'http.response.status_code': reply.statusCode });
    if (span && reply.statusCode >= 500) endFailed(span, new Error(String(reply.statusCode)));
    else span?.end();
    done();
  });
}
