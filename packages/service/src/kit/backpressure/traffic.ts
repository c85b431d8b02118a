/** The requests of this process, and when another one last signalled traffic. */
export interface TrafficCount {
  requests: number;
  signalledMs: number;
}

export function createTrafficCount(): TrafficCount {
  return { requests: 0, signalledMs: Number.NEGATIVE_INFINITY };
}

/**
 * Counts a request, except monitoring and polls of an import: they come regularly and notice no
 * delay.
 * @param route as in the metrics.
 */
export function countRequest(count: TrafficCount, route: string): void {
  if (!WATCHING.some((start) => route.startsWith(start))) count.requests += 1;
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
  let counted = count.requests;
  let isBusy = false;
  return () => {
    const elapsedMs = performance.now() - sinceMs;
    if (elapsedMs < WINDOW_MS) return isBusy;
    isBusy = (count.requests - counted) * 1000 >= BUSY_FROM_PER_SECOND * elapsedMs;
    sinceMs += elapsedMs;
    counted = count.requests;
    return isBusy;
  };
}

const SIGNAL_MS = 500;
/** Two signals may be missed before the other process counts as idle. */
const SIGNAL_LASTS_MS = 1600;

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
  count.signalledMs = performance.now();
}

/** Like `createTrafficGauge`, but also counts other processes that signal traffic. */
export function createWideTrafficGauge(count: TrafficCount): () => boolean {
  const isBusyHere = createTrafficGauge(count);
  return () => isBusyHere() || performance.now() - count.signalledMs < SIGNAL_LASTS_MS;
}
