import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';

/** To be awaited between the steps of long work: once a slice of time is used up, everything else gets its turn. */
export type YieldTurn = () => Promise<void> | undefined;

/** Long enough that turns cost little, short enough that no request notices. */
const SLICE_MS = 2;
/** Where other processes are to have their turn, too: a slice so short, and then a rest. */
const MODEST_SLICE_MS = 1;
const REST_MS = 2;

/** @param makesWay asked at each step: the processor is wanted elsewhere, so the work rests rather than only letting others in. */
export function createYielder(mustYield?: () => boolean): YieldTurn {
  let sinceMs = performance.now();
  return () => {
    const workedMs = performance.now() - sinceMs;
    if (workedMs < MODEST_SLICE_MS) return undefined;
    const isModest = mustYield?.() === true;
    if (!isModest && workedMs < SLICE_MS) return undefined;
    return (isModest ? rest() : turn()).then(() => {
      sinceMs = performance.now();
    });
  };
}

/** Between two steps of work that makes way for other processes, too. */
export function rest(): Promise<void> {
  return pause(REST_MS);
}
