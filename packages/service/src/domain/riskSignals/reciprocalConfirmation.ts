import { countBy, type Detector, severityOf, share } from './riskFacts.js';

/**
 * RECIPROCAL_CONFIRMATION: an attester whose own events the subject confirms. Reciprocity of a
 * pair: 2·min(a, b) / (a + b). The severity depends on such attesters' share of the subject's
 * attested events.
 */
export const reciprocalConfirmation: Detector = ({ self, events, confirmations, names }) => {
  const received = countBy(events, ({ attester }) => attester);
  const pairs = [...received]
    .map(([attester, count]) => ({
      attester,
      received: count,
      given: confirmations.get(attester)?.get(self) ?? 0,
    }))
    .filter(({ given }) => given > 0)
    .sort((left, right) => weightOf(right) - weightOf(left) || (left.attester < right.attester ? -1 : 1));
  const [strongest] = pairs;
  if (!strongest) return null;
  const attested = [...received.values()].reduce((sum, count) => sum + count, 0);
  const mutual = pairs.reduce((sum, pair) => sum + pair.received, 0);
  const mutualShare = share(mutual, attested);
  const severity = severityOf(mutualShare, { low: 0, elevated: 0.2, high: mutual >= 5 ? 0.5 : 2 });
  if (!severity) return null;
  return {
    severity,
    evidence: {
      witness: names.get(strongest.attester) ?? strongest.attester,
      received: strongest.received,
      given: strongest.given,
      reciprocity: share(2 * weightOf(strongest), strongest.received + strongest.given),
      pairs: pairs.length,
      witnessedEvents: attested,
      mutualShare,
    },
  };
};

function weightOf({ received, given }: { received: number; given: number }): number {
  return Math.min(received, given);
}
