import { afterEach, describe, expect, test, vi } from 'vitest';
import { untilSettled } from '../../service/test/features/notify/streamFixtures.js';
import { mainEngine } from '../../service/test/harness/engines.js';
import { givenSharedService } from '../../service/test/harness/givenService.js';
import { createClient, type Envelope, ReliabilityError, type Reset } from '../src/index.js';

const service = givenSharedService(mainEngine);

/** A client whose connections can be cut, and that tells which of them are open. */
function fragileClient(key = service.liveKey) {
  const opened: AbortController[] = [];
  const client = createClient({
    baseUrl: service.url,
    key,
    async fetch(input, init) {
      const cut = new AbortController();
      const given = init?.signal ? [cut.signal, init.signal] : [cut.signal];
      const response = await fetch(input, { ...init, signal: AbortSignal.any(given) });
      opened.push(cut);
      return response;
    },
  });
  return { client, opened };
}

function report(userId: string) {
  const { client } = fragileClient();
  return client.recordEvent({ userId, eventType: 'CONTRACT_FULFILLED' });
}

function userOf({ value }: IteratorResult<Envelope | Reset, void>): string {
  return value?.type === 'score.updated' ? value.data.user.externalId : 'none';
}

describe('the stream', () => {
  test('goes on after a lost connection, without a gap and without a repetition', async () => {
    const { client, opened } = fragileClient();
    const stream = client.stream({ types: ['score.updated'] });
    const first = stream.next();
    await expect.poll(() => opened.length).toBe(1);
    await report('stream-1');
    const seen = [userOf(await first)];
    opened[0]?.abort(new Error('cut'));
    for (const userId of ['stream-2', 'stream-3']) {
      await report(userId);
      seen.push(userOf(await stream.next()));
    }
    await stream.return();
    expect(seen).toEqual(['stream-1', 'stream-2', 'stream-3']);
    expect(opened).toHaveLength(2);
  });

  test('goes on where it began if it ends before its first envelope', async () => {
    await report('stream-before');
    await service.settle();
    await untilSettled(service.db); // until then a new stream sends it as new
    let connections = 0;
    const client = createClient({
      baseUrl: service.url,
      key: service.liveKey,
      async fetch(...request) {
        connections += 1;
        if (connections > 1) return fetch(...request);
        const response = await fetch(...request);
        const reader = (response.body as ReadableStream<Uint8Array<ArrayBuffer>>).getReader();
        const opening = await reader.read();
        await reader.cancel();
        await report('stream-gap');
        await service.settle();
        return new Response(opening.value, response);
      },
    });
    const stream = client.stream({ types: ['score.updated'] });
    expect(userOf(await stream.next())).toBe('stream-gap');
    await stream.return();
    expect(connections).toBe(2);
  });

  test('says that envelopes were missed', async () => {
    const { client } = fragileClient();
    const stream = client.stream({ lastEventId: '0199a3c2-7b1e-7c40-8d21-5f0c9b7a1e34' });
    expect((await stream.next()).value).toEqual({ type: 'reset', reason: 'unknown_id' });
    await stream.return();
  });

  test('ends with its signal', async () => {
    const { client } = fragileClient();
    const stop = new AbortController();
    const next = client.stream({ signal: stop.signal }).next();
    stop.abort();
    expect(await next).toEqual({ done: true, value: undefined });
  });

  test('throws what the service refuses', async () => {
    const { client } = fragileClient('crd_live_unknown');
    await expect(client.stream().next()).rejects.toThrow(ReliabilityError);
  });
});

describe('the stream on a machine that sleeps', () => {
  afterEach(() => void vi.useRealTimers());

  const frame = (id: string) => `id: ${id}\ndata: {"id":"${id}","type":"score.updated"}\n\n`;
  /** A connection that says something once and then nothing, not even that it is dead. */
  function silent(text: string, { signal }: RequestInit): Response {
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(text));
        signal?.addEventListener('abort', () => controller.error(signal.reason));
      },
    });
    return new Response(body);
  }

  test('goes on within seconds of its wake-up, past the login page of a network', async () => {
    vi.useFakeTimers();
    const asked: (string | null)[] = [];
    const client = createClient({
      baseUrl: 'http://service.example',
      key: 'crd_test_any',
      async fetch(_, init = {}) {
        asked.push(new Headers(init.headers).get('last-event-id'));
        if (asked.length === 2) return new Response('<h1>Sign in to this network</h1>', { status: 403 });
        return silent(frame(asked.length === 1 ? 'before' : 'after'), init);
      },
    });
    const stream = client.stream();
    expect((await stream.next()).value).toMatchObject({ id: 'before' });
    const next = stream.next();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(asked).toHaveLength(1);
    vi.setSystemTime(Date.now() + 8 * 3_600_000);
    await vi.advanceTimersByTimeAsync(12_000);
    expect((await next).value).toMatchObject({ id: 'after' });
    expect(asked).toEqual([null, 'before', 'before']);
    await stream.return();
  });
});
