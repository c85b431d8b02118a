/** Looks credentials up, and remembers those that were found. */
interface LookUps<Found> {
  /** What was found within the last second. */
  fresh(credential: string, nowMs: number): Found | null;
  /**
   * What was found within the last second, or is found now.
   * @param beforeLookUp called before the database is asked, with what was found last, or null for a
   * credential that this process has never found. It throws to prevent the look-up. Not called for
   * what has changed since: its limits may have changed, too.
   */
  find(credential: string, nowMs: number, beforeLookUp?: (last: Found | null) => void): Promise<Found | null>;
  forget(credential: string): void;
  /** Something has changed: everything is looked up again with its next request. */
  expireAll(): void;
}

/**
 * How long nothing is looked up again. Changes by other processes arrive as notifications; a lost
 * notification matters for this long.
 */
const FRESH_MS = 1000;
const MOST_REMEMBERED = 10_000;

interface Remembered<Found> {
  readonly found: Found;
  freshUntil: number;
  isExpired: boolean;
}

export function createLookUps<Found>(lookUp: (credential: string) => Promise<Found | null>): LookUps<Found> {
  /** The one that was looked up longest ago comes first. */
  const remembered = new Map<string, Remembered<Found>>();
  const running = new Map<string, Promise<Found | null>>();
  return {
    fresh,
    find(credential, nowMs, beforeLookUp) {
      const found = fresh(credential, nowMs);
      if (found) return Promise.resolve(found);
      const shared = running.get(credential);
      if (shared) return shared;
      const last = remembered.get(credential);
      if (!last?.isExpired) beforeLookUp?.(last?.found ?? null);
      const looking = lookUp(credential);
      running.set(credential, looking);
      looking.then(
        (result) => settle(credential, looking, result, nowMs),
        () => running.delete(credential),
      );
      return looking;
    },
    forget(credential) {
      remembered.delete(credential);
      running.delete(credential);
    },
    expireAll() {
      running.clear();
      for (const last of remembered.values()) {
        last.freshUntil = Number.NEGATIVE_INFINITY;
        last.isExpired = true;
      }
    },
  };

  function fresh(credential: string, nowMs: number): Found | null {
    const last = remembered.get(credential);
    return last && last.freshUntil > nowMs ? last.found : null;
  }

  function settle(
    credential: string,
    looking: Promise<Found | null>,
    found: Found | null,
    nowMs: number,
  ): void {
    // Else something has changed since it began.
    if (running.get(credential) !== looking) return;
    running.delete(credential);
    remembered.delete(credential);
    if (found === null) return;
    remembered.set(credential, { found, freshUntil: nowMs + FRESH_MS, isExpired: false });
    const [oldest] = remembered.keys();
    if (remembered.size > MOST_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
  }
}
