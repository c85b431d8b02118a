import { DAY_MS } from '../timestamp.js';
import {
  countBy,
  type Detector,
  happenedAt,
  mostOf,
  type RiskEvent,
  severityOf,
  share,
} from './riskFacts.js';

const MIN_SHARE = 0.1;

/**
 * BULK_SAME_INSTANT: five or more outcomes, and a tenth of all, that happened in one and the same
 * millisecond. Midnight UTC is how systems write a day without a time, so dates there are left out.
 */
export const bulkSameInstant: Detector = ({ events }) => {
  const most = mostOf(countBy(events, instantOf));
  if (!most) return null;
  const severity = severityOf(most.count, { low: 5, elevated: 20, high: 100 });
  if (!severity || most.count < MIN_SHARE * events.length) return null;
  return {
    severity,
    evidence: {
      at: new Date(Number(most.key)).toISOString(),
      eventsAtOnce: most.count,
      shareOfEvents: share(most.count, events.length),
    },
  };
};

/** In milliseconds. */
function instantOf(event: RiskEvent): string | null {
  const ms = happenedAt(event)?.getTime();
  if (ms === undefined) return null;
  const isDay = ms % DAY_MS === 0 && ms !== event.createdAt.getTime();
  return isDay ? null : String(ms);
}
