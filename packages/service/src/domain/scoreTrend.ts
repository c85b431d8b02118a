import { type Day, type ReplayEntry, replay } from '@reliability/scoring';
import { pointsBetween } from './factorChange.js';
import type { PublishedScore } from './scoreCourse.js';

export const TREND_DAYS = 90;

/** A published score compared with an earlier day. */
export interface ScoreTrend {
  readonly day: Day;
  /** The score of the outcomes that had happened by then. */
  readonly finalScore: number;
  /** Points from then until the published score. */
  readonly change: number;
}

/** Null if no outcome is that old. @param entries by outcome. */
export function trendOf(
  entries: readonly ReplayEntry[],
  { asOf, finalScore }: Pick<PublishedScore, 'asOf' | 'finalScore'>,
): ScoreTrend | null {
  const day = asOf - TREND_DAYS;
  const [then] = replay(entries, [day]);
  if (!then) return null;
  return { day, finalScore: then.finalScore, change: pointsBetween(then.finalScore, finalScore) };
}

export function trendText({ finalScore, change }: ScoreTrend): string {
  const then = `${TREND_DAYS} days earlier it was ${finalScore.toFixed(2)}`;
  if (change === 0) return `${then}, too.`;
  return `${then}, so it ${change > 0 ? 'rose' : 'fell'} by ${Math.abs(change).toFixed(2)} points.`;
}
