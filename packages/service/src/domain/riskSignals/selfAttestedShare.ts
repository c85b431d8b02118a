import { outcomeClassOf } from '@reliability/scoring';
import { type Detector, severityOf, share } from './riskFacts.js';

const MIN_POSITIVE = 5;

/** SELF_ATTESTED_SHARE: positive outcomes that nobody else confirmed, half of them or more. */
export const selfAttestedShare: Detector = ({ events }) => {
  const positive = events.filter(({ eventType }) => outcomeClassOf(eventType) === 'positive');
  if (positive.length < MIN_POSITIVE) return null;
  const unverified = positive.filter(({ isVerified }) => !isVerified).length;
  const selfAttested = share(unverified, positive.length);
  const severity = severityOf(selfAttested, { low: 0.5, elevated: positive.length >= 10 ? 0.9 : 2 });
  if (!severity) return null;
  return {
    severity,
    evidence: {
      positiveOutcomes: positive.length,
      selfAttested: unverified,
      selfAttestedShare: selfAttested,
    },
  };
};
