import { DAY_MS } from '../timestamp.js';
import { countBy, type Detector, mostOf, type RiskEvent, severityOf, share } from './riskFacts.js';

const LEAST_SHARE = 0.1;

/**
 * BULK_SAME_INSTANT: five or more events, and a tenth of all, at one and the same millisecond: that of completion, or of the
 * report where there is none. Midnight UTC is how systems write a day without a time, so completions there are left out.
 */
export const bulkSameInstant: Detector = ({ events }) => {
  const most = mostOf(countBy(events, instantOf));
  if (!most) return null;
  const severity = severityOf(most.count, { low: 5, elevated: 20, high: 100 });
  if (!severity || most.count < LEAST_SHARE * events.length) return null;
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
function instantOf({ completedAt, createdAt }: RiskEvent): string | null {
  if (!completedAt) return String(createdAt.getTime());
  const ms = completedAt.getTime();
  return ms % DAY_MS === 0 ? null : String(ms);
}
