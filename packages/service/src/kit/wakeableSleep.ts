/** Lets a loop rest until there is work, without losing the call that comes while it is still at work. */
export interface WakeableSleep {
  /** Ends the rest under way; where there is none, the next one ends at once. */
  wake(): void;
  /** Forgets what woke it: the loop is about to look for itself. */
  reset(): void;
  /** Resolves after `ms`, or as soon as it is woken. One rest at a time. */
  rest(ms: number): Promise<void>;
}

export function createWakeableSleep(): WakeableSleep {
  let isAwake = false;
  let rouse: (() => void) | null = null;
  return {
    wake() {
      isAwake = true;
      rouse?.();
    },
    reset() {
      isAwake = false;
    },
    rest(ms) {
      if (isAwake || ms <= 0) return Promise.resolve();
      return new Promise((resolve) => {
        const timer = setTimeout(done, ms);
        rouse = done;
        function done(): void {
          clearTimeout(timer);
          rouse = null;
          resolve();
        }
      });
    },
  };
}
