/**
 * Counts the traffic of this process and notes signals of others, in memory that all threads share.
 */
export type TrafficCount = BigInt64Array<SharedArrayBuffer>;

const REQUESTS = 0;
/** When another process last signalled traffic, in `hrtime`, which all threads share. */
const SIGNALLED_AT = 1;

export function createTrafficCount(): TrafficCount {
  return new BigInt64Array(new SharedArrayBuffer(2 * BigInt64Array.BYTES_PER_ELEMENT));
}

/**
 * Counts a request, except monitoring and polls of an import: they come regularly and notice no
 * delay.
 * @param route as in the metrics.
 */
export function countRequest(count: TrafficCount, route: string): void {
  if (!WATCHING.some((start) => route.startsWith(start))) Atomics.add(count, REQUESTS, 1n);
}

const WATCHING = ['/api/v1/imports', '/metrics', '/health'];

/** Below this rate, background work delays hardly any request. */
const BUSY_FROM_PER_SECOND = 20;
const WINDOW_MS = 100;

/**
 * Returns a function that tells whether this process has traffic. It is cheap enough for every step
 * of long work. Each caller needs its own gauge.
 */
export function createTrafficGauge(count: TrafficCount): () => boolean {
  let sinceMs = performance.now();
  let counted = Atomics.load(count, REQUESTS);
  let isBusy = false;
  return () => {
    const elapsedMs = performance.now() - sinceMs;
    if (elapsedMs < WINDOW_MS) return isBusy;
    const current = Atomics.load(count, REQUESTS);
    isBusy = Number(current - counted) * 1000 >= BUSY_FROM_PER_SECOND * elapsedMs;
    sinceMs += elapsedMs;
    counted = current;
    return isBusy;
  };
}

const SIGNAL_MS = 500;
/** Two signals may be missed before the other process counts as idle. */
const SIGNAL_LASTS_NS = 1_600_000_000n;

/**
 * Calls `signal` every half second while this process has traffic. Returns a function that stops
 * it.
 */
export function startTrafficSignals(count: TrafficCount, signal: () => void): () => void {
  const isBusy = createTrafficGauge(count);
  const timer = setInterval(() => {
    if (isBusy()) signal();
  }, SIGNAL_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Records that another process signalled traffic. */
export function noteSignal(count: TrafficCount): void {
  Atomics.store(count, SIGNALLED_AT, process.hrtime.bigint());
}

/** Like `createTrafficGauge`, but also counts other processes that signal traffic. */
export function createWideTrafficGauge(count: TrafficCount): () => boolean {
  const isBusyHere = createTrafficGauge(count);
  return () => {
    const signalledAt = Atomics.load(count, SIGNALLED_AT);
    const isBusyElsewhere = signalledAt !== 0n && process.hrtime.bigint() - signalledAt < SIGNAL_LASTS_NS;
    return isBusyHere() || isBusyElsewhere;
  };
}
