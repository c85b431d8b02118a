import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { components, foldTallies, score } from '../src/index.js';
import { asOf, holdsForEveryLedger, ledgers } from './ledgers.js';
import { referenceScore } from './reference.js';

describe('a second implementation, written from the specification alone', () => {
  test('publishes the same digits for every ledger, in any order of summation', () => {
    holdsForEveryLedger(
      fc.property(ledgers, fc.nat(400), (events, later) => {
        const day = asOf + later;
        const tallies = foldTallies(events);
        const published = { ...score(tallies, day), ...components(tallies, day) };
        const { exact: _, ...expected } = referenceScore(events, day) ?? { exact: null };
        const { exact: __, ...reversed } = referenceScore(events.toReversed(), day) ?? { exact: null };
        expect(published).toMatchObject(expected);
        expect(reversed).toEqual(expected);
      }),
    );
  });
});
