/** Traffic of this process and of others, in memory that every thread of the process sees. */
export type TrafficCount = BigInt64Array<SharedArrayBuffer>;

const REQUESTS = 0;
/** When another process last signalled traffic, by the clock that all threads share. */
const SIGNALLED_AT = 1;

export function createTrafficCount(): TrafficCount {
  return new BigInt64Array(new SharedArrayBuffer(2 * BigInt64Array.BYTES_PER_ELEMENT));
}

/**
 * Counts a request whose caller waits for the answer. Monitoring and polls of an import are left out: they come regularly
 * and notice no delay.
 * @param route as metrics name it.
 */
export function countRequest(count: TrafficCount, route: string): void {
  if (!WATCHING.some((start) => route.startsWith(start))) Atomics.add(count, REQUESTS, 1n);
}

const WATCHING = ['/api/v1/imports', '/metrics', '/health'];

/** Below this rate, background work delays hardly any request. */
const BUSY_FROM_PER_SECOND = 20;
const WINDOW_MS = 100;

/** Answers whether this process has traffic; cheap enough for every step of long work. Each caller needs its own gauge. */
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
/** Two signals may be late before another process counts as having no traffic. */
const SIGNAL_LASTS_NS = 1_600_000_000n;

/** Calls `signal` every half second in which this process has traffic. Returns how to stop that. */
export function startTrafficSignals(count: TrafficCount, signal: () => void): () => void {
  const isBusy = createTrafficGauge(count);
  const timer = setInterval(() => {
    if (isBusy()) signal();
  }, SIGNAL_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Another process signalled that it has traffic. */
export function noteSignal(count: TrafficCount): void {
  Atomics.store(count, SIGNALLED_AT, process.hrtime.bigint());
}

/** Like `createTrafficGauge`, for this process and those that signal to it. */
export function createWideTrafficGauge(count: TrafficCount): () => boolean {
  const isBusyHere = createTrafficGauge(count);
  return () => {
    const signalledAt = Atomics.load(count, SIGNALLED_AT);
    const isBusyElsewhere = signalledAt !== 0n && process.hrtime.bigint() - signalledAt < SIGNAL_LASTS_NS;
    return isBusyHere() || isBusyElsewhere;
  };
}
