import { describe, expect, test } from 'vitest';
import { explain, type Reason, type ReasonCode, type Tally } from '../src/index.js';
import { asOf } from './ledgers.js';
import { daysAgo, tallied, unverified } from './tallies.js';

const onTime = { timeliness: 'on_time' } as const;
const late = { timeliness: 'late' } as const;

describe('each reason code applies up to its boundary and not beyond it', () => {
  const evidence = (count: number, other: Partial<Tally> = {}) => [tallied(count, 'REVIEW_VERIFIED', other)];
  const completion = (good: number, breached: number) => [
    tallied(good, 'REVIEW_VERIFIED'),
    tallied(breached, 'CONTRACT_BREACHED'),
  ];
  const punctuality = (good: number, bad: number) => [
    tallied(good, 'REVIEW_VERIFIED', onTime),
    tallied(bad, 'REVIEW_VERIFIED', late),
  ];
  const depth = (verified: number, claimed: number) => [
    tallied(verified, 'REVIEW_VERIFIED'),
    tallied(claimed, 'REVIEW_VERIFIED', unverified),
  ];

  const boundaries: [ReasonCode, string, Tally[], Tally[]][] = [
    ['NO_VERIFIED_HISTORY', 'no verified evidence', [tallied(9, 'DISPUTE_FILED')], evidence(1)],
    ['LIMITED_VERIFIED_HISTORY', 'evidence above 0', evidence(1), evidence(5, unverified)],
    ['LIMITED_VERIFIED_HISTORY', 'evidence below 5', evidence(9, { stakeLevel: 'LOW' }), evidence(5)],
    ['ESTABLISHED_VERIFIED_HISTORY', 'evidence from 10', evidence(10), evidence(9)],
    ['LOW_COMPLETION_RATE', 'completion below 0.80', completion(15, 1), completion(16, 1)],
    ['LOW_COMPLETION_RATE', 'an outcome', [tallied(1, 'DISPUTE_FILED')], [tallied(1, 'CONTRACT_CANCELLED')]],
    ['STRONG_COMPLETION_RATE', 'completion from 0.95', completion(76, 1), completion(75, 1)],
    ['STRONG_COMPLETION_RATE', 'verified evidence', evidence(1), evidence(1, unverified)],
    ['LOW_ONTIME_RATE', 'on time below 0.75', punctuality(74, 26), punctuality(75, 25)],
    ['LOW_ONTIME_RATE', 'both dates', punctuality(0, 1), evidence(1)],
    ['STRONG_ONTIME_RATE', 'on time from 0.90', punctuality(90, 10), punctuality(89, 11)],
    [
      'STRONG_ONTIME_RATE',
      'verified evidence',
      evidence(1, onTime),
      evidence(1, { ...onTime, ...unverified }),
    ],
    ['DISPUTED_OUTCOMES_ON_RECORD', 'a contested outcome', [tallied(1, 'TRANSACTION_DISPUTED')], evidence(1)],
    [
      'DISPUTED_OUTCOMES_ON_RECORD',
      'a dispute lost',
      [tallied(1, 'DISPUTE_RESOLVED_AGAINST_USER', unverified)],
      [tallied(1, 'CONTRACT_BREACHED'), tallied(1, 'DISPUTE_RESOLVED_FOR_USER')],
    ],
    [
      'CLEAN_DISPUTE_RECORD',
      'no dispute',
      completion(1, 1),
      [...evidence(1), tallied(1, 'DISPUTE_FILED', unverified)],
    ],
    ['CLEAN_DISPUTE_RECORD', 'verified evidence', evidence(1), evidence(1, unverified)],
    ['LOW_VERIFICATION_DEPTH', 'depth below 0.5', depth(49, 51), depth(50, 50)],
    ['LOW_VERIFICATION_DEPTH', 'a positive outcome', depth(0, 1), [tallied(1, 'CONTRACT_BREACHED')]],
    ['INDEPENDENTLY_VERIFIED_RECORD', 'depth from 0.8', depth(80, 20), depth(79, 21)],
    ['INACTIVE_RECORD', 'no outcome for 180 days', evidence(1, daysAgo(181)), evidence(1, daysAgo(180))],
    [
      'INACTIVE_RECORD',
      'cancelled entries are no outcome',
      [...evidence(1, daysAgo(181)), tallied(1, 'CONTRACT_CANCELLED')],
      [tallied(1, 'CONTRACT_CANCELLED', daysAgo(999))],
    ],
  ];

  test.each(boundaries)('%s: %s', (code, _boundary, inside, outside) => {
    expect(codesOf(inside)).toContain(code);
    expect(codesOf(outside)).not.toContain(code);
  });

  test('RECORD_UNDER_VELOCITY_REVIEW: a frozen score', () => {
    expect(codesOf(evidence(1), true)).toContain('RECORD_UNDER_VELOCITY_REVIEW');
    expect(codesOf(evidence(1), false)).not.toContain('RECORD_UNDER_VELOCITY_REVIEW');
  });

  test('decay changes no rate: a boundary reached today is reached on any later day', () => {
    for (let days = 0; days < 400; days += 1) {
      const rates = [...completion(16, 1), ...punctuality(0, 0)].map((tally) => ({
        ...tally,
        ...daysAgo(days),
        platformTier: 'GROWTH' as const,
      }));
      expect(codesOf(rates)).not.toContain('LOW_COMPLETION_RATE');
    }
  });
});

