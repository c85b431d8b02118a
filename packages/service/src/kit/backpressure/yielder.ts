import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';

/** Await it between the steps of long work: after a slice of time it lets everything else run. */
export type YieldTurn = () => Promise<void> | undefined;

/** Long enough that turns cost little, short enough that no request notices. */
const SLICE_MS = 2;
/** Under traffic: a shorter slice, and a rest after it that leaves the processor to other threads and processes. */
const SLICE_UNDER_TRAFFIC_MS = 1;
const REST_MS = 2;

/** @param mustYield asked at each step: true where requests need the processor, so that the work rests after each slice. */
export function createYielder(mustYield?: () => boolean): YieldTurn {
  let sinceMs = performance.now();
  return () => {
    const workedMs = performance.now() - sinceMs;
    if (workedMs < SLICE_UNDER_TRAFFIC_MS) return undefined;
    const rests = mustYield?.() === true;
    if (!rests && workedMs < SLICE_MS) return undefined;
    return (rests ? rest() : turn()).then(() => {
      sinceMs = performance.now();
    });
  };
}

/** Leaves the processor to other threads and processes, between two steps of work under traffic. */
export function rest(): Promise<void> {
  return pause(REST_MS);
}
