import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  components,
  eventKindOf,
  eventTypes,
  explain,
  foldTallies,
  mergeTallies,
  outcomeClassOf,
  score,
} from '../src/index.js';
import { asOf, eventsOf, holdsForEveryLedger, ledgers, outcomeTypes } from './ledgers.js';
import { NOISE } from './search/climb.js';
import { currentFormula } from './search/formulas.js';
import { type Formula, rules } from './search/rules.js';

const unscoredTypes = eventTypes.filter((type) => eventKindOf(type) !== 'outcome');
const cancelledTypes = outcomeTypes.filter((type) => outcomeClassOf(type) === 'none');

/** An empty record counts as the anchor. */
const publishedFormula: Formula = (tallies, day) => score(tallies, day)?.finalScore ?? 20;

describe('rules that hold for every ledger', () => {
  test('1: permuting, re-batching or replaying the events changes no bit', () => {
    holdsForEveryLedger(
      fc.property(ledgers, fc.infiniteStream(fc.nat(1000)), fc.nat(12), (events, noise, cut) => {
        const shuffled = events
          .map((event) => ({ event, at: noise.next().value }))
          .sort((a, b) => a.at - b.at)
          .map(({ event }) => event);
        const first = foldTallies(shuffled.slice(0, cut));
        const second = foldTallies(shuffled.slice(cut));
        const published = everything(foldTallies(events));
        expect(everything([...second, ...first])).toEqual(published);
        expect(everything(mergeTallies(first, second))).toEqual(published);
        expect(everything(foldTallies(shuffled.toReversed()))).toEqual(published);
      }),
    );
  });

  test.each(rules.map((rule) => [rule.name, rule] as const))('%s', (_, rule) => {
    // The last two are about the score before it is rounded.
    const [formula, tolerance] = /^[2-7]/.test(rule.name) ? [publishedFormula, 0] : [currentFormula, NOISE];
    const tallies = eventsOf(outcomeTypes).map((event) => foldTallies([event]));
    const added = tallies.filter(([tally]) => tally !== undefined && rule.adds(tally));
    const tenAdded = fc.array(added, { minLength: 10, maxLength: 10 });
    holdsForEveryLedger(
      fc.property(ledgers, tenAdded, fc.nat(3000), (events, ten, later) => {
        const record = foldTallies(events);
        for (const added of ten.flat())
          expect(rule.excess(formula, { record, added }, asOf + later)).toBeLessThanOrEqual(tolerance);
      }),
    );
  });

  test('5: cancelled entries do not change an existing score; qualifications and projects change nothing', () => {
    holdsForEveryLedger(
      fc.property(
        ledgers,
        eventsOf(cancelledTypes),
        eventsOf(unscoredTypes),
        (events, cancelled, unscored) => {
          const record = foldTallies(events);
          expect(everything(foldTallies([...events, unscored]))).toEqual(everything(record));
          if (events.length === 0) return;
          const { totalEvents: _, verifiedEvents: __, ...before } = score(record, asOf) ?? {};
          expect(score(foldTallies([...events, cancelled]), asOf)).toMatchObject(before);
        },
      ),
    );
  });

  test('6: the score depends on nothing but the fields that the formula reads', () => {
    const surfaces = fc.record({
      transactionValue: fc.double(),
      metadata: fc.object({ maxKeys: 2, maxDepth: 1 }),
      plan: fc.constantFrom('starter', 'growth', 'enterprise'),
      monitors: fc.nat(),
      narrative: fc.string(),
    });
    holdsForEveryLedger(
      fc.property(ledgers, surfaces, (events, extra) => {
        const tallies = foldTallies(events);
        expect(foldTallies(events.map((event) => ({ ...event, ...extra })))).toEqual(tallies);
        const dressed = tallies.map((tally) => ({ ...tally, ...extra }));
        expect(everything(dressed)).toEqual(everything(tallies));
      }),
    );
  });

  test('ageing moves the score towards 20 in the end', () => {
    holdsForEveryLedger(
      fc.property(ledgers, (events) => {
        expect(currentFormula(foldTallies(events), asOf + 100_000)).toBeCloseTo(20, 9);
      }),
    );
  });
});

function everything(tallies: Parameters<typeof score>[0]) {
  return [score(tallies, asOf), components(tallies, asOf), explain(tallies, asOf, { frozen: false })];
}
