import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { detectRisk } from '#domain/riskSignals/detectRisk.js';
import type { RiskEvent, RiskFacts } from '#domain/riskSignals/riskFacts.js';
import { DAY_MS } from '#domain/timestamp.js';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const before = (days: number) => new Date(NOW.getTime() - days * DAY_MS);

function event(more: Partial<RiskEvent> = {}): RiskEvent {
  return {
    eventType: 'TRANSACTION_COMPLETED',
    stakeLevel: 'MEDIUM',
    isVerified: true,
    transactionValue: null,
    dueDate: null,
    completedAt: null,
    createdAt: before(1),
    imported: false,
    attester: null,
    ...more,
  };
}

function facts(events: readonly RiskEvent[], more: Partial<RiskFacts> = {}): RiskFacts {
  const none = { confirmations: new Map(), names: new Map(), answers: { confirmed: 0, byAsker: 0 } };
  return {
    self: 'self',
    subjectType: 'PERSON',
    events,
    eventsOnRecord: events.length,
    ...none,
    now: NOW,
    ...more,
  };
}

const codesOf = (given: RiskFacts) => detectRisk(given).signals.map(({ code }) => code);
const spread = (count: number, make: (index: number) => Partial<RiskEvent>) =>
  Array.from({ length: count }, (_, index) => event(make(index)));

