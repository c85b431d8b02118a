import {
  eventTypes,
  explain,
  platformTiers,
  reasonCodeCatalog,
  score,
  stakeLevels,
  type Tally,
  timelinessValues,
} from '@reliability/scoring';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { recordWords } from '#domain/languages.js';
import { reasonText } from '#domain/recordWords.js';
import { trendOf } from '#domain/scoreCourse.js';
import { type ScoreFacts, trustSummaryOf } from '#domain/trustSummary.js';
import { errorsOf } from './plainLanguage.js';

const TODAY = 20_000;

const solid: ScoreFacts = {
  finalScore: 72.4,
  scoreBand: 'Good',
  confidenceLabel: 'high',
  totalEvents: 20,
  verifiedEvents: 18,
  frozenAt: null,
  trend: null,
  factors: [
    { name: 'completion', contribution: 20 },
    { name: 'timeliness', contribution: 24 },
    { name: 'disputes', contribution: 5 },
    { name: 'verification', contribution: 3.4 },
    { name: 'gate', contribution: 0 },
  ],
  adverse: [{ code: 'INACTIVE_RECORD', evidence: { daysSinceLastOutcome: 200, thresholdDays: 180 } }],
  supporting: [
    {
      code: 'CLEAN_DISPUTE_RECORD',
      evidence: { contestedOutcomes: 0, disputesDecidedAgainst: 0, outcomes: 20 },
    },
    {
      code: 'ESTABLISHED_VERIFIED_HISTORY',
      evidence: { verifiedOutcomes: 18, unverifiedOutcomes: 2, verifiedEvidence: 14.2 },
    },
    { code: 'STRONG_COMPLETION_RATE', evidence: { completionRate: 1, completedOutcomes: 18, outcomes: 18 } },
    { code: 'STRONG_ONTIME_RATE', evidence: { onTimeRate: 0.9713, onTimeOutcomes: 9, datedOutcomes: 10 } },
  ],
};

