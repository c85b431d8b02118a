/** Requests counted where other threads of the process can see it. */
export type RequestCount = Int32Array<SharedArrayBuffer>;

export function createRequestCount(): RequestCount {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
}

/**
 * Counts a request of somebody who waits for its answer. Whoever watches over the service, or over an import, comes by the minute or
 * asks again anyway.
 * @param route as metrics name it.
 */
export function countRequest(count: RequestCount, route: string): void {
  if (!WATCHING.some((start) => route.startsWith(start))) Atomics.add(count, 0, 1);
}

const WATCHING = ['/api/v1/imports', '/metrics', '/health'];

/** So many a second are traffic; fewer, and work in the background is in nobody's way. */
const BUSY_FROM_PER_SECOND = 20;
const WINDOW_MS = 100;

/** Whether there is traffic, to be asked at every step of long work. Each asker needs one of its own. */
export function createTrafficGauge(count: RequestCount): () => boolean {
  let sinceMs = performance.now();
  let counted = Atomics.load(count, 0);
  let isBusy = false;
  return () => {
    const elapsedMs = performance.now() - sinceMs;
    if (elapsedMs < WINDOW_MS) return isBusy;
    const current = Atomics.load(count, 0);
    // Past 2^31 the count goes on below zero; the difference stays right.
    isBusy = ((current - counted) | 0) * 1000 >= BUSY_FROM_PER_SECOND * elapsedMs;
    sinceMs += elapsedMs;
    counted = current;
    return isBusy;
  };
}
