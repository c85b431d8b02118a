import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { declaredParties, judge } from '#domain/declaredSubject.js';
import { namesOf } from '#domain/sameParty.js';
import { type AttestedOutcomes, outcomeRecordOf } from '#ledger/profile/outcomeRecords.js';

const NO_FAILURES = { failures: 0, disputes: 0, declarationChangedAt: null };

function outcomes(more: Partial<AttestedOutcomes> = {}): AttestedOutcomes {
  return {
    isVerified: true,
    isByOperator: false,
    attester: null,
    outcomes: 1,
    deliveries: 1,
    timed: 0,
    onTime: 0,
    ...more,
  };
}

describe('the record of outcomes', () => {
  // All spellings: sameParty.test.ts. That the subject and its operator are none: evidenceProperty.slow.test.ts.
  test('a counterparty counts once in any spelling', () => {
    const names = fc.constantFrom('Müller & Söhne', 'ACME', 'Straße 7', 'Σίσυφος', '株式会社テスト', 'x');
    const spelling = fc.constantFrom(
      (text: string) => text,
      (text: string) => text.toUpperCase(),
      (text: string) => ` ${text}\u00ad\t`,
      (text: string) => [...text].join(' '),
      (text: string) => text.normalize('NFD'),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(names, spelling), { maxLength: 60 }), (all) => {
        const rows = all.map(([name, spelt]) => outcomes({ attester: spelt(name) }));
        const { business } = outcomeRecordOf(rows, NO_FAILURES);
        expect(business.distinctConfirmingCounterparties).toBe(new Set(all.map(([name]) => name)).size);
        expect(business.confirmedOutcomes).toBe(all.length);
      }),
    );
  });

  test('a counterparty that is the subject, its operator or the platform is refused', () => {
    const operator = { name: 'Müller & Söhne', homepage: null, did: null };
    const facts = { name: 'Bot Seven', description: null, operator };
    const about = declaredParties({ subjectType: 'AGENT', facts }, false);
    const platform = namesOf(['Straße 7']);
    for (const attester of ['bot seven', 'MÜLLER & SÖHNE', 'STRASSE 7', 'acme']) {
      const claimed = { externalId: 'ACME', attester };
      expect(judge(claimed, { by: 'named', platform }, about).isVerified).toBe(false);
      expect(() => judge(claimed, { by: 'counterparty', platform }, about)).toThrow(/Name another party/);
    }
  });

  test('every outcome has one source, and shares are between 0 and 1 or null', () => {
    const row = fc
      .record({
        isByOperator: fc.boolean(),
        isVerified: fc.boolean(),
        attester: fc.option(fc.constantFrom('a', 'b')),
        onTime: fc.nat(5),
        late: fc.nat(5),
        untimed: fc.nat(5),
        others: fc.nat(5),
      })
      .map(({ onTime, late, untimed, others, ...rest }) => {
        const timed = onTime + late;
        const deliveries = timed + untimed;
        return outcomes({ ...rest, onTime, timed, deliveries, outcomes: deliveries + others });
      });
    fc.assert(
      fc.property(fc.array(row), (rows) => {
        const { deliveries: d, business: b } = outcomeRecordOf(rows, {
          failures: 2,
          disputes: 3,
          declarationChangedAt: null,
        });
        const sum = (of: (one: AttestedOutcomes) => number) =>
          rows.reduce((total, one) => total + of(one), 0);
        expect(d.deliveriesRecorded).toBe(sum((one) => one.deliveries));
        expect(d.confirmedDeliveries + d.operatorVouched + d.selfAttested).toBe(d.deliveriesRecorded);
        expect(b.outcomesRecorded).toBe(sum((one) => one.outcomes));
        expect(b.confirmedOutcomes + b.selfAttested).toBe(b.outcomesRecorded);
        expect(b.confirmedOutcomes).toBe(sum((one) => (one.isVerified ? one.outcomes : 0)));
        expect(b.verificationDepth === null).toBe(b.outcomesRecorded === 0);
        for (const share of [d.onTimeRate, b.verificationDepth]) {
          if (share === null) continue;
          expect(share).toBeGreaterThanOrEqual(0);
          expect(share).toBeLessThanOrEqual(1);
        }
        expect([d.failures, b.failures, d.disputes, b.disputes]).toEqual([2, 2, 3, 3]);
      }),
    );
  });
});
