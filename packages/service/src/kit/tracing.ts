import {
  type Attributes,
  type Context,
  context,
  type Span,
  SpanKind,
  type SpanOptions,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

/** Spans have names and numbers only: no id of a subject, no parameter, no secret. */
export const tracer = trace.getTracer('reliability');

export function traceWork<T>(
  name: string,
  options: SpanOptions,
  work: () => Promise<T>,
  parent: Context = context.active(),
): Promise<T> {
  return tracer.startActiveSpan(name, options, parent, async (span) => {
    try {
      const result = await work();
      span.end();
      return result;
    } catch (error) {
      endFailed(span, error);
      throw error;
    }
  });
}

/** A span for one step of the work that runs now. Work without a span, like polling, has no steps. */
export function traceStep<T>(
  describe: () => { name: string; attributes: Attributes },
  work: () => Promise<T>,
): Promise<T> {
  if (!trace.getActiveSpan()?.isRecording()) return work();
  const { name, attributes } = describe();
  return traceWork(name, { kind: SpanKind.CLIENT, attributes }, work);
}

/** Ends a span with the class of the error alone: its message may name a subject. */
export function endFailed(span: Span, error: unknown): void {
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.setAttribute('error.type', error instanceof Error ? error.name : 'error');
  span.end();
}
