import {
  components,
  type Day,
  mergeTallies,
  platformTiers,
  type ReplayEntry,
  score,
  stakeLevels,
  timelinessValues,
} from '@reliability/scoring';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BLANK_STATE, policyCrossing, type ScoreState } from '#domain/crossings.js';
import { componentNames, type PolicyTerms } from '#domain/envelopes/scoreEnvelopes.js';
import { replayCrossings } from '../../../src/features/notify/policies/replaySlice.js';

const FIRST: Day = 20_000;
const DAYS = 90;
const UNUSED = { threshold: null, component: null, band: null };

const kind = fc.record({
  platformTier: fc.constantFrom(...platformTiers),
  eventType: fc.constantFrom(
    'CONTRACT_FULFILLED',
    'TRANSACTION_COMPLETED',
    'CONTRACT_BREACHED',
    'TRANSACTION_DISPUTED',
    'DISPUTE_RESOLVED_FOR_USER',
  ),
  stakeLevel: fc.constantFrom(...stakeLevels),
  isVerified: fc.boolean(),
  timeliness: fc.constantFrom(...timelinessValues),
});

/** Outcomes from two years before the window to after its end; some disputed ones end. */
const entries = fc
  .array(
    fc.record({
      kind,
      day: fc.integer({ min: FIRST - 730, max: FIRST + DAYS + 5 }),
      count: fc.integer({ min: 1, max: 6 }),
      endsAfter: fc.option(fc.integer({ min: 0, max: 60 })),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((outcomes) =>
    outcomes.flatMap(({ kind: facts, day, count, endsAfter }): ReplayEntry[] => {
      const entry = { ...facts, day, count, entersOn: day };
      if (facts.eventType !== 'TRANSACTION_DISPUTED' || endsAfter === null) return [entry];
      return [entry, { ...entry, count: -count, entersOn: day + endsAfter }];
    }),
  );

describe('the crossings of a replay', () => {
  test('are those of a walk that computes every day, for any condition that the record comes near', () => {
    const found = new Map<string, number>();
    fc.assert(
      fc.property(
        entries,
        fc.integer({ min: 0, max: DAYS }),
        fc.constantFrom(0, 0.01, 0.3),
        (ledger, near, apart) => {
          const states = Array.from({ length: DAYS + 1 }, (_, index) => stateOn(ledger, FIRST - 1 + index));
          for (const condition of conditionsNear(states[near] ?? BLANK_STATE, apart)) {
            const expected = walkEveryDay(condition, states);
            expect(replayCrossings(condition, ledger, FIRST, FIRST + DAYS - 1)).toEqual(expected);
            const figure = condition.component ?? condition.metric;
            found.set(figure, (found.get(figure) ?? 0) + expected.crossings);
          }
        },
      ),
      { numRuns: 150 },
    );
    for (const figure of ['score', 'verified_events', 'band', ...componentNames]) {
      expect([figure, found.get(figure)]).toEqual([figure, expect.toSatisfy((count) => count > 0)]);
    }
  });

  test('do not count the day on which a record loses its last outcome, and with it its score', () => {
    const disputed: ReplayEntry = {
      platformTier: 'ENTERPRISE',
      eventType: 'TRANSACTION_DISPUTED',
      stakeLevel: 'HIGH',
      isVerified: true,
      timeliness: 'on_time',
      day: FIRST - 29,
      count: 1,
      entersOn: FIRST - 29,
    };
    const ledger = [disputed, { ...disputed, count: -1, entersOn: FIRST }];
    const points = stateOn(ledger, FIRST - 1)?.score ?? 0;
    const above: PolicyTerms = { ...UNUSED, metric: 'score', direction: 'above', threshold: points };
    const none = { crossings: 0, lastCrossedOn: null };
    expect(replayCrossings(above, ledger, FIRST, FIRST + DAYS)).toEqual(none);
  });
});

/** Every kind of condition, with the figures of a state as limits. */
function conditionsNear(
  { score: points, band, verifiedEvents, components: known }: ScoreState,
  apart: number,
) {
  const numeric = [
    { metric: 'score' as const, component: null, threshold: points + apart },
    { metric: 'verified_events' as const, component: null, threshold: verifiedEvents },
    ...componentNames.map((component) => ({
      metric: 'component' as const,
      component,
      threshold: (known?.[component] ?? 50) + apart,
    })),
  ];
  return [
    ...numeric.flatMap((terms) =>
      (['below', 'above'] as const).map((direction): PolicyTerms => ({ ...UNUSED, ...terms, direction })),
    ),
    ...(['enter', 'leave'] as const).map(
      (direction): PolicyTerms => ({ ...UNUSED, metric: 'band', direction, band }),
    ),
  ];
}

function walkEveryDay(condition: PolicyTerms, states: readonly (ScoreState | null)[]) {
  const crossed = { crossings: 0, lastCrossedOn: null as Day | null };
  states.slice(1).forEach((after, index) => {
    if (!after || !policyCrossing(condition, states[index] ?? BLANK_STATE, after)) return;
    crossed.crossings += 1;
    crossed.lastCrossedOn = FIRST + index;
  });
  return crossed;
}

function stateOn(ledger: readonly ReplayEntry[], day: Day): ScoreState | null {
  const entered = ledger.filter(({ entersOn }) => entersOn <= day);
  const tallies = mergeTallies(entered.map(({ entersOn: _, ...tally }) => tally));
  const result = score(tallies, day);
  if (!result) return null;
  const { finalScore, scoreBand, verifiedEvents } = result;
  return { score: finalScore, band: scoreBand, verifiedEvents, components: components(tallies, day) };
}
