import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { explain, factorNames, foldTallies, reasonCodeCatalog, score } from '../src/index.js';
import { asOf, holdsForEveryLedger, startedLedgers } from './ledgers.js';
import { tallied, unverified } from './tallies.js';

describe('an explanation', () => {
  test('is null for a record without any event', () => {
    expect(explain([], asOf, { frozen: false })).toBeNull();
  });

  test('names the five factors in order, with the points of the score', () => {
    holdsForEveryLedger(
      fc.property(startedLedgers, fc.boolean(), (events, frozen) => {
        const tallies = foldTallies(events);
        const factors = explain(tallies, asOf, { frozen })?.factors ?? [];
        expect(factors.map(({ name }) => name)).toEqual(factorNames);
        expect(Object.fromEntries(factors.map((factor) => [factor.name, factor.contribution]))).toEqual(
          score(tallies, asOf)?.factors,
        );
      }),
    );
  });

  test('lists only codes of the catalogue, each once, with its own text', () => {
    holdsForEveryLedger(
      fc.property(startedLedgers, fc.boolean(), (events, frozen) => {
        const reasons = explain(foldTallies(events), asOf, { frozen })?.reasonCodes;
        const lists = {
          adverse: reasons?.adverseActionReasons ?? [],
          supporting: reasons?.supportingFactors ?? [],
        };
        for (const [direction, list] of Object.entries(lists)) {
          expect(new Set(list.map(({ code }) => code)).size).toBe(list.length);
          for (const { evidence: _, ...reason } of list) {
            expect(reasonCodeCatalog.codes).toContainEqual({ ...reason, direction });
          }
        }
      }),
    );
  });

  test.each([
    [
      'describes the record in plain sentences',
      [
        tallied(3, 'REVIEW_VERIFIED', { timeliness: 'on_time' }),
        tallied(1, 'REVIEW_VERIFIED', { timeliness: 'late' }),
        tallied(1, 'TRANSACTION_DISPUTED'),
        tallied(1, 'REVIEW_VERIFIED', unverified),
      ],
      [
        '4 of 5 verified outcomes completed; 80 % by weight.',
        '3 of 4 completed outcomes with both dates on time; 75 % by weight.',
        '1 contested outcome and 0 disputes decided against the subject.',
        '4 of 5 completed outcomes confirmed by another party; 80 % by weight.',
        expect.stringMatching(/^Floor and ceiling changed nothing\./),
      ],
    ],
    [
      'says so if a factor has no data',
      [tallied(1, 'CONTRACT_CANCELLED')],
      [
        'No outcomes yet, so no completion rate.',
        'No completed outcome has both a due date and a completion date.',
        'No outcome is contested and no dispute was decided against the subject.',
        'No completed outcomes that another party could have confirmed.',
        expect.any(String),
      ],
    ],
  ])('%s', (_, record, sentences) => {
    const factors = explain(record, asOf, { frozen: false })?.factors;
    expect(factors?.map(({ description }) => description)).toEqual(sentences);
  });

  test('says what floor and ceiling took or added', () => {
    const gateOf = (...tallies: Parameters<typeof explain>[0]) =>
      explain(tallies, asOf, { frozen: false })?.factors.find(({ name }) => name === 'gate');
    expect(gateOf(tallied(9, 'CONTRACT_BREACHED', unverified))?.description).toMatch(
      /^The floor added \d\.\d\d points\./,
    );
    const flood = tallied(100_000, 'DISPUTE_RESOLVED_FOR_USER', { ...unverified, timeliness: 'on_time' });
    expect(gateOf(flood, tallied(4, 'REVIEW_VERIFIED', { timeliness: 'on_time' }))?.description).toMatch(
      /^The ceiling took \d\.\d\d points\./,
    );
  });
});

describe('the reason-code catalogue', () => {
  test('lists the thirteen codes in order, with factor and direction', () => {
    expect(reasonCodeCatalog.codes.map(({ code, factor, direction }) => [code, factor, direction])).toEqual([
      ['CLEAN_DISPUTE_RECORD', 'disputes', 'supporting'],
      ['DISPUTED_OUTCOMES_ON_RECORD', 'disputes', 'adverse'],
      ['ESTABLISHED_VERIFIED_HISTORY', 'evidence', 'supporting'],
      ['INACTIVE_RECORD', 'recency', 'adverse'],
      ['INDEPENDENTLY_VERIFIED_RECORD', 'verification', 'supporting'],
      ['LIMITED_VERIFIED_HISTORY', 'evidence', 'adverse'],
      ['LOW_COMPLETION_RATE', 'completion', 'adverse'],
      ['LOW_ONTIME_RATE', 'timeliness', 'adverse'],
      ['LOW_VERIFICATION_DEPTH', 'verification', 'adverse'],
      ['NO_VERIFIED_HISTORY', 'evidence', 'adverse'],
      ['RECORD_UNDER_VELOCITY_REVIEW', 'integrity', 'adverse'],
      ['STRONG_COMPLETION_RATE', 'completion', 'supporting'],
      ['STRONG_ONTIME_RATE', 'timeliness', 'supporting'],
    ]);
    expect(reasonCodeCatalog).toMatchObject({
      reasonCodesVersion: '1.0',
      formulaVersion: '5.3',
      keyFactorLimit: 4,
    });
  });
});
