import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  qualificationEventTypes,
  type VerifiedQualification,
  verifiedProfile,
} from '#domain/verifiedProfile.js';

const AS_OF = new Date('2026-03-01T09:00:00.000Z');

describe('the verified profile', () => {
  test('counts each entry once, and only verified entries as expired', () => {
    const counts = fc.array(
      fc.record({
        eventType: fc.constantFrom(...qualificationEventTypes),
        isVerified: fc.boolean(),
        isExpired: fc.boolean(),
        count: fc.nat(1000),
      }),
    );
    fc.assert(
      fc.property(counts, (all) => {
        const { total, kinds } = verifiedProfile(all, [], 0, AS_OF);
        const sum = (some: typeof all) => some.reduce((sofar, { count }) => sofar + count, 0);
        const verified = all.filter(({ isVerified }) => isVerified);
        expect(total).toEqual({
          verified: sum(verified),
          expired: sum(verified.filter(({ isExpired }) => isExpired)),
          selfReported: sum(all) - sum(verified),
        });
        for (const field of ['verified', 'expired', 'selfReported'] as const) {
          expect(Object.values(kinds).reduce((sofar, kind) => sofar + kind[field], 0)).toBe(total[field]);
        }
      }),
    );
  });

  test.each([
    [-1, 'expired'],
    [0, 'expired'],
    [1, 'current'],
    [null, 'current'],
  ])('a qualification that ends %j ms from now is %s', (ms, status) => {
    const expiresAt = ms === null ? null : new Date(AS_OF.getTime() + ms);
    const { qualifications } = verifiedProfile([], [{ expiresAt } as VerifiedQualification], 0, AS_OF);
    expect(qualifications).toMatchObject([{ status }]);
  });
});
