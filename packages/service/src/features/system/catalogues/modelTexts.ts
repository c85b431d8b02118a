import { model } from '@reliability/scoring';

const { anchor, evidenceHalf, unverifiedGateMax, unprovenCeiling, weights } = model;

/** The formula in one sentence. */
export const modelExplanation =
  `A record starts between ${anchor * (1 - unverifiedGateMax)} and ${unprovenCeiling}, depending on its unverified outcomes, ` +
  'and moves from there towards the quality of its verified outcomes: ' +
  `a verified mass of M moves it M / (M + ${evidenceHalf}) of the way.`;

/**
 * Limits of what a score says, and the scores of steady records; a test recomputes these figures.
 */
export const modelLimits: readonly string[] = [
  'The score measures proven reliability. It is not the probability that the next job succeeds.',
  `Unverified successes beside verified ones lower the verification depth. This costs at most ${100 * weights.verification} points.`,
  'One verified, punctual job a month, of stake MEDIUM, settles near 75 points from a platform of tier GROWTH and near 72 from STARTER; ' +
    'one every two months settles near 62 and near 58.',
];
