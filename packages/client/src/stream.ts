import { EventSourceParserStream } from 'eventsource-parser/stream';
import { ReliabilityError } from './errors.js';
import type { components } from './generated/schema.js';
import { pause } from './retry.js';

type Schemas = components['schemas'];
/** What webhooks and the stream carry, distinguished by `type`. */
export type Envelope = Schemas[keyof Schemas & `${string}Envelope`];

/** Envelopes were missed: read the current data, then go on. */
export interface Reset {
  type: 'reset';
  reason: 'not_an_id' | 'unknown_id' | 'too_old' | (string & {});
}

export interface StreamOptions {
  /** Default: all types. */
  types?: readonly Envelope['type'][] | undefined;
  /** Resumes after this envelope. */
  lastEventId?: string | undefined;
  /** Resumes over as many envelopes as are kept, instead of the last 1000. */
  backfill?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

const RETRY_MS = 2_000;
const MAX_RETRY_MS = 30_000;
/** The service sends a comment every 15 s. */
const SILENCE_MS = 45_000;
/** By the clock of the day: timers stop while the machine sleeps, and the connection is dead when it wakes. */
const LOOK_EVERY_MS = 5_000;

export async function* streamEnvelopes(
  address: string,
  fetch: typeof globalThis.fetch,
  credentials: () => Promise<Record<string, string>>,
  { types, lastEventId, backfill, signal }: StreamOptions = {},
): AsyncGenerator<Envelope | Reset, void> {
  const query = new URLSearchParams({
    ...(types && { types: types.join(',') }),
    ...(backfill && { backfill: 'true' }),
  });
  const url = query.size > 0 ? `${address}?${query}` : address;
  const stop = new AbortController();
  const ended = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
  let lastId = lastEventId;
  let retryMs = RETRY_MS;
  let failures = 0;
  let wasOpen = false;
  try {
    for (;;) {
      try {
        for await (const message of messages()) {
          if (message.id) lastId = message.id;
          if (message.data === '') continue;
          yield message.event === 'reset'
            ? { ...(JSON.parse(message.data) as Reset), type: 'reset' }
            : (JSON.parse(message.data) as Envelope);
        }
      } catch (error) {
        if (ended.aborted) return;
        if (error instanceof ReliabilityError && !error.retryable && !isFromElsewhere(error)) throw error;
      }
      // The service ended the stream, the network failed, or nothing was heard for too long.
      await pause(delayOf(failures), ended).catch(() => undefined);
      if (ended.aborted) return;
      failures += 1;
    }
  } finally {
    stop.abort();
  }

  /** A proxy or the login page of a network answers where the service has answered before. */
  function isFromElsewhere({ code }: ReliabilityError): boolean {
    return wasOpen && code === 'UNKNOWN';
  }

  function delayOf(count: number): number {
    return Math.min(MAX_RETRY_MS, retryMs * 2 ** count) * (0.5 + Math.random() / 2);
  }

  /** Of one connection. */
  async function* messages() {
    const connection = new AbortController();
    let heardAt = Date.now();
    const timer = setInterval(() => {
      if (Date.now() - heardAt > SILENCE_MS) connection.abort();
    }, LOOK_EVERY_MS);
    const heard = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        heardAt = Date.now();
        controller.enqueue(chunk);
      },
    });
    try {
      const response = await fetch(url, {
        headers: {
          accept: 'text/event-stream',
          ...(lastId !== undefined && { 'last-event-id': lastId }),
          ...(await credentials()),
        },
        signal: AbortSignal.any([ended, connection.signal]),
      });
      if (!response.ok || !response.body) {
        throw new ReliabilityError(response, await response.json().catch(() => undefined));
      }
      failures = 0;
      wasOpen = true;
      const reader = response.body
        .pipeThrough(heard)
        .pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>)
        .pipeThrough(dataForEachId())
        .pipeThrough(
          new EventSourceParserStream({
            onRetry: (ms) => {
              retryMs = ms;
            },
          }),
        )
        .getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        yield value;
      }
    } finally {
      clearInterval(timer);
      connection.abort();
    }
  }
}

/**
 * Adds empty data to blocks that have only an id, since the parser drops ids without data. The service
 * sends its position in such blocks when a stream opens and with heartbeats.
 */
function dataForEachId(): TransformStream<string, string> {
  let cutLine = '';
  let hasId = false;
  let hasData = false;
  return new TransformStream({
    transform(chunk, controller) {
      const lines = (cutLine + chunk).split('\n');
      cutLine = lines.pop() ?? '';
      for (const line of lines) {
        if (line !== '') {
          hasId ||= line.startsWith('id:');
          hasData ||= line.startsWith('data:');
        } else {
          if (hasId && !hasData) controller.enqueue('data:\n');
          hasId = false;
          hasData = false;
        }
        controller.enqueue(`${line}\n`);
      }
    },
  });
}