describe('adverse reasons', () => {
  test('are ordered by the points they cost, a velocity review first', () => {
    const record = [
      tallied(2, 'REVIEW_VERIFIED', late),
      tallied(1, 'CONTRACT_BREACHED'),
      tallied(1, 'TRANSACTION_DISPUTED'),
      tallied(9, 'REVIEW_VERIFIED', unverified),
    ].map((tally) => ({ ...tally, ...daysAgo(200) }));
    expect(adverse(record, true).map((reason) => reason.code)).toEqual([
      'RECORD_UNDER_VELOCITY_REVIEW',
      'LOW_ONTIME_RATE',
      'LOW_COMPLETION_RATE',
      'DISPUTED_OUTCOMES_ON_RECORD',
      'LOW_VERIFICATION_DEPTH',
      'LIMITED_VERIFIED_HISTORY',
      'INACTIVE_RECORD',
    ]);
  });

  test('of equal cost are ordered by code', () => {
    // no verified evidence and no unverified outcome: nothing is lost to any factor
    expect(adverse([tallied(3, 'TRANSACTION_DISPUTED')]).map((reason) => reason.code)).toEqual([
      'DISPUTED_OUTCOMES_ON_RECORD',
      'LOW_COMPLETION_RATE',
      'NO_VERIFIED_HISTORY',
    ]);
  });

  test('INACTIVE_RECORD precedes a cheaper reason if a fresh record would score higher', () => {
    const quiet = [tallied(30, 'REVIEW_VERIFIED', { ...onTime, ...daysAgo(720) })];
    expect(adverse(quiet).map((reason) => reason.code)).toEqual([
      'LIMITED_VERIFIED_HISTORY',
      'INACTIVE_RECORD',
    ]);
  });

  test('carry the counts and rates behind them', () => {
    const record = [...[tallied(3, 'REVIEW_VERIFIED', late)], tallied(1, 'DISPUTE_RESOLVED_AGAINST_USER')];
    const evidence = Object.fromEntries(adverse(record).map((reason) => [reason.code, reason.evidence]));
    expect(evidence).toEqual({
      LOW_COMPLETION_RATE: { completionRate: 0.4286, completedOutcomes: 3, outcomes: 4 },
      LOW_ONTIME_RATE: { onTimeRate: 0, onTimeOutcomes: 0, datedOutcomes: 3 },
      DISPUTED_OUTCOMES_ON_RECORD: { contestedOutcomes: 0, disputesDecidedAgainst: 1, outcomes: 4 },
    });
  });
});

function adverse(tallies: readonly Tally[], frozen = false): Reason[] {
  return explain(tallies, asOf, { frozen })?.reasonCodes.adverseActionReasons ?? [];
}

function codesOf(tallies: readonly Tally[], frozen = false): string[] {
  const reasons = explain(tallies, asOf, { frozen })?.reasonCodes;
  return [...(reasons?.adverseActionReasons ?? []), ...(reasons?.supportingFactors ?? [])].map(
    ({ code }) => code,
  );
}
