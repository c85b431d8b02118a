import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Declared, partyKeysOf } from '../../src/domain/declaredSubject.js';
import { outcomeRecordOf, type WitnessedOutcomes } from '../../src/domain/outcomeRecord.js';

const NOBODY = { self: new Set<string>(), operator: new Set<string>() };
const NO_FAILURES = { failures: 0, disputes: 0 };

function outcomes(more: Partial<WitnessedOutcomes> = {}): WitnessedOutcomes {
  return {
    isOwn: false,
    isVerified: true,
    witness: null,
    isOfMany: false,
    outcomes: 1,
    deliveries: 1,
    timed: 0,
    onTime: 0,
    ...more,
  };
}

/** One name in many ways of writing it. */
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
  test('however counterparties are written, each of them counts once', () => {
    const named = fc.constantFrom(...NAMES).chain((name) => fc.tuple(fc.constant(name), spellingsOf(name)));
    fc.assert(
      fc.property(fc.array(named, { maxLength: 60 }), (all) => {
        const rows = all.map(([, witness]) => outcomes({ witness }));
        const { business } = outcomeRecordOf(rows, NOBODY, NO_FAILURES);
        expect(business.distinctConfirmingCounterparties).toBe(new Set(all.map(([name]) => name)).size);
        expect(business.confirmedOutcomes).toBe(all.length);
      }),
    );
  });

  test('no spelling turns the subject or its operator into a counterparty', () => {
    const parties = { self: 'Bot Seven', operator: 'Müller & Söhne' };
    const declared: Declared = {
      subjectType: 'AGENT',
      facts: {
        name: parties.self,
        description: null,
        operator: { name: parties.operator, homepage: null, did: null },
      },
    };
    const keys = partyKeysOf([{ externalId: 'ACME', declared, ownPlatform: 'Straße 7' }]);
    const spelt = fc.constantFrom('ACME', parties.self, parties.operator, 'Straße 7').chain(spellingsOf);
    fc.assert(
      fc.property(spelt, fc.boolean(), (witness, isOwn) => {
        const { deliveries, business } = outcomeRecordOf([outcomes({ witness, isOwn })], keys, NO_FAILURES);
        expect(deliveries.confirmedDeliveries).toBe(0);
        expect(business).toMatchObject({ confirmedOutcomes: 0, distinctConfirmingCounterparties: 0 });
      }),
    );
  });

  test('every outcome stands on one word, and shares are between 0 and 1 or null', () => {
    const row = fc
      .record({
        isOwn: fc.boolean(),
        isVerified: fc.boolean(),
        witness: fc.option(fc.constantFrom('a', 'b', 'self', 'operator', ' ')),
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
    const keys = { self: new Set(['self']), operator: new Set(['operator']) };
    fc.assert(
      fc.property(fc.array(row), (rows) => {
        const { deliveries: d, business: b } = outcomeRecordOf(rows, keys, { failures: 2, disputes: 3 });
        const sum = (of: (one: WitnessedOutcomes) => number) =>
          rows.reduce((total, one) => total + of(one), 0);
        expect(d.deliveriesRecorded).toBe(sum((one) => one.deliveries));
        expect(d.confirmedDeliveries + d.operatorVouched + d.selfAttested).toBe(d.deliveriesRecorded);
        expect(b.outcomesRecorded).toBe(sum((one) => one.outcomes));
        expect(b.confirmedOutcomes + b.selfAttested).toBe(b.outcomesRecorded);
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

  test('witnesses too many to tell apart confirm all the same, and are not counted among those told apart', () => {
    const rows = [
      outcomes({ isOwn: true, isOfMany: true, outcomes: 9, deliveries: 9 }),
      outcomes({ witness: 'a' }),
    ];
    const { deliveries, business } = outcomeRecordOf(rows, NOBODY, NO_FAILURES);
    expect(deliveries).toMatchObject({ confirmedDeliveries: 10, operatorVouched: 0 });
    expect(business.distinctConfirmingCounterparties).toBe(1);
  });

  test('a homepage is known by its host as well, and a DID as it stands', () => {
    const facts = {
      legalName: null,
      tradingName: null,
      homepage: 'https://Shop.example.com/about',
      did: 'did:web:shop',
    };
    const { self, operator } = partyKeysOf([
      { externalId: 'vendor', declared: { subjectType: 'ORGANIZATION', facts }, ownPlatform: null },
    ]);
    expect([...self].sort()).toEqual([
      'did:web:shop',
      'https://shop.example.com/about',
      'shop.example.com',
      'vendor',
    ]);
    expect(operator.size).toBe(0);
  });
});
