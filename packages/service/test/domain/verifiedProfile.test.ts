import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  qualificationEventTypes,
  type VerifiedQualification,
  verifiedProfile,
} from '#domain/verifiedProfile.js';

const AS_OF = new Date('2026-03-01T09:00:00.000Z');

function qualificationUntil(expiresAt: Date | null): VerifiedQualification {
  return {
    id: '0199a3c2-a1b0-7d31-9c44-6e8f0b1d2a3c',
    eventType: 'SKILL_VERIFIED',
    title: 'Tiling',
    issuer: null,
    startDate: null,
    endDate: null,
    issuedAt: null,
    expiresAt,
    url: null,
    verifiedBy: 'trade-school',
    createdAt: AS_OF,
  };
}

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

  test('counts a qualification as expired from its end date on', () => {
    const [past, end, future] = [-1, 0, 1].map((ms) => new Date(AS_OF.getTime() + ms));
    const ends = [past, end, future, null].map((date) => qualificationUntil(date ?? null));
    const { qualifications } = verifiedProfile([], ends, 0, AS_OF);
    expect(qualifications.map(({ status }) => status)).toEqual(['expired', 'expired', 'current', 'current']);
  });
});
