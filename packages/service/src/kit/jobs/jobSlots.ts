/** The jobs that all workers of a process may run at once. Workers take turns. */
export interface JobSlots {
  /** False: no slot is free. `wake` is then called when it is this worker's turn. */
  tryTake(wake: () => void): boolean;
  release(): void;
  /** The worker no longer waits. */
  leave(wake: () => void): void;
}

/** A long job does not block the next, and requests keep most of the process. */
const AT_ONCE = 2;

export function createJobSlots(atOnce = AT_ONCE): JobSlots {
  let free = atOnce;
  /** In the order of their turns. */
  const waiting = new Set<() => void>();
  const next = () => [...waiting].slice(0, free);
  return {
    tryTake(wake) {
      waiting.add(wake);
      if (!next().includes(wake)) return false;
      waiting.delete(wake);
      free -= 1;
      return true;
    },
    release() {
      free += 1;
      for (const wake of next()) wake();
    },
    leave(wake) {
      waiting.delete(wake);
      for (const other of next()) other();
    },
  };
}
