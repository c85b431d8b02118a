import type { ScoreBand } from '@reliability/scoring';
import { describe, expect, test } from 'vitest';
import {
  BLANK_STATE,
  type MonitorTerms,
  monitorCrossings,
  policyCrossing,
  type ScoreState,
} from '#domain/crossings.js';
import type { PolicyTerms } from '#domain/envelopes/scoreEnvelopes.js';

const components = {
  reliability: 80,
  timeliness: null,
  trustworthiness: 100,
  verification: 50,
  consistency: null,
  momentum: 50,
};

function at(score: number, band: ScoreBand = 'Fair', more: Partial<ScoreState> = {}): ScoreState {
  return { score, band, verifiedEvents: 0, components, ...more };
}

function watching(terms: Partial<MonitorTerms>): MonitorTerms {
  return { belowScore: null, aboveScore: null, onBandChange: false, ...terms };
}

function policy(terms: Partial<PolicyTerms>): PolicyTerms {
  return { metric: 'score', direction: 'below', threshold: null, component: null, band: null, ...terms };
}

describe('a threshold on a score', () => {
  test.each([
    ['falls from above to below', 60.01, 59.99, true, false],
    ['falls from the threshold', 60, 59.99, true, false],
    ['falls to the threshold', 60.01, 60, false, false],
    ['rises from below to above', 59.99, 60.01, false, true],
    ['rises from the threshold', 60, 60.01, false, true],
    ['rises to the threshold', 59.99, 60, false, false],
    ['falls further', 59, 58, false, false],
    ['rises further', 61, 62, false, false],
    ['stays on it', 60, 60, false, false],
  ])('that %s', (_, before, after, isBelow, isAbove) => {
    const fired = (terms: Partial<MonitorTerms>) => monitorCrossings(watching(terms), at(before), at(after));
    expect(fired({ belowScore: 60 })).toEqual(isBelow ? [{ condition: 'below_score', threshold: 60 }] : []);
    expect(fired({ aboveScore: 60 })).toEqual(isAbove ? [{ condition: 'above_score', threshold: 60 }] : []);
    for (const [direction, isCrossed] of [
      ['below', isBelow],
      ['above', isAbove],
    ] as const) {
      const crossing = policyCrossing(policy({ direction, threshold: 60 }), at(before), at(after));
      expect(crossing).toEqual(isCrossed ? { previous: before, current: after } : null);
    }
  });

  test('is crossed in both directions by one change only with two thresholds', () => {
    const both = watching({ belowScore: 70, aboveScore: 40 });
    expect(monitorCrossings(both, at(80), at(30)).map(({ condition }) => condition)).toEqual(['below_score']);
    expect(monitorCrossings(both, at(30), at(80)).map(({ condition }) => condition)).toEqual(['above_score']);
  });
});

describe('a change of band', () => {
  test('fires in both directions, also together with a threshold', () => {
    const terms = watching({ belowScore: 60, onBandChange: true });
    expect(monitorCrossings(terms, at(66, 'Good'), at(58, 'Fair'))).toEqual([
      { condition: 'below_score', threshold: 60 },
      { condition: 'band_change', threshold: null },
    ]);
    expect(monitorCrossings(terms, at(58, 'Fair'), at(66, 'Good'))).toEqual([
      { condition: 'band_change', threshold: null },
    ]);
    expect(monitorCrossings(terms, at(66, 'Good'), at(67, 'Good'))).toEqual([]);
  });

  test.each([
    ['enter', 'Fair', 'Good', true],
    ['enter', 'Good', 'Good', false],
    ['enter', 'Good', 'Fair', false],
    ['leave', 'Good', 'Fair', true],
    ['leave', 'Fair', 'Fair', false],
    ['leave', 'Fair', 'Good', false],
  ] as const)('%s Good: from %s to %s', (direction, before, after, isCrossed) => {
    const terms = policy({ metric: 'band', direction, band: 'Good' });
    const expected = isCrossed ? { previous: before, current: after } : null;
    expect(policyCrossing(terms, at(50, before), at(50, after))).toEqual(expected);
  });
});

describe('other metrics', () => {
  test('a component crosses if both values are known', () => {
    const terms = policy({
      metric: 'component',
      direction: 'below',
      component: 'reliability',
      threshold: 70,
    });
    const fallen = at(50, 'Fair', { components: { ...components, reliability: 60 } });
    expect(policyCrossing(terms, at(50), fallen)).toEqual({ previous: 80, current: 60 });
    expect(policyCrossing(terms, at(50, 'Fair', { components: null }), fallen)).toBeNull();
    expect(policyCrossing({ ...terms, component: 'timeliness' }, at(50), fallen)).toBeNull();
    const unknown = at(50, 'Fair', { components: { ...components, reliability: null } });
    expect(policyCrossing(terms, at(50), unknown)).toBeNull();
    expect(policyCrossing(terms, unknown, fallen)).toBeNull();
    expect(policyCrossing(terms, BLANK_STATE, fallen)).toBeNull();
  });

  test('the number of verified events crosses', () => {
    const terms = policy({ metric: 'verified_events', direction: 'above', threshold: 4 });
    const [four, five] = [at(50, 'Fair', { verifiedEvents: 4 }), at(50, 'Fair', { verifiedEvents: 5 })];
    expect(policyCrossing(terms, four, five)).toEqual({ previous: 4, current: 5 });
    expect(policyCrossing(terms, five, five)).toBeNull();
  });
});

describe('the first score', () => {
  test('is compared with the baseline', () => {
    expect(BLANK_STATE).toEqual({
      score: 20,
      band: 'Unproven',
      verifiedEvents: 0,
      components: null,
      attesters: { distinct: 0, largestShare: 0 },
    });
    const band = watching({ onBandChange: true });
    expect(monitorCrossings(band, BLANK_STATE, at(36, 'Building'))).toHaveLength(1);
    expect(monitorCrossings(band, BLANK_STATE, at(24, 'Unproven'))).toEqual([]);
    expect(monitorCrossings(watching({ aboveScore: 30 }), BLANK_STATE, at(36))).toHaveLength(1);
    expect(monitorCrossings(watching({ belowScore: 30 }), BLANK_STATE, at(24))).toEqual([]);
    expect(monitorCrossings(watching({ belowScore: 20 }), BLANK_STATE, at(12))).toHaveLength(1);
  });
});
