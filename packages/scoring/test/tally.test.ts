import { describe, expect, test } from 'vitest';
import {
  dayFromIso,
  dayOf,
  foldTallies,
  isoFromDay,
  type LedgerFacts,
  mergeTallies,
  occurredAt,
  platformTiers,
  tallyCodeOf,
  tallyKeyFromCode,
  tallyKeyOf,
} from '../src/index.js';
import { daysAgo, tallied } from './tallies.js';

const created = new Date('2026-06-30T12:00:00.000Z');
const earlier = new Date('2026-05-01T23:59:59.999Z');
const muchEarlier = new Date('2026-04-01T00:00:00.000Z');
const later = new Date('2026-07-09T00:00:00.000Z');

describe('days', () => {
  test('a day is a whole number of UTC days, negative before 1970', () => {
    expect(dayOf(new Date('1970-01-01T23:59:59.999Z'))).toBe(0);
    expect(dayOf(new Date('1969-12-31T23:59:59.999Z'))).toBe(-1);
    expect(dayFromIso('2026-06-30')).toBe(20_634);
    expect(isoFromDay(20_634)).toBe('2026-06-30');
  });

  test.each(['2026-02-30', '2026-6-3', '2026-06-30T00:00:00Z', '', 'today'])('%j is no day', (text) => {
    expect(() => dayFromIso(text)).toThrow(RangeError);
  });

  test('an invalid date has no day', () => {
    expect(() => dayOf(new Date(Number.NaN))).toThrow(RangeError);
  });
});

describe('an outcome occurred', () => {
  test.each<[string, Partial<LedgerFacts>, Date]>([
    ['on its completion date', { completedAt: earlier, dueDate: muchEarlier }, earlier],
    ['without one, on its due date', { dueDate: earlier }, earlier],
    ['also if it is due at the instant of the report', { dueDate: created }, created],
    ['when it was reported, if it is due later', { dueDate: later }, created],
    ['when it was reported, without dates', {}, created],
    ['never after its report', { completedAt: later }, created],
  ])('%s', (_, dates, expected) => {
    expect(occurredAt(facts(dates))).toEqual(expected);
  });
});

describe('an outcome is', () => {
  test.each<[string, string, Partial<LedgerFacts>]>([
    ['untimed', 'without a due date', { completedAt: earlier }],
    ['untimed', 'without a completion date', { dueDate: earlier }],
    ['on_time', 'up to the due instant', { completedAt: earlier, dueDate: earlier }],
    ['late', 'after it', { completedAt: new Date(earlier.getTime() + 1), dueDate: earlier }],
  ])('%s %s', (timeliness, _, dates) => {
    expect(tallyKeyOf(facts(dates)).timeliness).toBe(timeliness);
  });
});

describe('folding', () => {
  test('adds up events with the same key and sorts by day', () => {
    const folded = foldTallies([facts({}), facts({ completedAt: muchEarlier }), facts({})]);
    const counts = folded.map(({ day, count }) => `${isoFromDay(day)} ${count}`);
    expect(counts).toEqual(['2026-04-01 1', '2026-06-30 2']);
  });

  test('omits qualifications and projects', () => {
    const unscored = (['SKILL_VERIFIED', 'PROJECT_LOGGED'] as const).map((eventType) => facts({ eventType }));
    expect(foldTallies(unscored)).toEqual([]);
  });

  test.each(['DISPUTE_FILED', 'TRANSACTION_DISPUTED'] as const)(
    'leaves out a %s once the outcome that closes it is there, before or after it',
    (eventType) => {
      const contested = facts({ id: 'c1', eventType });
      const other = facts({ id: 'c2', eventType });
      const outcome = facts({ id: 'o1', eventType: 'DISPUTE_RESOLVED_FOR_USER', closesEventId: 'c1' });
      const expected = foldTallies([other, facts({ eventType: 'DISPUTE_RESOLVED_FOR_USER' })]);
      expect(foldTallies([contested, other, outcome])).toEqual(expected);
      expect(foldTallies([outcome, other, contested])).toEqual(expected);
    },
  );

  test('keeps a filing that nothing closes, and never omits another kind of event', () => {
    const filing = facts({ id: 'f1', eventType: 'DISPUTE_FILED' });
    const review = facts({ id: 'r1', eventType: 'REVIEW_VERIFIED' });
    const outcome = facts({ eventType: 'DISPUTE_RESOLVED_FOR_USER', closesEventId: 'r1' });
    expect(foldTallies([filing, review, outcome])).toHaveLength(3);
  });
});

describe('merging', () => {
  test('adds integers, drops zeros and does not change its arguments', () => {
    const first = [tallied(2, 'REVIEW_VERIFIED'), tallied(1, 'DISPUTE_FILED')];
    const second = [tallied(-1, 'DISPUTE_FILED'), tallied(3, 'REVIEW_VERIFIED', daysAgo(1))];
    const copy = structuredClone([first, second]);
    expect(mergeTallies(first, second)).toEqual([
      tallied(3, 'REVIEW_VERIFIED', daysAgo(1)),
      tallied(2, 'REVIEW_VERIFIED'),
    ]);
    expect([first, second]).toEqual(copy);
  });

  test('sorts by every part of the key, in the listed order of its values', () => {
    const sorted = [
      tallied(1, 'REVIEW_VERIFIED', daysAgo(2)),
      tallied(1, 'CONTRACT_BREACHED', { timeliness: 'on_time' }),
      tallied(1, 'CONTRACT_BREACHED'),
      tallied(1, 'CONTRACT_BREACHED', { isVerified: false, stakeLevel: 'LOW' }),
      tallied(1, 'TRANSACTION_COMPLETED', { platformTier: 'GROWTH' }),
    ];
    expect(mergeTallies(sorted.toReversed())).toEqual(sorted);
  });
});

describe('tally codes', () => {
  test('pack and unpack every key, within a smallint', () => {
    const key = tallied(1, 'PROJECT_LOGGED', { platformTier: 'SELF_REPORTED', stakeLevel: 'LOW' });
    const { count: _, ...plain } = key;
    expect(tallyCodeOf(key)).toBeLessThan(32_768);
    expect(tallyKeyFromCode(plain.day, tallyCodeOf(key))).toEqual(plain);
    for (const platformTier of platformTiers) {
      const { count: __, ...other } = tallied(1, 'CONTRACT_FULFILLED', { platformTier, timeliness: 'late' });
      expect(tallyKeyFromCode(other.day, tallyCodeOf(other))).toEqual(other);
    }
  });

  test('never change: a stored code must be readable in every later version', () => {
    const claimed = tallied(1, 'TRANSACTION_COMPLETED', { stakeLevel: 'HIGH', isVerified: false });
    const broken = tallied(1, 'CONTRACT_BREACHED', { platformTier: 'STARTER' });
    expect([claimed, broken].map(tallyCodeOf)).toEqual([2, 2254]);
  });

  test.each([-1, 3, 8191, 2 ** 20])('%i is no code', (code) => {
    expect(() => tallyKeyFromCode(0, code)).toThrow(RangeError);
  });
});

function facts(other: Partial<LedgerFacts>): LedgerFacts {
  return {
    eventType: 'CONTRACT_FULFILLED',
    stakeLevel: 'MEDIUM',
    platformTier: 'STARTER',
    isVerified: true,
    createdAt: created,
    ...other,
  };
}
