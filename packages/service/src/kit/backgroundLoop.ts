import { createWakeableSleep, type WakeableSleep } from './wakeableSleep.js';

/** Work that goes on beside the requests. */
export interface BackgroundLoop {
  /** A second call does nothing. */
  start(): void;
  /** Look for work now instead of after the present sleep. */
  wake(): void;
  /** Resolves when `run` has ended. */
  stop(): Promise<void>;
  /** Aborted by `stop`. */
  readonly stopping: AbortSignal;
}

/** @param run has to end soon after `stopping`, which also ends its sleep. */
export function createBackgroundLoop(
  run: (sleep: WakeableSleep, stopping: AbortSignal) => Promise<void>,
): BackgroundLoop {
  const sleep = createWakeableSleep();
  const stop = new AbortController();
  let running: Promise<void> | null = null;
  return {
    stopping: stop.signal,
    start() {
      running ??= run(sleep, stop.signal);
    },
    wake: sleep.wake,
    async stop() {
      stop.abort();
      sleep.wake();
      await running;
    },
  };
}
