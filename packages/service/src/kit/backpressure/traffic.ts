import { createSharedState } from './sharedState.js';

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

  function isBusyHere(): boolean {
    const elapsedMs = performance.now() - sinceMs;
    if (elapsedMs < WINDOW_MS) return isBusy;
    isBusy = (requests - counted) * 1000 >= BUSY_FROM_PER_SECOND * elapsedMs;
    sinceMs += elapsedMs;
    counted = requests;
    return isBusy;
  }

  const { isOn, ...signals } = createSharedState({
    isHere: isBusyHere,
    lookMs: SIGNAL_MS,
    restMs: 0,
    lastsMs: SIGNAL_LASTS_MS,
  });
  return {
    ...signals,
    /** Not monitoring and polls of an import: they come regularly and notice no delay. */
    count(route: string): void {
      if (!WATCHING.some((start) => route.startsWith(start))) requests += 1;
    },
    isBusyHere,
    isBusy: isOn,
  };
}
