import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createRunningRecord,
  dayOf,
  foldTallies,
  type LedgerFacts,
  model,
  occurredAt,
  outcomeClassOf,
  type ReplayBy,
  replay,
  replayEntriesOf,
  score,
} from '../src/index.js';
import { asOf, holdsForEveryLedger, startedLedgers } from './ledgers.js';

/** A ledger in which about half of the contested events have been closed, each a while after its report. */
const disputedLedgers = startedLedgers.map((ledger) => {
  const events: LedgerFacts[] = ledger.map((event, index) => ({ ...event, id: `event-${index}` }));
  const closings = events.flatMap(({ id, eventType, createdAt, completedAt }, index): LedgerFacts[] => {
    const isClosed = outcomeClassOf(eventType) === 'contested' && (completedAt === null || index % 2 === 0);
    if (!isClosed || !events[index]) return [];
    const at = new Date(Math.min(createdAt.getTime() + 9 * 86_400_000, asOf * 86_400_000));
    const outcome = index % 2 === 0 ? 'DISPUTE_RESOLVED_FOR_USER' : 'DISPUTE_RESOLVED_AGAINST_USER';
    const { stakeLevel, platformTier, isVerified } = events[index];
    return [
      { eventType: outcome, stakeLevel, platformTier, isVerified, createdAt: at, closesEventId: id ?? null },
    ];
  });
  return [...events, ...closings];
});

describe('a replay', () => {
  test.each(['outcome', 'recorded'] as const)('by %s has the digits of the formula on every day', (by) => {
    holdsForEveryLedger(
      fc.property(disputedLedgers, fc.integer({ min: 1, max: 400 }), (ledger, step) => {
        const days = Array.from({ length: 12 }, (_, index) => asOf - (11 - index) * step);
        expect(replay(replayEntriesOf(ledger, by), days)).toEqual(
          days.map((day) => formulaOn(ledger, by, day)),
        );
      }),
    );
  });

  test('uses other constants as the formula does', () => {
    const constants = { ...model, halfLifeDays: 45, breachSeverity: 9, anchor: 25 };
    fc.assert(
      fc.property(disputedLedgers, (ledger) => {
        const [last] = replay(replayEntriesOf(ledger, 'recorded'), [asOf], constants);
        expect(last).toEqual(score(foldTallies(ledger), asOf, constants));
      }),
      { numRuns: 200, seed: 53 },
    );
  });

  test('keeps every digit over three thousand years', () => {
    const entries = ['0001-05-01', '1066-10-14', '2026-01-01'].map((date) => ({
      ...fulfilled(date),
      entersOn: dayOf(new Date(date)),
    }));
    const days = [dayOf(new Date('1066-10-15')), dayOf(new Date('3001-01-01'))];
    expect(replay(entries, days)).toEqual([
      score(entries.slice(0, 2), days[0] ?? 0),
      score(entries, days[1] ?? 0),
    ]);
  });

  test('begins with null and ignores qualifications', () => {
    const ledger: LedgerFacts[] = [
      { ...bare, eventType: 'SKILL_VERIFIED', createdAt: new Date('2026-01-01') },
      { ...bare, eventType: 'CONTRACT_FULFILLED', createdAt: new Date('2026-01-03') },
    ];
    const [first, second] = replay(replayEntriesOf(ledger, 'recorded'), [20_455, 20_456]);
    expect(first).toBeNull();
    expect(second?.totalEvents).toBe(1);
  });
});

describe('a running record', () => {
  test('has the digits of the formula on a day before its latest event', () => {
    const record = createRunningRecord();
    record.add(fulfilled('2026-01-01'));
    record.add(fulfilled('2026-03-01'));
    const day = dayOf(new Date('2026-02-01'));
    expect(record.scoreOn(day)).toEqual(score(record.tallies(), day));
  });

  test('forgets what is removed, whatever was removed', () => {
    const record = createRunningRecord();
    record.add(fulfilled('2025-01-01'));
    record.add({ ...fulfilled('2026-01-01'), eventType: 'CONTRACT_BREACHED' });
    record.add({ ...fulfilled('2026-01-01'), eventType: 'CONTRACT_BREACHED', count: -1 });
    expect(record.scoreOn(asOf)).toEqual(score([fulfilled('2025-01-01')], asOf));
  });
});

const bare = { stakeLevel: 'MEDIUM', platformTier: 'GROWTH', isVerified: true } as const;

function fulfilled(date: string) {
  const day = dayOf(new Date(date));
  return { ...bare, day, eventType: 'CONTRACT_FULFILLED', timeliness: 'untimed', count: 1 } as const;
}

/** The events that had entered by a day, folded and scored from scratch. */
function formulaOn(ledger: readonly LedgerFacts[], by: ReplayBy, day: number) {
  const entered = (event: LedgerFacts) =>
    dayOf(by === 'outcome' ? occurredAt(event) : event.createdAt) <= day;
  return score(foldTallies(ledger.filter(entered)), day);
}
