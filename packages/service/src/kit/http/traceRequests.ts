import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Span, startSpan, withinSpan } from '../tracing.js';

/**
 * A span for each request, in the trace of its `traceparent`. Like the access log it names the pattern of
 * the route, never the path, the query or the caller.
 */
export function traceRequests(app: FastifyInstance): void {
  const spans = new WeakMap<FastifyRequest, Span>();
  app.addHook('onRequest', (request, _, done) => {
    const span = startSpan(request.method, {
      kind: 'server',
      parent: traceparentOf(request),
      attributes: { 'http.request.method': request.method, 'http.request.id': request.id },
    });
    if (!span) return done();
    spans.set(request, span);
    withinSpan(span, done);
  });
  // Reading the body continues outside of the span.
  app.addHook('preValidation', (request, _, done) => {
    const span = spans.get(request);
    if (span) withinSpan(span, done);
    else done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request);
    span?.rename(`${request.method} ${request.pattern}`);
    span?.set({ 'http.route': request.pattern, 'http.response.status_code': reply.statusCode });
    span?.end(reply.statusCode >= 500 ? new Error(String(reply.statusCode)) : undefined);
    done();
  });
}

function traceparentOf({ headers: { traceparent } }: FastifyRequest): string | undefined {
  return typeof traceparent === 'string' ? traceparent : undefined;
}
