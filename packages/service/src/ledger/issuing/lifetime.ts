const HOUR_SECONDS = 3600;

/** Steps that the end of a credential's life goes by, in seconds. */
const STEPS = [HOUR_SECONDS, 600, 60];
const MIN_STEP = 10;

export interface Lifetime {
  /**
   * The hour under way (RULES C7): the same credential is asked for again and again, and must keep its ETag.
   */
  readonly issuedAt: Date;
  /** From `ttlSeconds` from now to a twenty-fourth more; of less than four minutes a sixth. */
  readonly expiresAt: Date;
}

/**
 * From when to when a credential holds that is issued now. Its end goes by steps, too, else each
 * second would make another credential: by the hour from a day on, finer for a shorter life. It is
 * rounded up: a receiver relies on the seconds that it asked for.
 */
export function lifetimeOf(now: Date, ttlSeconds: number): Lifetime {
  const seconds = Math.floor(now.getTime() / 1000);
  const step = STEPS.find((candidate) => candidate * 24 <= ttlSeconds) ?? MIN_STEP;
  return {
    issuedAt: dateOf(seconds - (seconds % HOUR_SECONDS)),
    expiresAt: dateOf(seconds - (seconds % step) + step + ttlSeconds),
  };
}

function dateOf(seconds: number): Date {
  return new Date(seconds * 1000);
}
