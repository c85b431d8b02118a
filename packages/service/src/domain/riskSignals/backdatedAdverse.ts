import { occurredAt, outcomeClassOf } from '@reliability/scoring';
import { DAY_MS } from '../timestamp.js';
import { type Detector, type RiskEvent, severityOf } from './riskFacts.js';

/** Later reports are not usual. */
const USUAL_DELAY_DAYS = 30;
/** The half-life of the formula: by then half of the weight is gone. */
const HALF_LIFE_DAYS = 180;

/**
 * BACKDATED_ADVERSE: breaches and contested outcomes dated more than 30 days before their report.
 * Old outcomes weigh less, so an old date hides them. Imports are left out: they are old by nature.
 */
export const backdatedAdverse: Detector = ({ events }) => {
  const adverse = events.filter((event) => !event.imported && isAdverse(event));
  const delays = adverse.map(delayDaysOf).filter((days) => days > USUAL_DELAY_DAYS);
  if (delays.length === 0) return null;
  const beyondHalfLife = delays.filter((days) => days > HALF_LIFE_DAYS).length;
  const severity = severityOf(beyondHalfLife, { low: 0, elevated: 1, high: 3 });
  if (!severity) return null;
  return {
    severity,
    evidence: {
      backdatedOutcomes: delays.length,
      adverseOutcomes: adverse.length,
      longestDelayDays: Math.floor(Math.max(...delays)),
    },
  };
};

function isAdverse({ eventType }: RiskEvent): boolean {
  const outcomeClass = outcomeClassOf(eventType);
  return outcomeClass === 'breach' || outcomeClass === 'contested';
}

function delayDaysOf(event: RiskEvent): number {
  return (event.createdAt.getTime() - occurredAt(event).getTime()) / DAY_MS;
}
