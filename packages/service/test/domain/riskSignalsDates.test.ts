import { describe, expect, test } from 'vitest';
import type { RiskEvent, RiskFacts } from '#domain/riskSignals/riskFacts.js';
import { DAY_MS, HOUR_MS } from '#domain/timestamp.js';
import { words } from '#harness/words.js';
import { daysAgo, type Job, many, NOW, reportedJob, riskOf, simulateSubjects } from './honestMarket.js';

const MINUTE_MS = 60_000;
const job = (more: Job) => reportedJob({ createdAt: NOW, ...more });

const found = (events: readonly RiskEvent[], more: Partial<RiskFacts> = {}) =>
  Object.fromEntries(riskOf(events, more).signals.map(({ code, ...signal }) => [code, signal] as const));

describe('BACKDATED_ADVERSE', () => {
  const breach = (days: number, more: Job = {}) =>
    job({ eventType: 'CONTRACT_BREACHED', completedAt: daysAgo(days), ...more });

  test.each([
    ['a breach of the day', [breach(0)], undefined],
    ['a breach reported after 30 days', [breach(30)], undefined],
    ['a breach reported after 31 days', [breach(31)], 'low'],
    ['a breach of three years ago', [breach(1095)], 'elevated'],
    ['three breaches of a year ago', many(3, () => breach(365)), 'high'],
    ['an old breach that was imported', [breach(1095, { imported: true })], undefined],
    ['an old breach that was reported then', [breach(1095, { createdAt: daysAgo(1095) })], undefined],
    ['an old kept agreement', [breach(1095, { eventType: 'CONTRACT_FULFILLED' })], undefined],
    ['an old dispute', [breach(90, { eventType: 'TRANSACTION_DISPUTED' })], 'low'],
    ['a due date of three years ago', [breach(0, { completedAt: null, dueDate: daysAgo(1095) })], 'elevated'],
  ] as const)('of %s is %s', (_, events, severity) => {
    expect(found(events).BACKDATED_ADVERSE?.severity).toBe(severity);
  });

  test('says how many and how late', () => {
    expect(found([breach(40), breach(400), breach(1)]).BACKDATED_ADVERSE?.evidence).toMatchObject({
      backdatedOutcomes: 2,
      adverseOutcomes: 3,
      longestDelayDays: 400,
    });
  });
});

describe('LOW_BEFORE_HIGH', () => {
  const at = (when: Date, more: Job = {}) => job({ createdAt: when, completedAt: when, ...more });
  const low = (count: number, from: number) =>
    many(count, (index) => at(daysAgo(from, index * HOUR_MS), { stakeLevel: 'LOW' }));
  const high = (more: Job = {}) => at(daysAgo(1), { stakeLevel: 'HIGH', ...more });
  const broken = { eventType: 'CONTRACT_BREACHED' } as const;

  test.each([
    ['nine LOW outcomes', [...low(9, 3), high()], undefined],
    ['ten', [...low(10, 3), high()], 'low'],
    ['sixty', [...low(60, 5), high()], 'elevated'],
    ['ten and a broken HIGH', [...low(10, 3), high(broken)], 'elevated'],
    ['sixty and a broken HIGH', [...low(60, 5), high(broken)], 'high'],
    ['ten in the same report', many(11, (index) => job({ stakeLevel: index === 0 ? 'HIGH' : 'LOW' })), 'low'],
    ['sixty without a HIGH', low(60, 5), undefined],
    ['sixty after the HIGH', [...low(20, 0.9), high()], undefined],
    ['sixty a month before', [...low(60, 40), high()], undefined],
    ['ten broken LOW outcomes', [...low(10, 3).map((event) => ({ ...event, ...broken })), high()], undefined],
  ] as const)('of %s is %s', (_, events, severity) => {
    expect(found(events).LOW_BEFORE_HIGH?.severity).toBe(severity);
  });

  test('compares with the usual pace, and a HIGH outcome every month is no surprise', () => {
    const daily = many(80, (day) => low(2, day + 2)).flat();
    expect(found([...daily, high()]).LOW_BEFORE_HIGH).toBeUndefined();
    const flooded = found([...daily, ...low(40, 3), high()]).LOW_BEFORE_HIGH;
    expect(flooded).toMatchObject({
      severity: 'elevated',
      evidence: { highOutcome: 'CONTRACT_FULFILLED', days: 7 },
    });
    const monthly = at(daysAgo(31), { stakeLevel: 'HIGH' });
    expect(found([monthly, ...low(20, 3), high()]).LOW_BEFORE_HIGH).toBeUndefined();
  });
});

