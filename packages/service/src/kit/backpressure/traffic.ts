/** Requests of this process, and signs of traffic from others, counted where all threads of the process can see it. */
export type RequestCount = Int32Array<SharedArrayBuffer>;

const REQUESTS = 0;
const SIGNS = 1;

export function createRequestCount(): RequestCount {
  return new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
}

/**
 * Counts a request of somebody who waits for its answer. Whoever watches over the service, or over an import, comes by the minute or
 * asks again anyway.
 * @param route as metrics name it.
 */
export function countRequest(count: RequestCount, route: string): void {
  if (!WATCHING.some((start) => route.startsWith(start))) Atomics.add(count, REQUESTS, 1);
}

const WATCHING = ['/api/v1/imports', '/metrics', '/health'];

/** So many a second are traffic; fewer, and work in the background is in nobody's way. */
const BUSY_FROM_PER_SECOND = 20;
const WINDOW_MS = 100;

/** Whether this process has traffic, to be asked at every step of long work. Each asker needs one of its own. */
export function createTrafficGauge(count: RequestCount): () => boolean {
  let sinceMs = performance.now();
  let counted = Atomics.load(count, REQUESTS);
  let isBusy = false;
  return () => {
    const elapsedMs = performance.now() - sinceMs;
    if (elapsedMs < WINDOW_MS) return isBusy;
    const current = Atomics.load(count, REQUESTS);
    // Past 2^31 the count goes on below zero; the difference stays right.
    isBusy = ((current - counted) | 0) * 1000 >= BUSY_FROM_PER_SECOND * elapsedMs;
    sinceMs += elapsedMs;
    counted = current;
    return isBusy;
  };
}

const SIGN_MS = 500;
/** Two of its signs may be late before another process is taken to have no traffic. */
const SIGN_LASTS_MS = 1600;

/** Says, as long as this process has traffic, that it has: to those that do its long work. Ends with what it returns. */
export function startTrafficSigns(count: RequestCount, say: () => void): () => void {
  const isBusy = createTrafficGauge(count);
  const timer = setInterval(() => {
    if (isBusy()) say();
  }, SIGN_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Another process said that it has traffic. */
export function countSign(count: RequestCount): void {
  Atomics.add(count, SIGNS, 1);
}

/** As `createTrafficGauge`, of this process and of those whose signs it counts. */
export function createWideTrafficGauge(count: RequestCount): () => boolean {
  const isBusyHere = createTrafficGauge(count);
  let askedMs = performance.now();
  let counted = Atomics.load(count, SIGNS);
  let heardMs = Number.NEGATIVE_INFINITY;
  return () => {
    const nowMs = performance.now();
    const current = Atomics.load(count, SIGNS);
    // When signs came that were counted while nobody asked cannot be known: the next one is soon there.
    if (current !== counted && nowMs - askedMs < SIGN_LASTS_MS) heardMs = nowMs;
    askedMs = nowMs;
    counted = current;
    return isBusyHere() || nowMs - heardMs < SIGN_LASTS_MS;
  };
}
