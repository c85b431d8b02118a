import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';

/** Long enough for a busy machine, and below the test timeout of two minutes. */
export const PATIENCE_MS = 90_000;

/** Waits for a condition without a signal in the code, such as a database row. */
export async function eventually(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const until = performance.now() + PATIENCE_MS; !(await holds()); await pause(10)) {
    if (performance.now() > until) throw new Error(`it did not come about within ${PATIENCE_MS / 1000} s`);
  }
}

/** One second plus a margin for a busy machine. */
export const SOON = { timeout: 5000, interval: 10 };

/** Waits as long as that for a value. Counted in attempts, each of which takes longer on a busy machine. */
export async function soon<Value>(read: () => Value | Promise<Value>, wanted: Value): Promise<void> {
  let last = await read();
  for (let left = SOON.timeout / SOON.interval; left > 0 && !isDeepStrictEqual(last, wanted); left -= 1) {
    await pause(SOON.interval);
    last = await read();
  }
  expect(last).toEqual(wanted);
}
