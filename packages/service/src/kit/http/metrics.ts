import { type Context, context, propagation, ROOT_CONTEXT, SpanKind, trace } from '@opentelemetry/api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import helps from '../../../data/metrics.json' with { type: 'json' };
import { endFailed, tracer } from '../tracing.js';

export type Metrics = ReturnType<typeof createMetrics>;

const LATENCY_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** The timer of the event loop's delay wakes an idle process a hundred times a second. */
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

export function createMetrics() {
  const registry = new ScrapedRegistry();
  const described = <Label extends string>(name: keyof typeof helps, labelNames: Label[]) => {
    return { name, help: helps[name], labelNames, registers: [registry] };
  };
  const counter = <Label extends string = never>(name: keyof typeof helps, ...labels: Label[]) =>
    new Counter(described(name, labels));
  const histogram = <Label extends string = never>(
    name: keyof typeof helps,
    buckets: number[],
    ...labels: Label[]
  ) => new Histogram({ ...described(name, labels), buckets });
  /** Every process has the same value, which is set before each scrape. */
  const shared = <Label extends string = never>(name: keyof typeof helps, ...labels: Label[]) =>
    new Gauge({ ...described(name, labels), aggregator: 'first' });
  return {
    registry,
    requests: counter('http_requests_total', 'method', 'route', 'status'),
    requestSeconds: histogram('http_request_duration_seconds', LATENCY_BUCKETS, 'route'),
    droppedConnections: counter('http_connections_dropped_total'),
    failedLogins: counter('failed_logins_total', 'kind'),
    eventsAppended: counter('ledger_events_appended_total'),
    groupEvents: histogram('ledger_group_events', [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]),
    recomputedRecords: counter('recompute_records_total'),
    recomputeLagSeconds: histogram('recompute_lag_seconds', LATENCY_BUCKETS),
    recomputeQueueDepth: shared('recompute_queue_depth'),
    recomputeFailingRecords: shared('recompute_failing_records'),
    deliveryAttempts: counter('delivery_attempts_total', 'kind', 'result'),
    deliverySeconds: histogram('delivery_duration_seconds', [...LATENCY_BUCKETS, 10], 'kind'),
    outboxQueueDepth: shared('outbox_queue_depth'),
    jobQueueDepth: shared('job_queue_depth'),
    logLeaves: shared('log_leaves'),
    logSignedLeaves: shared('log_signed_leaves'),
    logPublishedLeaves: shared('log_published_leaves'),
    logWitnessesFailing: shared('log_witnesses_failing'),
    logWitnessesContradicting: shared('log_witnesses_contradicting'),
    logQueueDepth: shared('log_queue_depth'),
    logHalted: shared('log_halted'),
    ledgerGroupUp: shared('ledger_group_up', 'group'),
    // The only gauge that adds up over processes.
    openStreams: new Gauge(described('event_streams_open', [])),
    replicaLagSeconds: shared('replica_lag_seconds'),
    replicaReads: counter('replica_reads_total', 'source'),
    processesRunning: shared('processes_running'),
    processRestarts: shared('process_restarts'),
    droppedStreams: counter('event_streams_dropped_total'),
  };
}

declare module 'fastify' {
  interface FastifyRequest {
    isCounted: boolean;
    /**
     * The address pattern of its route. `routeOptions` of Fastify has it too, but is rebuilt on each access.
     */
    pattern: string;
  }
}

/** With the access log, in about a microsecond. Without a query, body, key or path as sent. */
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
  // A caller can send any method, and the label must not grow with it.
  metrics.requests.inc({ method: METHODS.has(method) ? method : 'other', route, status });
  metrics.requestSeconds.observe({ route }, ms / 1000);
  // Through the server's log: the first use of a request's own log creates it.
  request.server.log.debug({ requestId: request.id, method, route, status, ms }, 'request answered');
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** In the trace of its `traceparent`. Names the pattern of the route, never path, query or caller. */
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
