import { scoreBands } from '@reliability/scoring';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BLANK_STATE, monitorCrossings, policyCrossing, type ScoreState } from '#domain/crossings.js';
import { componentNames, type PolicyTerms } from '#domain/envelopes/scoreEnvelopes.js';

// Few values, so that states are often equal, or exactly on a threshold.
const figure = fc.constantFrom(12, 20, 59.99, 60, 60.01, 100);
const band = fc.constantFrom(...scoreBands);
const known = Object.fromEntries(componentNames.map((name) => [name, fc.option(figure)]));
const anyState = fc.record({
  score: figure,
  band,
  verifiedEvents: fc.nat(5),
  components: fc.option(fc.record(known)),
}) as unknown as fc.Arbitrary<ScoreState>;
const state = fc.oneof(
  { weight: 6, arbitrary: anyState },
  { weight: 1, arbitrary: fc.constant(BLANK_STATE) },
);

/** A value on a threshold is on neither side: leaving it crosses, reaching it does not. */
function crosses(direction: 'below' | 'above', threshold: number, from: unknown, to: unknown): boolean {
  if (typeof from !== 'number' || typeof to !== 'number') return false;
  const isBeyond = (value: number) => (direction === 'below' ? value < threshold : value > threshold);
  return !isBeyond(from) && isBeyond(to);
}

test('a monitor fires once for each of its conditions that a change crosses', () => {
  const terms = fc.record({
    belowScore: fc.option(figure),
    aboveScore: fc.option(figure),
    onBandChange: fc.boolean(),
  });
  fc.assert(
    fc.property(terms, state, state, (watched, before, after) => {
      const { belowScore, aboveScore, onBandChange } = watched;
      const expected = [];
      if (belowScore !== null && crosses('below', belowScore, before.score, after.score))
        expected.push({ condition: 'below_score', threshold: belowScore });
      if (aboveScore !== null && crosses('above', aboveScore, before.score, after.score))
        expected.push({ condition: 'above_score', threshold: aboveScore });
      if (onBandChange && before.band !== after.band)
        expected.push({ condition: 'band_change', threshold: null });
      expect(monitorCrossings(watched, before, after)).toEqual(expected);
    }),
    { numRuns: 1000 },
  );
});

const nothing = { threshold: null, component: null, band: null };

test('a policy on a figure is crossed in its direction, if the figure is known before and after', () => {
  const terms = fc.record({
    watched: fc.constantFrom<'score' | 'verifiedEvents' | (typeof componentNames)[number]>(
      'score',
      'verifiedEvents',
      ...componentNames,
    ),
    direction: fc.constantFrom('below' as const, 'above' as const),
    threshold: fc.oneof(figure, fc.nat(5)),
  });
  fc.assert(
    fc.property(terms, state, state, ({ watched, direction, threshold }, before, after) => {
      const isComponent = watched !== 'score' && watched !== 'verifiedEvents';
      const metric = isComponent ? 'component' : watched === 'score' ? 'score' : 'verified_events';
      const policy: PolicyTerms = { ...nothing, metric, direction, threshold };
      const figureOf = (of: ScoreState) => (isComponent ? (of.components?.[watched] ?? null) : of[watched]);
      const [previous, current] = [figureOf(before), figureOf(after)];
      const expected = crosses(direction, threshold, previous, current) ? { previous, current } : null;
      const given = isComponent ? { ...policy, component: watched } : policy;
      expect(policyCrossing(given, before, after)).toEqual(expected);
    }),
    { numRuns: 1000 },
  );
});

test.each([
  ['enter', 'Fair', 'Good', true],
  ['enter', 'Good', 'Good', false],
  ['enter', 'Good', 'Fair', false],
  ['leave', 'Good', 'Fair', true],
  ['leave', 'Fair', 'Fair', false],
  ['leave', 'Fair', 'Good', false],
] as const)('a policy on the band: %s Good, from %s to %s', (direction, before, after, isCrossed) => {
  const terms: PolicyTerms = { ...nothing, metric: 'band', direction, band: 'Good' };
  const expected = isCrossed ? { previous: before, current: after } : null;
  expect(policyCrossing(terms, { ...BLANK_STATE, band: before }, { ...BLANK_STATE, band: after })).toEqual(
    expected,
  );
});

test('the first score is compared with a blank record', () => {
  expect(BLANK_STATE).toEqual({
    score: 20,
    band: 'Unproven',
    verifiedEvents: 0,
    components: null,
    attesters: { distinct: 0, largestShare: 0 },
  });
});