describe('risk signals', () => {
  test.each([
    [9, 0, null],
    [9, 1, 'low'],
    [8, 4, 'low'],
    [10, 5, 'elevated'],
    [11, 5, 'low'],
    [9, 9, 'elevated'],
    [11, 10, 'high'],
    [12, 10, 'elevated'],
  ])('of %d confirmations, %d answered by the asker: %s', (confirmed, byAsker, severity) => {
    const given = facts([event()], { answers: { confirmed, byAsker } });
    const found = detectRisk(given).signals.find(({ code }) => code === 'ANSWERED_BY_ASKER');
    expect(found?.severity ?? null).toBe(severity);
    if (found) expect(found.evidence).toMatchObject({ confirmed, answeredByAsker: byAsker });
  });

  test('an import of a long and even history is no burst and no bulk', () => {
    const events = spread(80, (index) => ({
      imported: true,
      completedAt: new Date(Math.floor(before(index + 1).getTime() / DAY_MS) * DAY_MS),
    }));
    expect(codesOf(facts(events))).toEqual([]);
  });

  test('an import is no burst on any day', () => {
    const sameDay = spread(60, (index) => ({
      imported: true,
      completedAt: new Date(before(5).getTime() + index * 60_000),
    }));
    expect(codesOf(facts(sameDay))).toEqual([]);
    const asReports = sameDay.map((event) => ({ ...event, imported: false }));
    expect(codesOf(facts(asReports))).toEqual(['VELOCITY_BURST', 'POSITIVES_WITHIN_MINUTES']);
  });

  test('a history reported late is no burst on the day of the report', () => {
    const backfill = spread(200, (index) => ({ completedAt: before(index / 3 + 1) }));
    expect(codesOf(facts(backfill))).toEqual([]);
    const crowded = spread(200, () => ({ completedAt: before(4) }));
    expect(codesOf(facts(crowded))).toContain('VELOCITY_BURST');
  });

  test('an import without dates is no bulk and does not end a silence', () => {
    const events = [event({ createdAt: before(400) }), ...spread(60, () => ({ imported: true }))];
    expect(codesOf(facts(events))).toEqual([]);
    const reported = events.map((one) => ({ ...one, imported: false }));
    expect(codesOf(facts(reported))).toEqual(
      expect.arrayContaining(['BULK_SAME_INSTANT', 'DORMANT_THEN_ACTIVE']),
    );
  });

  test('outcomes of different times are no bulk, even if reported together', () => {
    const breaches = spread(9, (index) => ({
      eventType: 'CONTRACT_BREACHED',
      dueDate: new Date(before(index + 2).getTime() + 1),
    }));
    expect(codesOf(facts(breaches))).toEqual([]);
    const atOnce = breaches.map((one) => ({ ...one, dueDate: new Date(before(2).getTime() + 1) }));
    expect(codesOf(facts(atOnce))).toEqual(['BULK_SAME_INSTANT']);
  });

  test('a silence is a gap between outcomes, not between reports', () => {
    const first = event({ createdAt: before(300), completedAt: before(300) });
    const reportedLate = spread(9, (index) => ({
      createdAt: before(index + 20),
      completedAt: before(290 - index * 30),
    }));
    const everyDay = spread(12, (index) => ({ createdAt: before(index), completedAt: before(index) }));
    expect(codesOf(facts([first, ...reportedLate, ...everyDay]))).toEqual([]);
    expect(codesOf(facts([first, ...everyDay]))).toEqual(['DORMANT_THEN_ACTIVE']);
    const reportedNow = spread(12, (index) => ({
      createdAt: before(index),
      completedAt: before(30 - index),
    }));
    const longAgo = event({ createdAt: before(20), completedAt: before(300) });
    expect(codesOf(facts([longAgo, ...reportedNow]))).toEqual(['DORMANT_THEN_ACTIVE']);
  });

  test('copies count at any report time, and outcomes of different days are no copies', () => {
    const copies = spread(6, (index) => ({
      createdAt: before(index),
      completedAt: before(9),
      transactionValue: 5,
    }));
    expect(codesOf(facts(copies))).toContain('IDENTICAL_OUTCOMES');
    const own = spread(6, (index) => ({ completedAt: before(index + 1), transactionValue: 5 }));
    expect(codesOf(facts(own))).toEqual([]);
  });

  test('a busy record is compared with its own usual day', () => {
    const everyDay = (count: number) =>
      Array.from({ length: 60 }, (_, day) =>
        spread(20 + (day % 5), (index) => ({ createdAt: new Date(before(day).getTime() - index * 1000) })),
      )
        .flat()
        .concat(spread(count, (index) => ({ createdAt: new Date(before(3).getTime() - index * 1001) })));
    expect(codesOf(facts(everyDay(2)))).not.toContain('VELOCITY_BURST');
    expect(codesOf(facts(everyDay(40)))).toContain('VELOCITY_BURST');
  });

  test('a few events on a day are never a burst', () => {
    const events = spread(9, (index) => ({ createdAt: new Date(before(1).getTime() + index * 600_001) }));
    expect(codesOf(facts(events))).toEqual([]);
  });

  test('an attester of exactly half of the events is not reported', () => {
    const named = (ofA: number, others: number) => [
      ...spread(ofA, (index) => ({ attester: 'a', createdAt: before(index) })),
      ...spread(others, (index) => ({ attester: `b${index}`, createdAt: before(index) })),
    ];
    expect(codesOf(facts(named(5, 5)))).toEqual([]);
    expect(codesOf(facts(named(6, 5)))).toEqual(['SINGLE_WITNESS']);
  });

  test('the level is that of the most severe signal, in any order of the facts', () => {
    const anyEvent = fc
      .record({
        attester: fc.constantFrom('a', 'b', 'c', null),
        age: fc.integer({ min: 0, max: 500 }),
        isVerified: fc.boolean(),
        imported: fc.boolean(),
        transactionValue: fc.constantFrom(null, 10),
      })
      .map(({ age, ...rest }) => event({ ...rest, createdAt: before(age), completedAt: before(age) }));
    const confirmations = new Map([
      ['a', new Map([['b', 2]])],
      ['b', new Map([['self', 1]])],
    ]);
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 80 }), fc.nat(), (events, seed) => {
        const found = detectRisk(facts(events, { confirmations }));
        const turned = [...events].sort(
          (left, right) => ((left.createdAt.getTime() ^ seed) % 7) - ((right.createdAt.getTime() ^ seed) % 7),
        );
        expect(detectRisk(facts(turned, { confirmations }))).toEqual(found);
        expect(found.level).toBe(found.signals[0]?.severity ?? 'none');
        for (const { evidence } of found.signals) {
          for (const value of Object.values(evidence)) expect(Number.isNaN(value)).toBe(false);
        }
      }),
      { numRuns: 200 },
    );
  });
});
