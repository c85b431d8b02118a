import { setTimeout as pause } from 'node:timers/promises';

/** How long a test waits for what has to come: a busy machine takes its time, and a test ends after two minutes. */
export const PATIENCE_MS = 90_000;

/** Waits until something holds that the code gives no signal of, such as a row of the database. */
export async function eventually(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const until = performance.now() + PATIENCE_MS; !(await holds()); await pause(10)) {
    if (performance.now() > until) throw new Error(`it did not come about within ${PATIENCE_MS / 1000} s`);
  }
}

/** A second, and what a busy machine adds: for `expect.poll`. */
export const SOON = { timeout: 5000, interval: 10 };
