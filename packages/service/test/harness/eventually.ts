import { setTimeout as pause } from 'node:timers/promises';

/** Long enough for a busy machine, and below the test timeout of two minutes. */
export const PATIENCE_MS = 90_000;

/** Waits for a condition without a signal in the code, such as a database row. */
export async function eventually(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const until = performance.now() + PATIENCE_MS; !(await holds()); await pause(10)) {
    if (performance.now() > until) throw new Error(`it did not come about within ${PATIENCE_MS / 1000} s`);
  }
}

/** One second plus a margin for a busy machine: for `expect.poll`. */
export const SOON = { timeout: 5000, interval: 10 };
