import { type Context, context, propagation, ROOT_CONTEXT, SpanKind, trace } from '@opentelemetry/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { endFailed, tracer } from '../tracing.js';

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
