import { outcomeClassOf } from '@reliability/scoring';
import { DAY_MS } from '../timestamp.js';
import { chanceOfAsMany } from './chanceOfAsMany.js';
import { type Detector, type Finding, happenedAt, type RiskEvent, severityOf } from './riskFacts.js';

/** The days before the HIGH outcome in which a burst counts. */
const BURST_DAYS = 7;
/** How far before and after them the usual pace is measured. */
const USUAL_DAYS = 90;
const MIN_COUNT = 10;
const UNLIKELY = 1e-4;

interface Dated {
  readonly event: RiskEvent;
  readonly ms: number;
}

/**
 * LOW_BEFORE_HIGH: ten or more positive LOW outcomes in the week before a HIGH outcome, the first
 * one for 90 days, where the pace of the 90 days before and after makes so many improbable
 * (Poisson, below 0.0001). Small favours buy the trust for one large job. Who is always busy goes
 * on after it.
 */
export const lowBeforeHigh: Detector = ({ events, now }) => {
  const dated = events
    .flatMap((event): Dated[] => {
      const ms = happenedAt(event)?.getTime();
      return ms === undefined || outcomeClassOf(event.eventType) === 'none' ? [] : [{ event, ms }];
    })
    .sort((left, right) => left.ms - right.ms);
  const high = dated.filter(({ event }) => event.stakeLevel === 'HIGH');
  const low = dated.filter(({ event }) => isPositiveLow(event)).map(({ ms }) => ms);
  const known = { first: dated[0]?.ms ?? 0, last: now.getTime() };
  let worst: { finding: Finding; count: number } | null = null;
  for (const [index, one] of high.entries()) {
    const before = high[index - 1];
    if (before && one.ms - before.ms < USUAL_DAYS * DAY_MS) continue;
    const finding = burstBefore(one, low, known);
    if (finding && (!worst || finding.count > worst.count)) worst = finding;
  }
  return worst?.finding ?? null;
};

function burstBefore({ event, ms }: Dated, low: readonly number[], known: { first: number; last: number }) {
  const start = ms - BURST_DAYS * DAY_MS;
  const usualFrom = Math.min(start, Math.max(known.first, ms - USUAL_DAYS * DAY_MS));
  const usualTo = Math.min(known.last, ms + USUAL_DAYS * DAY_MS);
  const count = low.filter((at) => at >= start && at <= ms).length;
  const around = low.filter((at) => at >= usualFrom && at <= usualTo).length - count;
  const days = (start - usualFrom + usualTo - ms) / DAY_MS;
  const usual = (BURST_DAYS * Math.max(around, 1)) / Math.max(days, BURST_DAYS);
  if (count < MIN_COUNT || chanceOfAsMany(count, usual) >= UNLIKELY) return null;
  const isPositive = outcomeClassOf(event.eventType) === 'positive';
  const severity = severityOf(count, {
    low: MIN_COUNT,
    elevated: isPositive ? 50 : MIN_COUNT,
    ...(isPositive ? {} : { high: 50 }),
  });
  const evidence = {
    highAt: new Date(ms).toISOString(),
    highOutcome: event.eventType,
    lowBefore: count,
    usualInAsManyDays: Math.round(usual * 100) / 100,
    days: BURST_DAYS,
  };
  return severity && { finding: { severity, evidence }, count };
}

function isPositiveLow({ eventType, stakeLevel }: RiskEvent): boolean {
  return stakeLevel === 'LOW' && outcomeClassOf(eventType) === 'positive';
}
