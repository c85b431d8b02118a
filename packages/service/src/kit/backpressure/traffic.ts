const WATCHING = ['/api/v1/imports', '/metrics', '/health'];
/** Below this rate, background work delays hardly any request. */
const BUSY_FROM_PER_SECOND = 20;
const WINDOW_MS = 100;
const SIGNAL_MS = 500;
/** Two signals may be missed before the other process counts as idle. */
const SIGNAL_LASTS_MS = 1600;

/** Tells whether this process, or another one that signals it, has traffic. */
export function createTraffic() {
  let requests = 0;
  let counted = 0;
  let sinceMs = performance.now();
  let isBusy = false;
  let signalledMs = Number.NEGATIVE_INFINITY;

  function isBusyHere(): boolean {
    const elapsedMs = performance.now() - sinceMs;
    if (elapsedMs < WINDOW_MS) return isBusy;
    isBusy = (requests - counted) * 1000 >= BUSY_FROM_PER_SECOND * elapsedMs;
    sinceMs += elapsedMs;
    counted = requests;
    return isBusy;
  }

  return {
    /**
     * Counts a request, except monitoring and polls of an import: they come regularly and notice no
     * delay.
     * @param route as in the metrics.
     */
    count(route: string): void {
      if (!WATCHING.some((start) => route.startsWith(start))) requests += 1;
    },
    isBusyHere,
    /** Cheap enough for every step of long work. */
    isBusy: () => isBusyHere() || performance.now() - signalledMs < SIGNAL_LASTS_MS,
    /** Calls `signal` every half second while this process has traffic. @returns what ends it. */
    startSignals(signal: () => void): () => void {
      const timer = setInterval(() => {
        if (isBusyHere()) signal();
      }, SIGNAL_MS).unref();
      return () => clearInterval(timer);
    },
    /** Another process has traffic. */
    noteSignal(): void {
      signalledMs = performance.now();
    },
  };
}
