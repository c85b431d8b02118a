import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';

/** Await it between the steps of long work: after each time slice it lets other work run. */
export type YieldTurn = () => Promise<void> | undefined;

/** Long enough to make yielding cheap, short enough to delay no request noticeably. */
const SLICE_MS = 2;
/** Under traffic, to leave the processor to other threads and processes. */
const SLICE_UNDER_TRAFFIC_MS = 1;
const PAUSE_MS = 2;

/** @param mustYield whether requests need the processor, so that the work pauses after each slice. */
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

export async function mapInTurns<T, R>(
  items: readonly T[],
  step: (item: T, index: number) => R,
): Promise<R[]> {
  const yieldTurn = createYielder();
  const results: R[] = [];
  for (const item of items) {
    const turn = yieldTurn();
    if (turn) await turn;
    results.push(step(item, results.length));
  }
  return results;
}

/** Work in steps: it yields where other work may run, and returns its result. */
export type Steps<T> = Generator<undefined, T>;

export function atOnce<T>(steps: Steps<T>): T {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/** Does each step in a turn of the event loop of its own, and the caller goes on in another one. */
export async function inTurns<T>(steps: Steps<T>): Promise<T> {
  let step = steps.next();
  for (; !step.done; step = steps.next()) await turn();
  await turn();
  return step.value;
}

/** Leaves the processor to other threads and processes between two steps of work. */
export function rest(): Promise<void> {
  return pause(PAUSE_MS);
}
