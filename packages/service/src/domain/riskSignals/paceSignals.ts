import { dayOf, isoFromDay, outcomeClassOf } from '@reliability/scoring';
import { DAY_MS } from '../timestamp.js';
import {
  type Finding,
  findingOf,
  happenedAt,
  isPositive,
  momentOf,
  type RiskEvent,
  type RiskFacts,
  type Signal,
  share,
} from './riskFacts.js';

/* Signals of the pace of a subject. */

const WINDOW_DAYS = 90;
/** Days to compare with at least; days before a younger history count as empty. */
const MIN_DAYS = 28;
/** Fewer events in a day or a week are never a burst. */
const MIN_COUNT = 10;
/** Iglewicz and Hoaglin: modified z-scores above this are outliers. */
const OUTLIER = 3.5;
const UNLIKELY = 1e-4;

/**
 * Modified z-score 0.6745·(x − median)/MAD; where the MAD is 0, a Poisson chance, given the mean of
 * the other days. History that is reported late counts on the days it is about, so a backfill is no burst.
 */
export const velocityBurst: Signal = (facts) => {
  const { first, counts } = dailyCounts(facts);
  const count = Math.max(...counts);
  const usual = medianOf(counts);
  const mad = medianOf(counts.map((value) => Math.abs(value - usual)));
  const deviation = mad === 0 ? null : (0.6745 * (count - usual)) / mad;
  const isBurst =
    deviation === null ? chanceOfAsMany(count, meanOfOthers(counts, count)) < UNLIKELY : deviation > OUTLIER;
  if (!isBurst) return null;
  return findingOf(
    count,
    { low: MIN_COUNT, elevated: 50, high: 200 },
    {
      date: isoFromDay(first + counts.indexOf(count)),
      eventsThatDay: count,
      usualPerDay: usual,
      deviation: deviation === null ? null : Math.round(deviation * 100) / 100,
      daysLookedAt: counts.length,
    },
  );
};

/**
 * Outcomes per day up to today. Where not all events were looked at, only days of which all were: the oldest
 * report among the latest events bounds them, since an outcome is never reported before it happens.
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

/** P(X ≥ count) of a Poisson distribution; summed from `count` upwards, where little is lost to rounding. */
function chanceOfAsMany(count: number, mean: number): number {
  if (count <= mean) return 1;
  let logTerm = -mean;
  for (let index = 1; index <= count; index += 1) logTerm += Math.log(mean / index);
  let term = Math.exp(logTerm);
  let sum = 0;
  for (let index = count; term > sum * 1e-12 && index < count + 10_000; index += 1) {
    sum += term;
    term *= mean / (index + 1);
  }
  return Math.min(1, sum);
}

/** The days before the HIGH outcome in which a burst counts. */
const BURST_DAYS = 7;
/** How far before and after them the usual pace is measured. */
const USUAL_DAYS = 90;

/** Small favours buy the trust for one large job. Who is always busy goes on after it. */
export const lowBeforeHigh: Signal = ({ events, now }) => {
  const dated = events
    .flatMap((event): Dated[] => {
      const ms = happenedAt(event)?.getTime();
      return ms === undefined || outcomeClassOf(event.eventType) === 'none' ? [] : [{ event, ms }];
    })
    .sort((left, right) => left.ms - right.ms);
  const high = dated.filter(({ event }) => event.stakeLevel === 'HIGH');
  const low = dated
    .filter(({ event }) => event.stakeLevel === 'LOW' && isPositive(event))
    .map(({ ms }) => ms);
  const known = { first: dated[0]?.ms ?? 0, last: now.getTime() };
  const bursts = high.flatMap((one, index) => {
    const before = high[index - 1];
    return before && one.ms - before.ms < USUAL_DAYS * DAY_MS ? [] : burstBefore(one, low, known);
  });
  // Of equals the first.
  return bursts.sort((left, right) => right.count - left.count)[0]?.finding ?? null;
};

