interface SharedStateOptions {
  isHere(): boolean;
  lookMs: number;
  restMs: number;
  /** From the last signal of another process on. Longer than two of their signals: one may be missed. */
  lastsMs: number;
}

/** A state that holds for all processes while one of them is in it: that one signals it to the others. */
export function createSharedState({ isHere, lookMs, restMs, lastsMs }: SharedStateOptions) {
  let heardMs = Number.NEGATIVE_INFINITY;
  return {
    isOn: () => isHere() || performance.now() - heardMs < lastsMs,
    noteSignal(): void {
      heardMs = performance.now();
    },
    /** Calls `signal` again and again while this process is in the state. @returns what ends it. */
    startSignals(signal: () => void): () => void {
      let sentMs = Number.NEGATIVE_INFINITY;
      const timer = setInterval(() => {
        const nowMs = performance.now();
        if (nowMs - sentMs < restMs || !isHere()) return;
        sentMs = nowMs;
        signal();
      }, lookMs).unref();
      return () => clearInterval(timer);
    },
  };
}
