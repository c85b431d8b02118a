import { createWindows, WINDOW_SECONDS } from '../rateLimit.js';
import type { Asked, Granted } from './topics.js';

/** Counts the requests of all processes. */
export interface SharedWindows {
  /** Asynchronous only near the limit, while processes return what they have not used. */
  take(process: number, asked: Asked): Granted | Promise<Granted>;
}

interface SharedWindow {
  readonly endsAtMs: number;
  readonly id: number;
  /** Requests that were counted or are on lease. */
  count: number;
  /** The processes that may hold a lease. */
  readonly holders: Set<number>;
  /** Set by the first request that only returned leases can admit. From then on nothing is leased. */
  recall: Promise<void> | null;
}

/** A lease takes at most this part of what is left: the less is left, the less has to be recalled. */
const LEASED_PART = 1 / 8;

/**
 * A process takes numbers of a window ahead and counts them by itself. Numbers within the limit are
 * given once, and the unused ones are recalled before a request is refused: the limit is exact.
 * @param recall asks a process for the number of requests that it has not used. It is 0 for a
 * process that has ended or is stuck: these count as used.
 */
export function createSharedWindows(
  recall: (process: number, bucket: string, window: number) => Promise<number>,
): SharedWindows {
  let lastId = 0;
  const openWindow = createWindows<SharedWindow>(WINDOW_SECONDS, (endsAtMs) => {
    lastId += 1;
    return { endsAtMs, id: lastId, count: 0, holders: new Set(), recall: null };
  });
  return {
    take(process, asked) {
      const window = openWindow(asked.bucket, performance.now());
      if (window.count >= asked.limit && window.holders.size > 0)
        window.recall ??= recallAll(asked.bucket, window);
      const counted = () => count(window, process, asked);
      return window.recall ? window.recall.then(counted) : counted();
    },
  };

  async function recallAll(bucket: string, window: SharedWindow): Promise<void> {
    const unused = await Promise.all(
      [...window.holders].map((process) => recall(process, bucket, window.id)),
    );
    window.count -= unused.reduce((sum, number) => sum + number, 0);
  }

  function count(window: SharedWindow, process: number, { limit, wanted }: Asked): Granted {
    window.count += 1;
    const own = window.count;
    const free = window.recall ? 0 : Math.max(0, Math.floor((limit - own) * LEASED_PART));
    const leased = Math.min(wanted, free);
    window.count += leased;
    if (leased > 0) window.holders.add(process);
    return { count: own, msBeforeReset: window.endsAtMs - performance.now(), leased, window: window.id };
  }
}
