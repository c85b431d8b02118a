import { describe, expect, test } from 'vitest';
import { score, type Tally } from '../src/index.js';
import { asOf } from './ledgers.js';
import { daysAgo, tallied, unverified } from './tallies.js';

/**
 * Three corners in which formula 5.3, followed to the letter, breaks rules 2 and 3 of its own "What must hold". They are kept
 * as published, since two implementations must agree, and pinned here so that a later version can close them knowingly.
 */
describe('known corners of formula 5.3', () => {
  const oldBreach = tallied(1, 'CONTRACT_BREACHED', {
    ...daysAgo(1800),
    stakeLevel: 'LOW',
    platformTier: 'SELF_REPORTED',
  });

  test('rule 2: beside an old verified breach and many open verified contests, a good outcome costs points', () => {
    // the good outcome shrinks the room of a strong unverified half by more than it lifts a verified half full of contests
    const record = [
      oldBreach,
      tallied(30, 'TRANSACTION_DISPUTED'),
      tallied(500, 'TRANSACTION_COMPLETED', { ...unverified, timeliness: 'on_time' }),
    ];
    const added = tallied(1, 'TRANSACTION_COMPLETED', { stakeLevel: 'HIGH', timeliness: 'on_time' });
    expect(beforeAndAfter(record, added)).toEqual([15.27, 13.67]);
  });

  test('rule 3: with both halves below the anchor, one more verified breach gives points', () => {
    // the breach shrinks the room of a bad unverified half; the verified one is at its bottom already
    const record = [
      oldBreach,
      tallied(10, 'TRANSACTION_DISPUTED'),
      tallied(500, 'CONTRACT_BREACHED', unverified),
    ];
    const added = tallied(1, 'CONTRACT_BREACHED', { stakeLevel: 'LOW', platformTier: 'SELF_REPORTED' });
    expect(beforeAndAfter(record, added)).toEqual([0.66, 1.22]);
  });

  test('rule 3: beside disputes won and an open one, all unverified, an unverified breach gives a few hundredths', () => {
    // the offset of the disputes won absorbs the breach in the dispute factor, while the breach widens the gate
    const record = [
      tallied(2, 'DISPUTE_RESOLVED_FOR_USER', {
        ...unverified,
        platformTier: 'STARTER',
        timeliness: 'on_time',
      }),
      tallied(1, 'TRANSACTION_DISPUTED', {
        ...unverified,
        stakeLevel: 'HIGH',
        platformTier: 'SELF_REPORTED',
      }),
    ];
    const added = tallied(1, 'CONTRACT_BREACHED', {
      ...unverified,
      stakeLevel: 'LOW',
      platformTier: 'SELF_REPORTED',
    });
    expect(beforeAndAfter(record, added)).toEqual([20.55, 20.57]);
  });
});

function beforeAndAfter(record: readonly Tally[], added: Tally): (number | undefined)[] {
  return [score(record, asOf)?.finalScore, score([...record, added], asOf)?.finalScore];
}
