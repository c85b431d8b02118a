import { model } from '@reliability/scoring';

const { anchor, evidenceHalf, unverifiedGateMax, unprovenCeiling, weights } = model;

/** The formula in one sentence. */
export const modelExplanation =
  `A record starts between ${anchor * (1 - unverifiedGateMax)} and ${unprovenCeiling}, depending on its unverified outcomes, ` +
  'and moves from there towards the quality of its verified outcomes, ' +
  `M of which carry it M / (M + ${evidenceHalf}) of the way.`;

/** What a score does not say, and what a steady record comes to; a test computes those figures again. */
export const modelLimits: readonly string[] = [
  'The score says how much reliability is proven. It is not the probability that the next job succeeds.',
  `Unverified successes beside verified ones lower the verification depth. That costs ${100 * weights.verification} points at most.`,
  'One verified, punctual job a month, of stake MEDIUM, settles near 75 points from a platform of tier GROWTH and near 72 from STARTER; ' +
    'one every two months settles near 62 and near 58.',
];
