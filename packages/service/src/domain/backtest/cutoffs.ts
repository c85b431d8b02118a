import type { Day, ReplayBy } from '@reliability/scoring';

export interface BacktestOptions {
  /** Whether an event is known from its report on or from the day it happened. */
  readonly by: ReplayBy;
  readonly everyDays: number;
  /** Days after a cut-off whose outcomes count. */
  readonly horizonDays: number;
  /** First and last possible cut-off. Null: from the first event, up to the last with a whole horizon. */
  readonly from: Day | null;
  readonly to: Day | null;
}

export const DEFAULT_EVERY_DAYS = 30;
export const DEFAULT_HORIZON_DAYS = 90;
/** Of both options, in days. */
export const MAX_STEP_DAYS = 3660;

/** The cut-offs of a backtest: a UTC day each, all the same distance apart. */
export interface Cutoffs {
  readonly days: readonly Day[];
  /** Earlier ones that were left out to bound the work. */
  readonly leftOut: number;
}

/** Fifty years of months, or a year and a half of days. */
export const MAX_CUTOFFS = 600;

/**
 * From the first day in steps, while the horizon has ended: its last day is before today. Past
 * MAX_CUTOFFS the latest are kept.
 * @param firstEventOn null: there is no event.
 */
export function cutoffsOf(
  { from, to, everyDays, horizonDays }: BacktestOptions,
  firstEventOn: Day | null,
  today: Day,
): Cutoffs {
  const first = from ?? firstEventOn;
  if (first === null) return { days: [], leftOut: 0 };
  const last = Math.min(to ?? Number.POSITIVE_INFINITY, today - horizonDays);
  const count = Math.max(0, Math.floor((last - first) / everyDays) + 1);
  const leftOut = Math.max(0, count - MAX_CUTOFFS);
  const days = Array.from({ length: count - leftOut }, (_, index) => first + (leftOut + index) * everyDays);
  return { days, leftOut };
}
