import type { Readable } from 'node:stream';
import type { FastifyBaseLogger } from 'fastify';
import { planOf } from '../../../domain/catalogues/plans.js';
import type { EnvelopeType } from '../../../domain/envelopes/catalogue.js';
import { fail } from '../../../domain/errors.js';
import type { Clock } from '../../../kit/clock.js';
import type { Database } from '../../../kit/db/database.js';
import type { Metrics } from '../../../kit/http/metrics.js';
import type { KeyCaller } from '../../../kit/http/route.js';
import type { OutboxSignal } from '../../../outbox/outboxSignal.js';
import { filterFor } from './frames.js';
import { createHub } from './hub.js';
import { createKeyWatch } from './keyWatch.js';
import { LiveStream } from './liveStream.js';
import { createStreamLeases } from './streamLeases.js';
import { Subscriber } from './subscriber.js';

/** The live streams that are open in this process. */
export interface Streams {
  /** Throws STREAM_LIMIT_REACHED, UNAUTHORIZED, SERVICE_UNAVAILABLE. The stream has begun when this resolves. */
  open(caller: KeyCaller, wish: StreamWish): Promise<Readable>;
  /** Keys or platforms may have changed: ends the streams that lost their right. */
  checkKeys(): void;
  /** Ends all streams and leaves their seats; none is opened any more. */
  close(): Promise<void>;
}

export interface StreamWish {
  /** undefined: every type. */
  readonly types: readonly EnvelopeType[] | undefined;
  /** undefined: from now on. */
  readonly lastEventId: string | undefined;
}

interface StreamsDeps {
  db: Database;
  clock: Clock;
  log: FastifyBaseLogger;
  outbox: Pick<OutboxSignal, 'onWritten'>;
  metrics: Pick<Metrics, 'openStreams' | 'droppedStreams'>;
  /** Shorter in tests. */
  heartbeatMs?: number | undefined;
}

export const HEARTBEAT_MS = 15_000;

export function createStreams(deps: StreamsDeps): Streams {
  const { db, clock, log, outbox, metrics, heartbeatMs = HEARTBEAT_MS } = deps;
  const hub = createHub({ db, log });
  const leases = createStreamLeases({ db, clock, log });
  const keys = createKeyWatch({ db, clock, log, everyMs: heartbeatMs });
  const all = new Set<LiveStream>();
  let isClosing = false;
  let beat: NodeJS.Timeout | undefined;
  const unsubscribe = outbox.onWritten(hub.wake);

  return {
    async open(caller, { types, lastEventId }) {
      if (isClosing) failClosing();
      const stream = enlist(new LiveStream());
      try {
        await lease(stream, caller);
        await admit(stream, caller);
        await join(stream, caller, new Subscriber(stream, filterFor(types)), lastEventId);
        return stream;
      } catch (error) {
        stream.destroy();
        throw error;
      }
    },
    checkKeys: keys.check,
    async close() {
      isClosing = true;
      unsubscribe();
      await Promise.all([...all].map(ended));
      await leases.settled();
    },
  };

  function enlist(stream: LiveStream): LiveStream {
    all.add(stream);
    metrics.openStreams.inc();
    beat ??= setInterval(signOfLife, heartbeatMs).unref();
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

  function signOfLife(): void {
    hub.beat();
    keys.check();
    void leases.heartbeat();
  }

  async function lease(stream: LiveStream, caller: KeyCaller): Promise<void> {
    const leave = await leases.take(caller, planOf(caller.plan).limits.streams);
    whenClosed(stream, leave);
  }

  async function admit(stream: LiveStream, { keyId }: KeyCaller): Promise<void> {
    const end = () => stream.end();
    whenClosed(stream, () => keys.forget(keyId, end));
    if (await keys.admit(keyId, end)) return;
    fail('UNAUTHORIZED', { headers: { 'WWW-Authenticate': 'Bearer' } });
  }

  async function join(
    stream: LiveStream,
    { platformId, livemode }: KeyCaller,
    subscriber: Subscriber,
    lastEventId: string | undefined,
  ): Promise<void> {
    if (stream.closed) return failClosing();
    const owner = { platformId, livemode };
    whenClosed(stream, () => hub.leave(owner, subscriber));
    await hub.join(owner, subscriber, lastEventId);
  }
}

function whenClosed(stream: LiveStream, free: () => void): void {
  if (stream.closed) free();
  else stream.once('close', free);
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
