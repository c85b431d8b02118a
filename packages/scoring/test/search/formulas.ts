import { type Half, weigh } from '../../src/halves.js';
import { exactScore } from '../../src/score.js';
import type { Formula } from './rules.js';

/** The current formula of the package. */
export const currentFormula: Formula = (tallies, asOf) => exactScore(weigh(tallies, asOf));

/**
 * The first, unreleased draft of the formula. It breaks its own rules, so the search can be tested
 * with it.
 */
export const draftFormula: Formula = (tallies, asOf) => {
  const { verified, unverified } = weigh(tallies, asOf);
  // the error: below the anchor open contests counted as full evidence, above it as none
  const known = (half: Half) => (half.quality < 20 ? half.mass : half.evidence);
  const reach = known(verified) / (known(verified) + 3);
  const room = 3 / (verified.evidence + 3);
  const supported = 20 + (verified.quality - 20) * reach;
  const unverifiedReach = (0.2 * known(unverified)) / (known(unverified) + 20);
  let points = supported + (unverified.quality - 20) * room * unverifiedReach;
  if (verified.sums.breach === 0) points = Math.max(points, 20);
  if (verified.evidence === 0) points = Math.min(points, 34.99);
  if (supported < 65) points = Math.min(points, 64.99);
  return Math.min(100, Math.max(0, points));
};
