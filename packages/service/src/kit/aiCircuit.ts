import type { Clock } from './clock.js';

/** Spares callers the wait for something that keeps failing. */
export interface Circuit {
  /** Whether to call now. After a pause one call goes first, and the rest wait another pause for what becomes of it. */
  isOpenToCalls(): boolean;
  succeeded(): void;
  /** True when calls pause from here on. */
  failed(): boolean;
}

/** Pauses after so many failures in a row; a success ends the count. */
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
