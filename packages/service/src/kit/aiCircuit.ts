import type { Clock } from './clock.js';

/** A circuit breaker: spares callers the wait for a service that keeps failing. */
export interface Circuit {
  /**
   * Whether to call now. After a pause one call is tried; the others wait another pause for its
   * result.
   */
  isOpenToCalls(): boolean;
  succeeded(): void;
  /** Returns true if calls pause from now on. */
  failed(): boolean;
}

/** Pauses after `failures` failures in a row. */
export function createCircuit(options: { clock: Clock; failures: number; pauseMs: number }): Circuit {
  const { clock, failures, pauseMs } = options;
  let inARow = 0;
  let pausedUntil = 0;

  return {
    isOpenToCalls() {
      if (inARow < failures) return true;
      if (clock.now().getTime() < pausedUntil) return false;
      pause();
      return true;
    },
    succeeded() {
      inARow = 0;
    },
    failed() {
      inARow += 1;
      if (inARow < failures) return false;
      pause();
      return true;
    },
  };

  function pause(): void {
    pausedUntil = clock.now().getTime() + pauseMs;
  }
}
