import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RiskEvent } from '#domain/riskSignals/riskFacts.js';
import { DAY_MS } from '#domain/timestamp.js';
import { daysAgo, type Job, many, reportedJob, riskOf } from './honestMarket.js';

const event = (more: Job = {}) =>
  reportedJob({ eventType: 'TRANSACTION_COMPLETED', createdAt: daysAgo(1), ...more });
const events = (count: number, make: (index: number) => Job) => many(count, (index) => event(make(index)));
const codesOf = (all: readonly RiskEvent[]) => riskOf(all).signals.map(({ code }) => code);
const changed = (all: readonly RiskEvent[], change: Job) => all.map((one) => ({ ...one, ...change }));

const onEachDay = events(80, (index) => {
  return { completedAt: new Date(Math.floor(daysAgo(index + 1).getTime() / DAY_MS) * DAY_MS) };
});
const onOneDay = events(60, (index) => ({ completedAt: daysAgo(5, index * 60_000) }));
const withoutDates = [event({ createdAt: daysAgo(400) }), ...events(60, () => ({ imported: true }))];
const breaches = events(9, (index) => {
  return { eventType: 'CONTRACT_BREACHED', dueDate: daysAgo(index + 2, 1) };
});
/** An outcome of long ago, its report, and outcomes of every day of late. */
const sleeper = event({ createdAt: daysAgo(300), completedAt: daysAgo(300) });
const everyDay = events(12, (index) => ({ createdAt: daysAgo(index), completedAt: daysAgo(index) }));
const reportedLate = events(9, (index) => {
  return { createdAt: daysAgo(index + 20), completedAt: daysAgo(290 - index * 30) };
});
const reportedNow = events(12, (index) => ({ createdAt: daysAgo(index), completedAt: daysAgo(30 - index) }));
const copies = events(6, (index) => {
  return { createdAt: daysAgo(index), completedAt: daysAgo(9), transactionValue: 5 };
});
const attested = (ofA: number, others: number) => [
  ...events(ofA, (index) => ({ attester: 'a', createdAt: daysAgo(index) })),
  ...events(others, (index) => ({ attester: `b${index}`, createdAt: daysAgo(index) })),
];
const busy = (more: number) =>
  many(60, (day) => events(20 + (day % 5), (index) => ({ createdAt: daysAgo(day, index * -1000) })))
    .flat()
    .concat(events(more, (index) => ({ createdAt: daysAgo(3, index * -1001) })));

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
    const { signals } = riskOf([event()], { answers: { confirmed, byAsker } });
    const found = signals.find(({ code }) => code === 'ANSWERED_BY_ASKER');
    expect(found?.severity ?? null).toBe(severity);
    if (found) expect(found.evidence).toMatchObject({ confirmed, answeredByAsker: byAsker });
  });

  test.each<[what: string, all: readonly RiskEvent[], codes: string[]]>([
    ['an import of a long and even history', changed(onEachDay, { imported: true }), []],
    ['an import of what happened on one day', changed(onOneDay, { imported: true }), []],
    ['reports of what happened on one day', onOneDay, ['VELOCITY_BURST', 'POSITIVES_WITHIN_MINUTES']],
    ['a history reported late', events(200, (index) => ({ completedAt: daysAgo(index / 3 + 1) })), []],
    ['an import without dates, after a silence', withoutDates, []],
    ['outcomes of different times, reported together', breaches, []],
    ['outcomes of one time', changed(breaches, { dueDate: daysAgo(2, 1) }), ['BULK_SAME_INSTANT']],
    ['a gap between reports, but not between outcomes', [sleeper, ...reportedLate, ...everyDay], []],
    ['a gap between outcomes', [sleeper, ...everyDay], ['DORMANT_THEN_ACTIVE']],
    [
      'a gap between outcomes, but not between reports',
      [{ ...sleeper, createdAt: daysAgo(20) }, ...reportedNow],
      ['DORMANT_THEN_ACTIVE'],
    ],
    [
      'equal outcomes of different days',
      copies.map((one, day) => ({ ...one, completedAt: daysAgo(day + 1) })),
      [],
    ],
    ['a few events on a day', events(9, (index) => ({ createdAt: daysAgo(1, index * 600_001) })), []],
    ['an attester of half of the events', attested(5, 5), []],
    ['an attester of more than half of them', attested(6, 5), ['SINGLE_WITNESS']],
  ])('of %s are exactly these', (_, all, codes) => {
    expect(codesOf(all)).toEqual(codes);
  });

  test.each<[what: string, all: readonly RiskEvent[], code: string]>([
    ['a crowded day', events(200, () => ({ completedAt: daysAgo(4) })), 'VELOCITY_BURST'],
    ['reports at one instant', changed(withoutDates, { imported: false }), 'BULK_SAME_INSTANT'],
    ['reports after a silence', changed(withoutDates, { imported: false }), 'DORMANT_THEN_ACTIVE'],
    ['copies, reported at any time', copies, 'IDENTICAL_OUTCOMES'],
    ['far more than on the usual day of a busy record', busy(40), 'VELOCITY_BURST'],
  ])('of %s have its signal among others', (_, all, code) => {
    expect(codesOf(all)).toContain(code);
  });

  test('a busy record is compared with its own usual day', () => {
    expect(codesOf(busy(2))).not.toContain('VELOCITY_BURST');
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
      .map(({ age, ...rest }) => event({ ...rest, createdAt: daysAgo(age), completedAt: daysAgo(age) }));
    const confirmations = new Map([
      ['a', new Map([['b', 2]])],
      ['b', new Map([['self', 1]])],
    ]);
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 80 }), fc.nat(), (given, seed) => {
        const found = riskOf(given, { confirmations });
        const key = ({ createdAt }: RiskEvent) => (createdAt.getTime() ^ seed) % 7;
        const turned = given.toSorted((left, right) => key(left) - key(right));
        expect(riskOf(turned, { confirmations })).toEqual(found);
        expect(found.level).toBe(found.signals[0]?.severity ?? 'none');
        for (const { evidence } of found.signals) {
          for (const value of Object.values(evidence)) expect(Number.isNaN(value)).toBe(false);
        }
      }),
      { numRuns: 200 },
    );
  });
});
