import { isDatabaseUnavailable } from './db/database.js';

/** Lets a loop sleep until there is work. A wake-up during work is not lost. */
export interface WakeableSleep {
  /** Forgets earlier wake-ups. Call it just before looking for work. */
  reset(): void;
  /** Resolves after `ms` or when woken. One sleep at a time. */
  rest(ms: number): Promise<void>;
}

export interface BackgroundLoop {
  start(): void;
  wake(): void;
  stop(): Promise<void>;
  readonly stopping: AbortSignal;
}

/** @param run has to end soon after `stopping`, which also ends its sleep. */
export function createBackgroundLoop(
  run: (sleep: WakeableSleep, stopping: AbortSignal) => Promise<void>,
): BackgroundLoop {
  const stop = new AbortController();
  let running: Promise<void> | null = null;
  let isAwake = false;
  let endSleep = () => {};
  const wake = () => {
    isAwake = true;
    endSleep();
  };
  const sleep: WakeableSleep = {
    reset() {
      isAwake = false;
    },
    async rest(ms) {
      if (isAwake || ms <= 0) return;
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        endSleep = resolve;
        timer = setTimeout(resolve, ms);
      });
      clearTimeout(timer);
    },
  };
  return {
    stopping: stop.signal,
    start() {
      running ??= run(sleep, stop.signal);
    },
    wake,
    async stop() {
      stop.abort();
      wake();
      await running;
    },
  };
}

const RETRY_AFTER_ERROR_MS = 1_000;

/**
 * A loop that looks for work in the database.
 * @param look does what there is to do, and returns for how long to sleep unless woken.
 * @param onError for errors other than an unavailable database, which readiness and every request
 * report. `look` is called again after a second.
 */
export function createPollingLoop(
  look: (sleep: WakeableSleep, stopping: AbortSignal) => Promise<number>,
  onError: (error: unknown) => void,
): BackgroundLoop {
  return createBackgroundLoop(async (sleep, stopping) => {
    while (!stopping.aborted) {
      sleep.reset();
      try {
        const restMs = await look(sleep, stopping);
        if (!stopping.aborted) await sleep.rest(restMs); // `look` may have forgotten the last wake-up
      } catch (error) {
        if (!isDatabaseUnavailable(error)) onError(error);
        if (stopping.aborted) return;
        sleep.reset(); // an earlier wake-up would meet the same error
        await sleep.rest(RETRY_AFTER_ERROR_MS);
      }
    }
  });
}