describe('a trust summary', () => {
  test('gives the score, its evidence, and the strongest factor for and against it', () => {
    const { summary, strengths, risks, trend } = trustSummaryOf(solid);
    expect(summary).toBe(
      'The score is 72.40 of 100, in the band Good. It rests on 20 entries. Others confirmed 18 of them. Much confirmed work ' +
        'supports it. Biggest plus: long confirmed history. Biggest minus: no recent results.',
    );
    expect(strengths.map(({ code, text }) => `${code}: ${text}`)).toEqual([
      'ESTABLISHED_VERIFIED_HISTORY: Others confirmed 18 results. With their size and age, that is a long history.',
      'STRONG_ONTIME_RATE: On time: 9 of 10 finished jobs. Recent and bigger jobs count for more, which makes it 97 %.',
      'STRONG_COMPLETION_RATE: Finished: 18 of 18 results.',
      'CLEAN_DISPUTE_RECORD: There is no dispute on the record, which holds 20 results.',
    ]);
    expect(risks.map(({ code, text }) => `${code}: ${text}`)).toEqual([
      'INACTIVE_RECORD: The last result is 200 days old. Old results count less every day.',
    ]);
    expect(trend).toBeNull();
  });

  test('compares the score with the score 90 days earlier, in a sentence and in figures', () => {
    const trend = { day: TODAY - 90, finalScore: 70, change: 2.4 };
    const { summary, trend: said } = trustSummaryOf({ ...solid, trend });
    expect(said).toEqual({ ...trend, text: '90 days earlier it was 70.00, so it rose by 2.40 points.' });
    expect(summary).toContain(
      'in the band Good. 90 days earlier it was 70.00, so it rose by 2.40 points. It',
    );
    const saidOf = (change: number) => trustSummaryOf({ ...solid, trend: { ...trend, change } }).trend?.text;
    expect(saidOf(-0.5)).toContain('fell by 0.50 points.');
    expect(saidOf(0)).toBe('90 days earlier it was 70.00, too.');
    expect(trustSummaryOf(solid)).toMatchObject({
      trend: null,
      summary: expect.not.stringContaining('earlier'),
    });
  });

  test('mentions a freeze first and once, and that the score does not change', () => {
    const adverse = [
      ...solid.adverse,
      { code: 'RECORD_UNDER_VELOCITY_REVIEW', evidence: { totalEvents: 20 } },
    ];
    const { summary, risks } = trustSummaryOf({ ...solid, adverse, frozenAt: new Date(0) });
    expect(risks.map(({ code }) => code)).toEqual(['RECORD_UNDER_VELOCITY_REVIEW', 'INACTIVE_RECORD']);
    expect(summary).toContain('It is frozen while a burst of new entries is checked.');
    expect(trustSummaryOf({ ...solid, adverse }).risks.map(({ code }) => code)).toEqual(['INACTIVE_RECORD']);
  });

  test('omits a code stored by a newer version', () => {
    const adverse = [{ code: 'OF_NEXT_YEAR', evidence: {} }, ...solid.adverse];
    expect(trustSummaryOf({ ...solid, adverse })).toEqual(trustSummaryOf(solid));
  });

  test('uses the text of the catalogue when the figures make no sentence', () => {
    for (const { code } of reasonCodeCatalog.codes) {
      const text = reasonText(code, {}, recordWords.en);
      if (text !== null) expect(errorsOf(text)).toEqual([]);
    }
    const nothing = { verificationDepth: 0, verifiedCompletedOutcomes: 0, completedOutcomes: 0 };
    expect(reasonText('LOW_VERIFICATION_DEPTH', nothing, recordWords.en)).toBeNull();
    const { risks } = trustSummaryOf({
      ...solid,
      adverse: [{ code: 'LOW_VERIFICATION_DEPTH', evidence: nothing }],
    });
    expect(risks[0]?.text).toContain('confirmed less than 50 %');
  });

  test('rounds a rate down, so that it never seems to reach a missed mark', () => {
    const late = (onTimeRate: number) =>
      reasonText('LOW_ONTIME_RATE', { onTimeRate, onTimeOutcomes: 1, datedOutcomes: 2 }, recordWords.en);
    expect(late(0.7499)).toContain('makes it 74 %.');
    expect(late(0.57)).toContain('makes it 57 %.');
    expect(late(0.5)).toBe('On time: 1 of 2 finished jobs.');
  });

  const tally = fc.record({
    day: fc.integer({ min: TODAY - 900, max: TODAY }),
    eventType: fc.constantFrom(...eventTypes),
    stakeLevel: fc.constantFrom(...stakeLevels),
    platformTier: fc.constantFrom(...platformTiers),
    isVerified: fc.boolean(),
    timeliness: fc.constantFrom(...timelinessValues),
    count: fc.integer({ min: 1, max: 40 }),
  });

  test('is plain, without a verdict, deterministic, and in German with the same figures, for any record', () => {
    const english = /\b(the|score|results?|outcomes?|confirmed|others?|of|entries|nothing|points)\b/i;
    const digits = (text: string) => text.replace(/(\d),(\d)/g, '$1.$2').match(/\d+(\.\d+)?/g) ?? [];
    const codesOf = ({ strengths, risks }: ReturnType<typeof trustSummaryOf>) => [
      strengths.map(({ code }) => code),
      risks.map(({ code }) => code),
    ];
    fc.assert(
      fc.property(fc.array(tally, { minLength: 1, maxLength: 8 }), fc.boolean(), (tallies, isFrozen) => {
        const facts = factsOf(tallies, isFrozen);
        if (!facts) return;
        const [plain, german] = [trustSummaryOf(facts), trustSummaryOf(facts, recordWords.de)];
        expect(trustSummaryOf(structuredClone(facts))).toEqual(plain);
        for (const text of [plain.summary, ...[...plain.strengths, ...plain.risks].map(({ text }) => text)])
          expect(errorsOf(text)).toEqual([]);
        expect(codesOf(german)).toEqual(codesOf(plain));
        const points = [...german.strengths, ...german.risks].flatMap(({ title, text }) => [title, text]);
        for (const text of [german.summary, ...points]) expect(text).not.toMatch(english);
        for (const { description } of explain(tallies, TODAY, { frozen: isFrozen })?.factors ?? []) {
          const text = recordWords.de.factor(description);
          expect(text).not.toMatch(english);
          expect(digits(text)).toEqual(digits(description));
        }
      }),
    );
  });
});

function factsOf(tallies: Tally[], isFrozen: boolean): ScoreFacts | null {
  const result = score(tallies, TODAY);
  const explanation = explain(tallies, TODAY, { frozen: false });
  const entries = tallies.map((tally) => ({ ...tally, entersOn: tally.day }));
  if (!result || !explanation) return null;
  return {
    ...result,
    frozenAt: isFrozen ? new Date(0) : null,
    factors: explanation.factors,
    adverse: explanation.reasonCodes.adverseActionReasons,
    supporting: explanation.reasonCodes.supportingFactors,
    trend: trendOf(entries, { ...result, asOf: TODAY }),
  };
}
