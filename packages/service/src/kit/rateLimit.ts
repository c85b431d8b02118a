/** Counts requests in windows of a minute. A window begins with the first request of its bucket. */
export interface RateLimiter {
  /** Adds one request to the bucket. Never throws. */
  take(bucket: string): Taken | Promise<Taken>;
  close(): void;
}

export interface Taken {
  readonly count: number;
  readonly msBeforeReset: number;
}

export const WINDOW_SECONDS = 60;

export function rateLimitInMemory(windowSeconds = WINDOW_SECONDS) {
  // All windows have the same length, so the map is ordered by their ends.
  const windows = new Map<string, { count: number; readonly endsAtMs: number }>();
  return {
    take(bucket: string): Taken {
      const nowMs = performance.now();
      let window = windows.get(bucket);
      if (!window || window.endsAtMs <= nowMs) {
        removeOver(nowMs);
        window = { count: 0, endsAtMs: nowMs + windowSeconds * 1000 };
        windows.set(bucket, window);
      }
      window.count += 1;
      return { count: window.count, msBeforeReset: window.endsAtMs - nowMs };
    },
    close: () => undefined,
  } satisfies RateLimiter;

  function removeOver(nowMs: number): void {
    for (const [bucket, { endsAtMs }] of windows) {
      if (endsAtMs > nowMs) return;
      windows.delete(bucket);
    }
  }
}

interface SharedOptions {
  url: string;
  log: { info(details: object, message: string): void; warn(details: object, message: string): void };
}

/** While the server is away each process counts alone, and no request fails or waits over 0.25 s. */
export async function rateLimitInRedis({ url, log }: SharedOptions): Promise<RateLimiter> {
  // Loaded only where it is used: it takes 50 ms and 12 MB.
  const [{ RateLimiterRedis }, { Redis }] = await Promise.all([
    import('rate-limiter-flexible'),
    import('ioredis'),
  ]);
  const client = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: ANSWER_WITHIN_MS,
    connectTimeout: CONNECT_WITHIN_MS,
    retryStrategy: (attempt) => Math.min(attempt * 100, MAX_RETRY_MS),
  });
  const shared = new RateLimiterRedis({
    storeClient: client,
    keyPrefix: 'reliability:rate',
    points: Number.MAX_SAFE_INTEGER, // limits differ by platform, so the caller compares
    duration: WINDOW_SECONDS,
    rejectIfRedisNotReady: true,
  });
  const own = rateLimitInMemory();
  let isAway = false;
  client.on('error', (error) => note(error));
  client.on('ready', () => {
    if (isAway) log.info({}, 'REDIS_URL answers again: rate limits are shared');
    isAway = false;
  });
  return {
    take: (bucket) =>
      shared.consume(bucket).then(
        ({ consumedPoints, msBeforeNext }) => ({ count: consumedPoints, msBeforeReset: msBeforeNext }),
        (error: unknown) => takeAlone(bucket, error),
      ),
    close: () => client.disconnect(),
  };

  function takeAlone(bucket: string, error: unknown): Taken {
    note(error);
    // Without a reconnect, every request would wait the full timeout for a server that is connected
    // but silent.
    if (client.status === 'ready') client.disconnect(true);
    return own.take(bucket);
  }

  function note(error: unknown): void {
    if (!isAway)
      log.warn({ err: error }, 'REDIS_URL does not answer: each process counts its rate limits alone');
    isAway = true;
  }
}

const ANSWER_WITHIN_MS = 250;
const CONNECT_WITHIN_MS = 2_000;
const MAX_RETRY_MS = 2_000;
