import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { weigh } from '../src/halves.js';
import {
  AGEING_POINTS_A_DAY,
  components,
  eventKindOf,
  eventTypes,
  explain,
  foldTallies,
  type LedgerFacts,
  mergeTallies,
  type OutcomeFacts,
  outcomeClassOf,
  score,
} from '../src/index.js';
import { exactScore } from '../src/score.js';
import {
  adverseTypes,
  asOf,
  eventsOf,
  holdsForEveryLedger,
  ledgers,
  outcomeTypes,
  positiveTypes,
  startedLedgers,
  tenEventsOf,
} from './ledgers.js';

const unscoredTypes = eventTypes.filter((type) => eventKindOf(type) !== 'outcome');
const cancelledTypes = outcomeTypes.filter((type) => outcomeClassOf(type) === 'none');

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
        const batched = [...second, ...first];
        const published = everything(foldTallies(events));
        expect(everything(batched)).toEqual(published);
        expect(everything(mergeTallies(first, second))).toEqual(published);
        expect(everything(foldTallies(shuffled.toReversed()))).toEqual(published);
      }),
    );
  });

  test('2: a verified good outcome that is not late, of any day, never lowers the score', () => {
    holdsForEveryLedger(
      fc.property(ledgers, tenEventsOf(positiveTypes), (events, added) => {
        const record = foldTallies(events);
        const after = added.map((event) => pointsOf(mergeTallies(record, foldTallies([onTime(event)]))));
        expect(Math.min(...after)).toBeGreaterThanOrEqual(pointsOf(record));
      }),
    );
  });

  test('3: a breach or a contested outcome of any day, verified or not, never raises it', () => {
    holdsForEveryLedger(
      fc.property(ledgers, tenEventsOf(adverseTypes), (events, added) => {
        const record = foldTallies(events);
        const after = added.map((event) => pointsOf(mergeTallies(record, foldTallies([event]))));
        expect(Math.max(...after)).toBeLessThanOrEqual(pointsOf(record));
      }),
    );
  });

  test('3: losing a dispute never raises it', () => {
    holdsForEveryLedger(
      fc.property(ledgers, tenEventsOf(['DISPUTE_FILED', 'TRANSACTION_DISPUTED']), (events, contested) => {
        for (const event of contested) {
          const open = { ...event, id: 'contested' };
          const { eventType: _, completedAt: __, dueDate: ___, ...weight } = open;
          const lost = { ...weight, id: 'lost', eventType: 'DISPUTE_RESOLVED_AGAINST_USER' as const };
          const during = finalScore([...events, open]);
          expect(finalScore([...events, open, { ...lost, closesEventId: 'contested' }])).toBeLessThanOrEqual(
            during,
          );
        }
      }),
    );
  });

  test('4: without a verified breach at least 20, without verified evidence at most 34, always 0 to 100', () => {
    holdsForEveryLedger(
      fc.property(startedLedgers, (events) => {
        const points = finalScore(events);
        expect(points).toBeGreaterThanOrEqual(hasVerifiedBreach(events) ? 0 : 20);
        expect(points).toBeLessThanOrEqual(100);
        const evidence = events.some(
          (event) => event.isVerified && ['positive', 'breach'].includes(outcomeClassOf(event.eventType)),
        );
        if (!evidence) expect(points).toBeLessThanOrEqual(34);
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
          expect(everything(foldTallies([...events, unscored]))).toEqual(everything(foldTallies(events)));
          if (events.length === 0) return;
          const { totalEvents: _, verifiedEvents: __, ...before } = scoreOf(events);
          expect(scoreOf([...events, cancelled])).toMatchObject(before);
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
        const dressed = events.map((event) => ({ ...event, ...extra }));
        expect(foldTallies(dressed)).toEqual(foldTallies(events));
        const tallies = foldTallies(events);
        const dressedTallies = tallies.map((tally) => ({ ...tally, ...extra }));
        expect(everything(dressedTallies)).toEqual(everything(tallies));
      }),
    );
  });

  test('7: the score is at most the larger of 64.99 and what it is without its unverified outcomes', () => {
    holdsForEveryLedger(
      fc.property(ledgers, tenEventsOf(outcomeTypes), (events, added) => {
        const record = foldTallies(events);
        const verified = foldTallies(events.filter(({ isVerified }) => isVerified));
        for (const event of added) {
          const one = foldTallies([event]);
          const without = event.isVerified ? mergeTallies(verified, one) : verified;
          expect(pointsOf(mergeTallies(record, one))).toBeLessThanOrEqual(Math.max(64.99, pointsOf(without)));
        }
      }),
    );
  });

  test('8: the effect of an outcome vanishes as its weight falls to 0', () => {
    const delivered: OutcomeFacts = {
      eventType: 'REVIEW_VERIFIED',
      stakeLevel: 'LOW',
      platformTier: 'SELF_REPORTED',
      isVerified: true,
      createdAt: new Date('2026-01-01'),
    };
    holdsForEveryLedger(
      fc.property(ledgers, tenEventsOf(outcomeTypes), (events, added) => {
        // without a verified delivered outcome on record, the first one decides depth, which is a share
        const record = foldTallies([...events, delivered]);
        const before = exactScore(weigh(record, asOf));
        for (const tally of foldTallies(added)) {
          const moves = [20, 30, 40].map((halfLives) => {
            const faint = { ...tally, day: asOf - 180 * halfLives };
            return Math.abs(exactScore(weigh([...record, faint], asOf)) - before);
          });
          // weight 10 at most, times 2^-20, 2^-30, 2^-40, times the slope, which is below 500 beside this delivered outcome
          [5e-3, 5e-6, 5e-9].forEach((limit, index) => {
            expect(moves[index]).toBeLessThan(limit + 1e-9);
          });
        }
      }),
    );
  });

  test(`ageing moves the score by less than ${AGEING_POINTS_A_DAY} points a day, and towards 20 in the end`, () => {
    holdsForEveryLedger(
      fc.property(ledgers, fc.array(fc.nat(3000), { minLength: 10, maxLength: 10 }), (events, later) => {
        const tallies = foldTallies(events);
        const at = (days: number) => exactScore(weigh(tallies, asOf + days));
        for (const days of later) expect(Math.abs(at(days + 1) - at(days))).toBeLessThan(AGEING_POINTS_A_DAY);
        expect(at(100_000)).toBeCloseTo(20, 9);
      }),
    );
  });
});

function everything(tallies: Parameters<typeof score>[0]) {
  return [score(tallies, asOf), components(tallies, asOf), explain(tallies, asOf, { frozen: false })];
}

function scoreOf(events: readonly OutcomeFacts[]) {
  const result = score(foldTallies(events), asOf);
  if (result === null) throw new Error('the ledger has no event');
  return result;
}

function finalScore(events: readonly LedgerFacts[]): number {
  return pointsOf(foldTallies(events));
}

/** An empty record counts as the anchor. */
function pointsOf(tallies: Parameters<typeof score>[0]): number {
  return score(tallies, asOf)?.finalScore ?? 20;
}

function onTime(event: OutcomeFacts): OutcomeFacts {
  return { ...event, isVerified: true, completedAt: event.createdAt, dueDate: event.createdAt };
}

function hasVerifiedBreach(events: readonly OutcomeFacts[]): boolean {
  return events.some((event) => event.isVerified && outcomeClassOf(event.eventType) === 'breach');
}