describe('POSITIVES_WITHIN_MINUTES', () => {
  const together = (count: number, stepMs = MINUTE_MS, more: Job = {}) =>
    many(count, (index) => job({ completedAt: daysAgo(2, index * stepMs), ...more }));
  const spreadOut = many(55, (day) => job({ completedAt: daysAgo(day + 3) }));

  test.each([
    ['four within minutes', together(4), {}, undefined],
    ['five within minutes', together(5), {}, 'low'],
    ['five in an hour', together(5, 15 * MINUTE_MS), {}, undefined],
    ['thirty within minutes', together(30, 1000), {}, 'elevated'],
    ['a hundred within minutes', together(100, 1000), {}, 'high'],
    ['five breaches', together(5, MINUTE_MS, { eventType: 'CONTRACT_BREACHED' }), {}, undefined],
    ['fifty of an agent', together(50, 1000), { subjectType: 'AGENT' }, undefined],
    ['a hundred of an agent', together(100, 1000), { subjectType: 'AGENT' }, 'low'],
    ['five that were imported', together(5, MINUTE_MS, { imported: true }), {}, undefined],
    ['five without a time', many(5, () => job({ completedAt: new Date('2026-02-20') })), {}, undefined],
    ['five of sixty', [...together(5), ...spreadOut], {}, undefined],
  ] as const)('of %s', (_, events, more, severity) => {
    expect(found(events, more).POSITIVES_WITHIN_MINUTES?.severity).toBe(severity);
  });
});

describe('DUE_DATE_AT_COMPLETION', () => {
  const due = (count: number, marginMs: (index: number) => number, more: Job = {}) =>
    many(count, (index) => {
      const completedAt = daysAgo(index + 1, index * 1_234_567);
      return job({ completedAt, dueDate: new Date(completedAt.getTime() + marginMs(index)), ...more });
    });
  const usual = (index: number) => (index % 7) * DAY_MS + index * 7_654_321;
  const onDay = (index: number) => {
    const day = new Date(Math.floor(daysAgo(index).getTime() / DAY_MS) * DAY_MS);
    return job({ completedAt: day, dueDate: day });
  };

  test.each([
    ['due at the completion', due(9, () => 0), 'low'],
    ['ten due five minutes later', due(10, () => 5 * MINUTE_MS), 'elevated'],
    ['four alike', due(4, () => 0), undefined],
    ['due whenever', due(30, usual), undefined],
    ['due a day later, each', due(30, () => DAY_MS), undefined],
    ['late by the same time, each', due(30, () => -MINUTE_MS), undefined],
    ['six of thirty alike', [...due(6, () => 0), ...due(24, usual)], undefined],
    ['broken and due', due(9, () => 0, { eventType: 'CONTRACT_BREACHED' }), undefined],
    ['days without a time', many(9, onDay), undefined],
  ] as const)('of outcomes %s is %s', (_, events, severity) => {
    expect(found(events).DUE_DATE_AT_COMPLETION?.severity).toBe(severity);
  });
});

describe('an honest market', () => {
  // Measured in November 2026 over 20,000 subjects: see docs/ADVERSARIES.md.
  test('rarely raises a signal about dates, and never a high one', () => {
    const subjects = simulateSubjects({ count: 400, seed: 7, now: NOW });
    const codes = words`BACKDATED_ADVERSE LOW_BEFORE_HIGH POSITIVES_WITHIN_MINUTES DUE_DATE_AT_COMPLETION`;
    const fired = subjects.map((events) => found(events));
    for (const code of codes) {
      const signals = fired.flatMap((signals) => signals[code] ?? []);
      expect(signals.length / subjects.length, code).toBeLessThan(0.02);
      expect(signals.map(({ severity }) => severity)).not.toContain('high');
    }
  });
});
