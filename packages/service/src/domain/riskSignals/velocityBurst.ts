import { dayOf, isoFromDay } from '@reliability/scoring';
import { chanceOfAsMany } from './chanceOfAsMany.js';
import { type Detector, happenedAt, type RiskFacts, severityOf } from './riskFacts.js';

const WINDOW_DAYS = 90;
/** Days to compare with at least; days before a younger history count as empty. */
const MIN_DAYS = 28;
/** Fewer events per day are never a burst. */
const MIN_COUNT = 10;
/** Iglewicz and Hoaglin: modified z-scores above this are outliers. */
const OUTLIER = 3.5;
const UNLIKELY = 1e-4;

/**
 * VELOCITY_BURST: the UTC day of the last 90 on which most outcomes happened, against the usual
 * day. History that is reported late counts on the days it is about, so a backfill is no burst.
 * Imports are left out, as by the guard that freezes scores. Modified z-score 0.6745·(x −
 * median)/MAD above 3.5; where the MAD is 0, a Poisson chance below 0.0001 of so many, given the
 * mean of the other days.
 */
export const velocityBurst: Detector = (facts) => {
  const { first, counts } = dailyCounts(facts);
  const count = Math.max(...counts);
  const medianCount = medianOf(counts);
  const mad = medianOf(counts.map((value) => Math.abs(value - medianCount)));
  const deviation = mad === 0 ? null : (0.6745 * (count - medianCount)) / mad;
  const isBurst =
    count >= MIN_COUNT &&
    (deviation === null
      ? chanceOfAsMany(count, meanOfOthers(counts, count)) < UNLIKELY
      : deviation > OUTLIER);
  const severity = isBurst ? severityOf(count, { low: MIN_COUNT, elevated: 50, high: 200 }) : null;
  if (!severity) return null;
  return {
    severity,
    evidence: {
      date: isoFromDay(first + counts.indexOf(count)),
      eventsThatDay: count,
      usualPerDay: medianCount,
      deviation: deviation === null ? null : Math.round(deviation * 100) / 100,
      daysLookedAt: counts.length,
    },
  };
};

/**
 * Outcomes per day up to today. Where not all events were looked at, only days of which all were:
 * the oldest report among the latest events bounds them, since an outcome is never reported before
 * it happens.
 */
function dailyCounts(facts: RiskFacts): { first: number; counts: number[] } {
  const today = dayOf(facts.now);
  const live = facts.events.filter(({ imported }) => !imported);
  const days = live.flatMap((event) => happenedAt(event) ?? []).map(dayOf);
  const isPartial = facts.events.length < facts.eventsOnRecord;
  const reported = facts.events.map(({ createdAt }) => dayOf(createdAt));
  const covered = isPartial
    ? Math.min(earliest(reported, today) + 1, today)
    : Math.min(earliest(days, today), today - MIN_DAYS + 1);
  const first = Math.max(today - WINDOW_DAYS + 1, covered);
  const counts = new Array<number>(today - first + 1).fill(0);
  for (const day of days) {
    const index = day - first;
    if (index >= 0 && index < counts.length) counts[index] = (counts[index] ?? 0) + 1;
  }
  return { first, counts };
}

function earliest(days: readonly number[], today: number): number {
  return days.reduce((first, day) => Math.min(first, day), today);
}

function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}

/** At least one in four weeks: a subject without earlier events may still start to work. */
function meanOfOthers(counts: readonly number[], peak: number): number {
  const sum = counts.reduce((total, count) => total + count, 0) - peak;
  return Math.max(sum / Math.max(1, counts.length - 1), 1 / MIN_DAYS);
}
