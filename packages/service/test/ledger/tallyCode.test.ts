import {
  eventTypes,
  platformTiers,
  stakeLevels,
  type TallyKey,
  timelinessValues,
} from '@reliability/scoring';
import { describe, expect, test } from 'vitest';
import { decodeTally, encodeTallyKey } from '../../src/ledger/tallyCode.js';

describe('the packed key of a tally', () => {
  test('comes back as it went in, for every key there can be, and no two share a code', () => {
    const seen = new Set<number>();
    for (const key of everyKey()) {
      const code = encodeTallyKey(key);
      expect(decodeTally(key.day, code, 7)).toEqual({ ...key, count: 7 });
      expect(code).toBeLessThan(2 ** 15);
      seen.add(code);
    }
    expect(seen.size).toBe([...everyKey()].length);
  });

  // These numbers stand in databases. A change here is a migration of every tally there is.
  test.each([
    ['TRANSACTION_COMPLETED', 'ENTERPRISE', 'HIGH', false, 'on_time', 0],
    ['CONTRACT_FULFILLED', 'STARTER', 'MEDIUM', true, 'late', 1101],
    ['CONTRACT_BREACHED', 'GROWTH', 'LOW', true, 'untimed', 1590],
    ['DISPUTE_RESOLVED_AGAINST_USER', 'SELF_REPORTED', 'LOW', false, 'untimed', 2418],
  ] as const)(
    'of %s %s %s verified %s %s is stored as the same number for good',
    (eventType, platformTier, stakeLevel, isVerified, timeliness, code) => {
      expect(encodeTallyKey({ day: 0, eventType, platformTier, stakeLevel, isVerified, timeliness })).toBe(
        code,
      );
    },
  );

  test('a code of a later version is refused rather than misread', () => {
    expect(() => decodeTally(0, (31 << 8) | 0, 1)).toThrow(/does not know/);
  });
});

function* everyKey(): Generator<TallyKey> {
  for (const eventType of eventTypes)
    for (const platformTier of platformTiers)
      for (const stakeLevel of stakeLevels)
        for (const isVerified of [true, false])
          for (const timeliness of timelinessValues)
            yield { day: 20_000, eventType, platformTier, stakeLevel, isVerified, timeliness };
}
