import { randomUUID } from 'node:crypto';
import { context, propagation, trace } from '@opentelemetry/api';
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from './config.js';

const EXPORT_LIMIT_MS = 5_000;
const STOP_LIMIT_MS = 2_000;
const FAILURES_EVERY_MS = 60_000;

/**
 * Traces this process, if a collector is configured: spans go by OTLP over HTTP, in batches. The thread
 * for large imports is not traced. The packages are loaded here, so that a service without traces never
 * loads them.
 * @returns delivers the remaining spans at the stop, within two seconds.
 */
export async function startTracing(
  { traces, role }: Pick<Config, 'traces' | 'role'>,
  log: FastifyBaseLogger,
): Promise<{ stop(): Promise<void> } | null> {
  if (traces === undefined) return null;
  const [sdk, { resourceFromAttributes }, { OTLPTraceExporter }, hooks, core] = await Promise.all([
    import('@opentelemetry/sdk-trace-base'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/context-async-hooks'),
    import('@opentelemetry/core'),
  ]);
  const onFailure = (err: unknown) => log.warn({ err }, 'traces could not be delivered');
  const exporter = new OTLPTraceExporter({
    url: `${traces.endpoint.replace(/(?<!\/)\/+$/, '')}/v1/traces`,
    headers: traces.headers,
    timeoutMillis: EXPORT_LIMIT_MS,
  });
  const send = exporter.export.bind(exporter);
  let silentUntilMs = 0;
  exporter.export = (spans, done) =>
    send(spans, (result) => {
      const nowMs = performance.now();
      if (result.error && nowMs >= silentUntilMs) {
        silentUntilMs = nowMs + FAILURES_EVERY_MS;
        onFailure(result.error);
      }
      done(result);
    });
  const sampler = new sdk.TraceIdRatioBasedSampler(traces.share);
  const provider = new sdk.BasicTracerProvider({
    resource: resourceFromAttributes({
      'service.name': traces.serviceName,
      'service.instance.id': randomUUID(),
      'reliability.role': role,
    }),
    // The share holds for callers' traces, too: a caller must not decide what this service records.
    sampler: new sdk.ParentBasedSampler({
      root: sampler,
      remoteParentSampled: sampler,
      remoteParentNotSampled: sampler,
    }),
    spanProcessors: [new sdk.BatchSpanProcessor(exporter)],
  });
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(new hooks.AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new core.W3CTraceContextPropagator());
  return {
    async stop() {
      const limit = new Promise<void>((resolve) => setTimeout(resolve, STOP_LIMIT_MS).unref());
      await Promise.race([provider.shutdown().catch(onFailure), limit]);
    },
  };
}
