import { fourDecimals } from '../share.js';
import { countBy, type Detector, mostOf, severityOf, share } from './riskFacts.js';

const MIN_ATTESTED = 5;

/**
 * SINGLE_WITNESS: one attester confirmed more than half of the events with a named attester.
 * Reports the Herfindahl index and its inverse, the effective number of attesters.
 */
export const singleWitness: Detector = ({ events, names }) => {
  const counts = countBy(events, ({ attester }) => attester);
  const attested = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const most = mostOf(counts);
  if (!most || attested < MIN_ATTESTED || most.count * 2 <= attested) return null;
  const topShare = share(most.count, attested);
  const severity = severityOf(topShare, { low: 0, elevated: 0.75, high: attested >= 10 ? 0.9 : 2 });
  if (!severity) return null;
  const index = [...counts.values()].reduce((sum, count) => sum + (count / attested) ** 2, 0);
  return {
    severity,
    evidence: {
      witness: names.get(most.key) ?? most.key,
      confirmedByIt: most.count,
      witnessedEvents: attested,
      distinctWitnesses: counts.size,
      topShare,
      concentration: fourDecimals(index),
      effectiveWitnesses: Math.round(100 / index) / 100,
    },
  };
};
