/** Lets a loop sleep until there is work. A wake-up during work is not lost. */
export interface WakeableSleep {
  /** Ends the current sleep. If the loop is not sleeping, its next sleep ends at once. */
  wake(): void;
  /** Forgets earlier wake-ups. Call it just before looking for work. */
  reset(): void;
  /** Resolves after `ms` or when woken. One sleep at a time. */
  rest(ms: number): Promise<void>;
}

export function createWakeableSleep(): WakeableSleep {
  let isAwake = false;
  let endSleep: (() => void) | null = null;
  return {
    wake() {
      isAwake = true;
      endSleep?.();
    },
    reset() {
      isAwake = false;
    },
    rest(ms) {
      if (isAwake || ms <= 0) return Promise.resolve();
      return new Promise((resolve) => {
        const timer = setTimeout(done, ms);
        endSleep = done;
        function done(): void {
          clearTimeout(timer);
          endSleep = null;
          resolve();
        }
      });
    },
  };
}
