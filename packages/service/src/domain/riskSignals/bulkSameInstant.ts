import { countBy, type Detector, momentOf, mostOf, type RiskEvent, severityOf, share } from './riskFacts.js';

const MIN_SHARE = 0.1;

/**
 * BULK_SAME_INSTANT: five or more outcomes, and a tenth of all, that happened in one and the same
 * millisecond. Dates without a time are left out.
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

function instantOf(event: RiskEvent): string | null {
  const ms = momentOf(event);
  return ms === null ? null : String(ms);
}
