import { setImmediate as turn } from 'node:timers/promises';

/** To be awaited between the steps of long work: once a slice of time is used up, everything else gets its turn. */
export type Breathe = () => Promise<void> | undefined;

/** Long enough that turns cost little, short enough that no request notices. */
const SLICE_MS = 2;

export function createBreather(sliceMs = SLICE_MS): Breathe {
  let sinceMs = performance.now();
  return () => {
    if (performance.now() - sinceMs < sliceMs) return undefined;
    return turn().then(() => {
      sinceMs = performance.now();
    });
  };
}
