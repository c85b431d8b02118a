import { randomUUID } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from './config.js';
import { createOtlpTracer } from './kit/otlpTracer.js';
import { useTracer } from './kit/tracing.js';

/** Traces this process, if a collector is configured. The thread for large imports is not traced. */
export async function startTracing(
  { traces, role }: Pick<Config, 'traces' | 'role'>,
  log: FastifyBaseLogger,
): Promise<{ stop(): Promise<void> } | null> {
  if (traces === undefined) return null;
  const tracer = await createOtlpTracer({
    ...traces,
    attributes: { 'service.instance.id': randomUUID(), 'reliability.role': role },
    onFailure: (err) => log.warn({ err }, 'traces could not be delivered'),
  });
  useTracer(tracer);
  return {
    async stop() {
      useTracer(null);
      await tracer.stop();
    },
  };
}
