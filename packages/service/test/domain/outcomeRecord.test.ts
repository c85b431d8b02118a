import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Declared, declaredParties, judge } from '#domain/declaredSubject.js';
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

/** One name in many spellings. */
function spellingsOf(name: string) {
  const ways: ((text: string) => string)[] = [
    (text) => text,
    (text) => text.toUpperCase(),
    (text) => text.toLowerCase(),
    (text) => ` ${text}\t`,
    (text) => [...text].join(' '),
    (text) => text.replace(/[!-~]/g, (sign) => String.fromCodePoint((sign.codePointAt(0) ?? 0) + 0xfee0)),
    (text) => text.normalize('NFD'),
    (text) => text.normalize('NFKC'),
    (text) => `\u200b${text}\u00ad`,
  ];
  return fc.constantFrom(...ways).map((way) => way(name));
}

const NAMES = [
  'Müller & Söhne',
  'ACME',
  'ﬁne foods',
  'Straße 7',
  'Ångström',
  'Σίσυφος',
  '株式会社テスト',
  'x',
];

describe('the record of outcomes', () => {
  test('a counterparty counts once in any spelling', () => {
    const named = fc.constantFrom(...NAMES).chain((name) => fc.tuple(fc.constant(name), spellingsOf(name)));
    fc.assert(
      fc.property(fc.array(named, { maxLength: 60 }), (all) => {
        const rows = all.map(([, attester]) => outcomes({ attester }));
        const { business } = outcomeRecordOf(rows, NO_FAILURES);
        expect(business.distinctConfirmingCounterparties).toBe(new Set(all.map(([name]) => name)).size);
        expect(business.confirmedOutcomes).toBe(all.length);
      }),
    );
  });

  test('the subject and its operator are no counterparties in any spelling', () => {
    const parties = { self: 'Bot Seven', operator: 'Müller & Söhne' };
    const declared: Declared = {
      subjectType: 'AGENT',
      facts: {
        name: parties.self,
        description: null,
        operator: { name: parties.operator, homepage: null, did: null },
      },
    };
    const spelt = fc.constantFrom('ACME', parties.self, parties.operator, 'Straße 7').chain(spellingsOf);
    const platform = namesOf(['Straße 7']);
    fc.assert(
      fc.property(spelt, fc.boolean(), (attester, isOwn) => {
        const about = declaredParties(declared, isOwn);
        const claimed = { externalId: 'ACME', attester };
        expect(judge(claimed, { by: 'named', platform }, about).isVerified).toBe(false);
        expect(() => judge(claimed, { by: 'counterparty', platform }, about)).toThrow(/Name another party/);
      }),
    );
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
