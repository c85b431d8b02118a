import { AsyncLocalStorage } from 'node:async_hooks';

/** Names and numbers only: no id of a subject, no parameter, no secret. */
export type SpanAttributes = Readonly<Record<string, string | number>>;

/** A step of work with a beginning and an end. */
export interface Span {
  set(attributes: SpanAttributes): void;
  rename(name: string): void;
  end(error?: unknown): void;
}

export interface SpanStart {
  readonly kind?: 'server' | 'client' | 'internal';
  readonly attributes?: SpanAttributes;
  /** Another span, or the `traceparent` of a caller (W3C Trace Context). */
  readonly parent?: Span | string | undefined;
  /** Spans that this one also works for. */
  readonly links?: readonly Span[];
}

export interface Tracer {
  start(name: string, options: SpanStart): Span;
}

/** Null: tracing is off, and nothing below costs more than this comparison. */
let tracer: Tracer | null = null;
const current = new AsyncLocalStorage<Span>();

export function useTracer(used: Tracer | null): void {
  tracer = used;
}

export function isTracing(): boolean {
  return tracer !== null;
}

/** The span of the work that runs now. */
export function currentSpan(): Span | undefined {
  return tracer === null ? undefined : current.getStore();
}

/** Starts a span that the caller ends. */
export function startSpan(name: string, options: SpanStart): Span | undefined {
  return tracer?.start(name, options);
}

/** Runs work whose statements belong to a span. */
export function withinSpan<T>(span: Span, work: () => T): T {
  return current.run(span, work);
}

/** A span around work that begins a trace, or continues that of `parent`. */
export function traceWork<T>(name: string, options: SpanStart, work: () => Promise<T>): Promise<T> {
  if (tracer === null) return work();
  return ended(tracer.start(name, options), work);
}

/** A span for one step of the work that runs now. Work without a span, like polling, has no steps. */
export function traceStep<T>(
  describe: () => { name: string; attributes: SpanAttributes },
  work: () => Promise<T>,
): Promise<T> {
  const parent = currentSpan();
  if (tracer === null || parent === undefined) return work();
  const { name, attributes } = describe();
  return ended(tracer.start(name, { kind: 'client', attributes, parent }), work);
}

async function ended<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    const result = await current.run(span, work);
    span.end();
    return result;
  } catch (error) {
    span.end(error ?? 'failed');
    throw error;
  }
}
