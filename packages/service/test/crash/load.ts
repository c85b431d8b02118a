import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type Random, seededRandom } from '#kit/seededRandom.js';
import { BatchRecorded, call, type RawAnswer, Recorded, Refused } from './api.js';
import { type TakenRequest, type WriteRequest, writeRequestMaker } from './writeRequests.js';

export type Load = ReturnType<typeof startLoad>;

interface LoadOptions {
  /** Of processes that share a database: each attempt goes to the next one. */
  urls: readonly [string, ...string[]];
  clients: number;
  seed: number;
  runName: string;
  /** The pause of a client between two requests. Default: none. */
  restMs?: number;
}

/** Clients that write without pause. Each repeats a request under its key until it is accepted. */
export function startLoad({ urls, clients, seed, runName, restMs = 0 }: LoadOptions) {
  // Where there is another process, it takes over.
  const whenListening = urls.length === 1 ? listeningProbe(urls[0]) : async () => undefined;
  let attempts = 0;
  const makeRequest = writeRequestMaker(seededRandom(seed), runName);
  const taken: TakenRequest[] = [];
  /** Attempts by reason; those that were abandoned timed out, and the server may have completed them. */
  const retries = { brokenConnections: 0, unavailable: 0, keyInUse: 0, rateLimited: 0, abandoned: 0 };
  let isFinishing = false;

  const working = Promise.all(
    Array.from({ length: clients }, (_, index) => work(seededRandom(seed + 1 + index))),
  );
  working.catch(() => undefined); // finish() reports it
  return {
    taken: taken as readonly TakenRequest[],
    retries,
    /** Stops new requests; resolves when those in progress are accepted. Rejects with the first unexpected answer. */
    async finish(): Promise<void> {
      isFinishing = true;
      await working;
    },
  };

  async function work(random: Random): Promise<void> {
    while (!isFinishing) {
      const request = makeRequest();
      taken.push({ ...request, eventIds: await insist(request, random) });
      if (restMs > 0) await pause(restMs);
    }
  }

  /** Sometimes sends the same request twice at once, like a client that retries too early. */
  async function insist(request: WriteRequest, random: Random): Promise<readonly string[]> {
    if (random.fraction() >= 0.03) return sendUntilTaken(request, random);
    const [first, second] = await Promise.all([
      sendUntilTaken(request, random),
      sendUntilTaken(request, random),
    ]);
    if (first.join() !== second.join()) throw new Error(`one request, two sets of events: ${request.body}`);
    return first;
  }

  async function sendUntilTaken(request: WriteRequest, random: Random): Promise<readonly string[]> {
    for (;;) {
      const answer = await attempt(request, random);
      if (answer && answer.status < 300) return eventIdsOf(request, answer);
      if (answer) noteRefusal(request, answer);
      await pause(answer?.status === 429 ? 1000 : random.whole(10, 60));
      if (!answer) await whenListening();
    }
  }

  async function attempt(request: WriteRequest, random: Random): Promise<RawAnswer | null> {
    const isHasty = random.fraction() < 0.03;
    const { headers, body } = request;
    attempts += 1;
    try {
      return await call(urls[attempts % urls.length] ?? urls[0], 'POST', request.path, {
        headers,
        body,
        ...(isHasty ? { timeoutMs: random.whole(1, 30) } : {}),
      });
    } catch {
      if (isHasty) retries.abandoned += 1;
      else retries.brokenConnections += 1;
      return null;
    }
  }

  function noteRefusal(request: WriteRequest, answer: RawAnswer): void {
    const { code, retryable } = Refused.parse(JSON.parse(answer.text));
    if (code === 'IDEMPOTENCY_KEY_IN_USE') retries.keyInUse += 1;
    else if (answer.status === 503) retries.unavailable += 1;
    else if (answer.status === 429) retries.rateLimited += 1;
    else throw new Error(`unforeseen ${answer.status} ${answer.text} to ${request.path} ${request.body}`);
    if (!retryable) throw new Error(`${code} does not call itself retryable`);
  }
}

/**
 * Waits until the service listens. All clients share one probe: their attempts would take processor
 * time from the start of the service.
 */
function listeningProbe(url: string): () => Promise<void> {
  let probing: Promise<void> | null = null;
  const probe = async () => {
    while (!(await isListening(url))) await pause(10);
  };
  return () => {
    probing ??= probe().finally(() => {
      probing = null;
    });
    return probing;
  };
}

function isListening(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

/** The event ids of a successful answer. Throws when an item of a batch was refused. */
export function eventIdsOf(request: WriteRequest, answer: RawAnswer): readonly string[] {
  const body: unknown = JSON.parse(answer.text);
  const ids =
    request.path === '/events'
      ? [Recorded.parse(body).eventId]
      : BatchRecorded.parse(body).results.map((result) => result.eventId);
  if (ids.length !== request.numbers.length) throw new Error(`an item was left out: ${answer.text}`);
  return ids;
}
