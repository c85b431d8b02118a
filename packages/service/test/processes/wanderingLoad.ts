import { setTimeout as pause } from 'node:timers/promises';
import { seededRandom } from '#kit/seededRandom.js';
import { call, type RawAnswer, Refused } from '../crash/api.js';
import { eventIdsOf } from '../crash/load.js';
import { type TakenRequest, type WriteRequest, writeRequestMaker } from '../crash/writeRequests.js';

/**
 * Clients that write without pause and send each attempt to the next process until one accepts it.
 */
export interface WanderingLoad {
  readonly taken: readonly TakenRequest[];
  /** Attempts that failed and were repeated at another process. */
  readonly brokenOff: number;
  /**
   * Stops new requests; resolves when those in progress are accepted. Rejects with the first
   * unexpected answer.
   */
  finish(): Promise<void>;
}

export function startWanderingLoad(urls: readonly string[], clients: number, seed: number): WanderingLoad {
  const makeRequest = writeRequestMaker(seededRandom(seed), `processes-${seed}`);
  const taken: TakenRequest[] = [];
  let brokenOff = 0;
  let attempts = 0;
  let isFinishing = false;
  const working = Promise.all(Array.from({ length: clients }, work));
  working.catch(() => undefined); // finish() reports it
  return {
    taken,
    get brokenOff() {
      return brokenOff;
    },
    async finish() {
      isFinishing = true;
      await working;
    },
  };

  async function work(): Promise<void> {
    while (!isFinishing) {
      const request = makeRequest();
      taken.push({ ...request, eventIds: await sendUntilTaken(request) });
      await pause(20); // stays below the rate limit
    }
  }

  async function sendUntilTaken(request: WriteRequest): Promise<readonly string[]> {
    for (;;) {
      const answer = await attempt(request);
      if (answer && answer.status < 300) return eventIdsOf(request, answer);
      if (answer) assertRetryable(request, answer);
      await pause(answer?.status === 429 ? 1000 : 30);
    }
  }

  async function attempt({ path, headers, body }: WriteRequest): Promise<RawAnswer | null> {
    attempts += 1;
    try {
      return await call(urls[attempts % urls.length] ?? '', 'POST', path, { headers, body });
    } catch {
      brokenOff += 1;
      return null;
    }
  }
}

function assertRetryable(request: WriteRequest, { status, text }: RawAnswer): void {
  if (Refused.parse(JSON.parse(text)).retryable) return;
  throw new Error(`unforeseen ${status} ${text} to ${request.path} ${request.body}`);
}