interface Dated {
  readonly event: RiskEvent;
  readonly ms: number;
}

interface Burst {
  readonly finding: Finding;
  readonly count: number;
}

function burstBefore(
  { event, ms }: Dated,
  low: readonly number[],
  known: { first: number; last: number },
): Burst[] {
  const start = ms - BURST_DAYS * DAY_MS;
  const usualFrom = Math.min(start, Math.max(known.first, ms - USUAL_DAYS * DAY_MS));
  const usualTo = Math.min(known.last, ms + USUAL_DAYS * DAY_MS);
  const count = low.filter((at) => at >= start && at <= ms).length;
  const around = low.filter((at) => at >= usualFrom && at <= usualTo).length - count;
  const days = (start - usualFrom + usualTo - ms) / DAY_MS;
  const usual = (BURST_DAYS * Math.max(around, 1)) / Math.max(days, BURST_DAYS);
  if (chanceOfAsMany(count, usual) >= UNLIKELY) return [];
  const finding = findingOf(
    count,
    isPositive(event) ? { low: MIN_COUNT, elevated: 50 } : { elevated: MIN_COUNT, high: 50 },
    {
      highAt: new Date(ms).toISOString(),
      highOutcome: event.eventType,
      lowBefore: count,
      usualInAsManyDays: Math.round(usual * 100) / 100,
      days: BURST_DAYS,
    },
  );
  return finding ? [{ finding, count }] : [];
}

const DORMANT_DAYS = 180;
const BUSY_DAYS = 30;
/** Older returns are not reported. */
const RECENT_DAYS = 365;

/** Reports the latest such return. History that is reported late fills the gap. */
export const dormantThenActive: Signal = ({ events, now }) => {
  const times = events
    .flatMap((event) => happenedAt(event)?.getTime() ?? [])
    .sort((left, right) => left - right);
  const earliest = now.getTime() - RECENT_DAYS * DAY_MS;
  for (let index = times.length - 1; index > 0; index -= 1) {
    const before = times[index - 1] ?? 0;
    const back = times[index] ?? 0;
    if (back < earliest) return null;
    if (back - before < DORMANT_DAYS * DAY_MS) continue;
    const since = times.slice(index).filter((time) => time < back + BUSY_DAYS * DAY_MS).length;
    const finding = findingOf(
      since,
      { low: 10, elevated: 30, high: 100 },
      {
        dormantDays: Math.floor((back - before) / DAY_MS),
        activeAgainAt: new Date(back).toISOString(),
        eventsIn30Days: since,
        eventsBefore: index,
      },
    );
    if (finding) return finding;
  }
  return null;
};

const WINDOW_MINUTES = 10;
const WINDOW_MS = WINDOW_MINUTES * 60_000;
const MIN_SHARE = 0.1;
/** As for the velocity guard (RULES S17): agents and organizations do many things at a time. */
const TIMES_FOR_OTHERS = 20;

export const positivesWithinMinutes: Signal = ({ events, subjectType }) => {
  const times = events
    .filter((event) => !event.imported && isPositive(event))
    .flatMap((event) => momentOf(event) ?? [])
    .sort((left, right) => left - right);
  let most = { count: 0, from: 0 };
  let start = 0;
  for (const [end, ms] of times.entries()) {
    while (ms - (times[start] ?? ms) > WINDOW_MS) start += 1;
    if (end - start + 1 > most.count) most = { count: end - start + 1, from: times[start] ?? ms };
  }
  if (most.count < MIN_SHARE * events.length) return null;
  const factor = subjectType === 'PERSON' ? 1 : TIMES_FOR_OTHERS;
  return findingOf(
    most.count,
    { low: 5 * factor, elevated: 20 * factor, high: 100 * factor },
    {
      from: new Date(most.from).toISOString(),
      positivesTogether: most.count,
      minutes: WINDOW_MINUTES,
      shareOfEvents: share(most.count, events.length),
    },
  );
};
