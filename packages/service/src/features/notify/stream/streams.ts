import type { Readable } from 'node:stream';
import { z } from 'zod';
import { planOf } from '#domain/catalogues/plans.js';
import { type EnvelopeType, envelopeTypes, isEnvelopeType } from '#domain/envelopes/catalogue.js';
import { fail } from '#domain/errors.js';
import type { Wakes } from '#kit/db/wakes.js';
import type { TypedAnswer } from '#kit/http/answer.js';
import type { Metrics } from '#kit/http/metrics.js';
import { flag } from '#kit/http/query.js';
import { type KeyCaller, keyFor, type RouteTable, route } from '#kit/http/route.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { filterFor } from './frames.js';
import { createHub, type ResumeFrom } from './hub.js';
import { createKeyWatch } from './keyWatch.js';
import { LiveStream, Subscriber } from './liveStream.js';
import { createStreamLeases } from './streamLeases.js';

/** The live streams of this process. */
export interface Streams {
  /**
   * Throws STREAM_LIMIT_REACHED, UNAUTHORIZED, SERVICE_UNAVAILABLE. Resolves after the first frame.
   */
  open(caller: KeyCaller, options: StreamOptions): Promise<Readable>;
  /** Ends the streams that lost access. Call it when keys or platforms may have changed. */
  checkKeys(): void;
  /** Ends all streams. Clients connect again and say what they have read. */
  restart(): void;
  /** Ends all streams, releases their leases and opens no more. */
  close(): Promise<void>;
}

interface StreamOptions {
  /** undefined: every type. */
  readonly types: readonly EnvelopeType[] | undefined;
  /** undefined: from now on. */
  readonly from: ResumeFrom | undefined;
}

type StreamsDeps = Pick<ServiceDeps, 'db' | 'clock' | 'log'> & {
  wakes: Pick<Wakes, 'on'>;
  metrics: Pick<Metrics, 'openStreams' | 'droppedStreams'>;
  /** Default: HEARTBEAT_MS. Shorter in tests. */
  heartbeatMs?: number | undefined;
};

const HEARTBEAT_MS = 15_000;

export function createStreams(deps: StreamsDeps): Streams {
  const { db, clock, log, wakes, metrics, heartbeatMs = HEARTBEAT_MS } = deps;
  const hub = createHub({ db, log });
  const leases = createStreamLeases({ db, clock, log });
  const keys = createKeyWatch({ db, clock, log, everyMs: heartbeatMs });
  const all = new Set<LiveStream>();
  const ofSessions = new Map<LiveStream, () => Promise<boolean>>();
  let isClosing = false;
  let beat: NodeJS.Timeout | undefined;
  const unsubscribe = wakes.on(['envelopes', 'deliveries'], hub.wake);

  return {
    async open(caller, { types, from }) {
      if (isClosing) failClosing();
      const stream = register(new LiveStream());
      try {
        await lease(stream, caller);
        await admit(stream, caller);
        await join(stream, caller, new Subscriber(stream, filterFor(types)), from);
        return stream;
      } catch (error) {
        stream.destroy();
        throw error;
      }
    },
    checkKeys,
    restart() {
      for (const stream of all) stream.end();
    },
    async close() {
      isClosing = true;
      unsubscribe();
      await Promise.all([...all].map(ended));
      await leases.settled();
    },
  };

  function register(stream: LiveStream): LiveStream {
    all.add(stream);
    metrics.openStreams.inc();
    beat ??= setInterval(heartbeat, heartbeatMs).unref();
    stream.once('close', () => {
      all.delete(stream);
      metrics.openStreams.dec();
      if (stream.wasDropped) metrics.droppedStreams.inc();
      if (all.size > 0) return;
      clearInterval(beat);
      beat = undefined;
    });
    return stream;
  }

  function checkKeys(): void {
    keys.check();
    for (const [stream, isSignedIn] of ofSessions) {
      // A database that does not answer is asked again with the next heartbeat.
      isSignedIn().then(
        (isOpen) => isOpen || stream.end(),
        () => {},
      );
    }
  }

  function heartbeat(): void {
    hub.beat();
    checkKeys();
    void leases.heartbeat();
  }

  async function lease(stream: LiveStream, caller: KeyCaller): Promise<void> {
    const release = await leases.take(caller, planOf(caller.plan).limits.streams);
    whenClosed(stream, release);
  }

  async function admit(stream: LiveStream, { keyId, isSignedIn, isUser }: KeyCaller): Promise<void> {
    if (isSignedIn) {
      ofSessions.set(stream, isSignedIn);
      whenClosed(stream, () => ofSessions.delete(stream));
    }
    if (isUser) return; // the session is all that there is to watch
    const end = () => stream.end();
    whenClosed(stream, () => keys.forget(keyId, end));
    if (await keys.admit(keyId, end)) return;
    fail('UNAUTHORIZED', { headers: { 'WWW-Authenticate': 'Bearer' } });
  }

  async function join(
    stream: LiveStream,
    { platformId, livemode }: KeyCaller,
    subscriber: Subscriber,
    from: ResumeFrom | undefined,
  ): Promise<void> {
    if (stream.closed) return failClosing();
    const owner = { platformId, livemode };
    whenClosed(stream, () => hub.leave(owner, subscriber));
    await hub.join(owner, subscriber, from);
  }
}

function whenClosed(stream: LiveStream, cleanUp: () => void): void {
  if (stream.closed) cleanUp();
  else stream.once('close', cleanUp);
}

function ended(stream: LiveStream): Promise<void> {
  const closed = new Promise<void>((resolve) => stream.once('close', resolve));
  stream.end();
  return closed;
}

function failClosing(): never {
  return fail('SERVICE_UNAVAILABLE', {
    message: 'This process is stopping. Connect again in a moment.',
  });
}

const typeList = z
  .string()
  .max(1024)
  .transform((text, context): readonly EnvelopeType[] => {
    const names = text.split(',').map((name) => name.trim());
    const unknown = names.filter((name) => !isEnvelopeType(name));
    if (unknown.length > 0) {
      const named = unknown.map((name) => `"${name}"`).join(', ');
      const message = `unknown type: ${named}. Known types: ${envelopeTypes.join(', ')}`;
      context.addIssue({ code: 'custom', message });
    }
    return names.filter(isEnvelopeType);
  });

const StreamQuery = z.object({
  types: typeList.optional(),
  backfill: flag.optional().default(false),
});

export function streamRoutes({ streams }: { streams: Streams }): RouteTable {
  return {
    'GET /events/stream': route({
      operationId: 'streamEvents',
      access: keyFor('webhooks'),
      tag: 'Stream',
      query: StreamQuery,
      answers: { 200: { media: [{ type: 'text/event-stream' }] } },
      errors: ['STREAM_LIMIT_REACHED'],
      async handle({ caller, query, header, isHead }) {
        if (isHead) return headAnswer;
        // Clients without an id send an empty one.
        const lastEventId = header('last-event-id');
        const from = lastEventId ? { lastEventId, isBackfill: query.backfill } : undefined;
        const body = await streams.open(caller, { types: query.types, from });
        return { status: 200, body, headers: HEADERS, isOpenEnded: true } as const;
      },
    }),
  };
}

const HEADERS = {
  'Content-Type': 'text/event-stream',
  // Proxies must not store or buffer the stream.
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
} as const;

/** Without a body rather than with an empty one, which would announce a Content-Length of 0. */
const headAnswer = { status: 200, body: null, headers: HEADERS } as unknown as TypedAnswer<200, Readable>;
