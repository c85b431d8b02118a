import { type Detector, severityOf, share } from './riskFacts.js';

/** ANSWERED_BY_ASKER: confirmed requests whose answer came with the key or from the network of the request that asked. */
export const answeredByAsker: Detector = ({ answers: { confirmed, byAsker } }) => {
  if (byAsker === 0) return null;
  const askerShare = share(byAsker, confirmed);
  const severity = severityOf(askerShare, {
    low: 0,
    elevated: byAsker >= 5 ? 0.5 : 2,
    high: byAsker >= 10 ? 0.9 : 2,
  });
  return severity && { severity, evidence: { answeredByAsker: byAsker, confirmed, askerShare } };
};
