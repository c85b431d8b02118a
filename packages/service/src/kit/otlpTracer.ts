import type { Attributes, Context, Span as OtelSpan } from '@opentelemetry/api';
import type { Span, SpanAttributes, Tracer } from './tracing.js';

export interface OtlpOptions {
  /** Base address of a collector, as OTEL_EXPORTER_OTLP_ENDPOINT names it. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  /** Share of the traces that are recorded, 0 to 1. */
  readonly share: number;
  readonly attributes: SpanAttributes;
  /** Called when spans could not be delivered, at most once a minute. */
  onFailure(error: unknown): void;
}

export interface OtlpTracer extends Tracer {
  /** Delivers the remaining spans, within two seconds. */
  stop(): Promise<void>;
}

const TRACEPARENT = /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(?:-|$)/;
const EXPORT_LIMIT_MS = 5_000;
const STOP_LIMIT_MS = 2_000;
const FAILURES_EVERY_MS = 60_000;

/** Sends spans by OTLP over HTTP, in batches. The packages are loaded here, so that a service without traces never loads them. */
export async function createOtlpTracer(options: OtlpOptions): Promise<OtlpTracer> {
  const [api, sdk, { resourceFromAttributes }, { OTLPTraceExporter }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace-base'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ]);
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } = api;
  const exporter = new OTLPTraceExporter({
    url: `${options.endpoint.replace(/(?<!\/)\/+$/, '')}/v1/traces`,
    headers: options.headers,
    timeoutMillis: EXPORT_LIMIT_MS,
  });
  const send = exporter.export.bind(exporter);
  let silentUntilMs = 0;
  exporter.export = (spans, done) =>
    send(spans, (result) => {
      const nowMs = performance.now();
      if (result.error && nowMs >= silentUntilMs) {
        silentUntilMs = nowMs + FAILURES_EVERY_MS;
        options.onFailure(result.error);
      }
      done(result);
    });
  const sampler = new sdk.TraceIdRatioBasedSampler(options.share);
  const provider = new sdk.BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': options.serviceName, ...options.attributes }),
    // The share holds for callers' traces, too: a caller must not decide what this service records.
    sampler: new sdk.ParentBasedSampler({
      root: sampler,
      remoteParentSampled: sampler,
      remoteParentNotSampled: sampler,
    }),
    spanProcessors: [new sdk.BatchSpanProcessor(exporter)],
  });
  const tracer = provider.getTracer('reliability');
  const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };
  const spans = new WeakMap<Span, OtelSpan>();

  return {
    start(name, { kind = 'internal', attributes, parent, links = [] }) {
      const context = contextOf(parent);
      const span = tracer.startSpan(
        name,
        {
          kind: kinds[kind],
          attributes: attributes as Attributes,
          links: links.flatMap((link) => {
            const of = spans.get(link);
            return of ? [{ context: of.spanContext() }] : [];
          }),
        },
        context,
      );
      const handle: Span = {
        set: (more) => void span.setAttributes(more as Attributes),
        rename: (to) => void span.updateName(to),
        end(error) {
          // The class alone: the message of an error may name a subject.
          if (error !== undefined) {
            span.setStatus({ code: SpanStatusCode.ERROR });
            span.setAttribute('error.type', error instanceof Error ? error.name : 'error');
          }
          span.end();
        },
      };
      spans.set(handle, span);
      return handle;
    },
    async stop() {
      const limit = new Promise<void>((resolve) => setTimeout(resolve, STOP_LIMIT_MS).unref());
      await Promise.race([provider.shutdown().catch(options.onFailure), limit]);
    },
  };

  function contextOf(parent: Span | string | undefined): Context {
    if (parent === undefined) return ROOT_CONTEXT;
    if (typeof parent !== 'string') {
      const span = spans.get(parent);
      return span ? trace.setSpan(ROOT_CONTEXT, span) : ROOT_CONTEXT;
    }
    const [, traceId = '', spanId = '', flags = '00'] = TRACEPARENT.exec(parent) ?? [];
    const remote = {
      traceId,
      spanId,
      traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED,
      isRemote: true,
    };
    return api.isSpanContextValid(remote) ? trace.setSpanContext(ROOT_CONTEXT, remote) : ROOT_CONTEXT;
  }
}
