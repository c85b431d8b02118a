import {
  type Day,
  dayFromIso,
  dayOf,
  explain,
  FORMULA_VERSION,
  factorNames,
  isoFromDay,
  mergeTallies,
  reasonCodeCatalog,
  replayBys,
  score,
  scoreBands,
} from '@reliability/scoring';
import { z } from 'zod';
import { fail, failValidation } from '#domain/errors.js';
import { reasonEntryOf, type StoredReason, withReview } from '#domain/recordWords.js';
import type { Queryable } from '#kit/db/database.js';
import { findFrozenScore, findHeldScores, type HeldScore, heldOn } from '#ledger/reads/publishedScores.js';
import { readRecordEntries } from '#ledger/reads/recordEntries.js';
import { talliesAt } from '#ledger/reads/talliesAt.js';
import { subjectOf, type UserContext } from '#ledger/requests/addressedSubject.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import type { DetailedScore, ReadOne } from './readScores.js';

const Reason = z
  .object({
    code: z.string(),
    factor: z.string(),
    title: z.string(),
    description: z.string(),
    evidence: z.record(z.string(), z.union([z.number(), z.string(), z.null()])),
  })
  .meta({ id: 'ScoreReason' });

export const ExplanationQuery = z.object({
  asOf: z.iso.date().transform(dayFromIso).optional(),
  by: z.enum(replayBys).optional().default('outcome'),
});

export type Explanation = z.output<typeof Explanation>;
export const Explanation = z
  .object({
    userId: z.string(),
    asOf: z.iso.date().optional(),
    finalScore: z.number().min(0).max(100),
    scoreBand: z.enum(scoreBands),
    factors: z.array(
      z.object({
        name: z.enum(factorNames),
        contribution: z.number(),
        description: z.string(),
      }),
    ),
    reasonCodes: z.object({
      adverseActionReasons: z.array(Reason),
      supportingFactors: z.array(Reason),
      disclosures: z.array(z.string()),
    }),
    reasonCodesVersion: z.string(),
    keyFactorLimit: z.int().min(0),
    formulaVersion: z.string(),
  })
  .meta({ id: 'ScoreExplanation' });

type Context = UserContext<z.output<typeof ExplanationQuery>>;

const catalogue = {
  reasonCodesVersion: reasonCodeCatalog.reasonCodesVersion,
  keyFactorLimit: reasonCodeCatalog.keyFactorLimit,
};

interface ExplainDeps extends Pick<ServiceDeps, 'db' | 'clock'> {
  readDetail: ReadOne<DetailedScore>;
}

/** GET /users/{id}/score/explain. Throws USER_NOT_FOUND for a subject without a score. */
export async function explainScore(
  { db, clock, readDetail }: ExplainDeps,
  context: Context,
): Promise<Explanation> {
  const { asOf } = context.query;
  if (asOf === undefined) return explainPublished(readDetail, context);
  const today = dayOf(clock.now());
  if (asOf > today) {
    const message = `must not lie after today, ${isoFromDay(today)}`;
    failValidation([{ path: 'asOf', code: 'custom', message }]);
  }
  const subjectId = subjectOf(context);
  const [frozen, ended] = await Promise.all([findFrozenScore(db, subjectId), findHeldScores(db, subjectId)]);
  const held = heldOn(ended, asOf);
  const explanation =
    frozen && asOf >= frozen.asOf
      ? await explainPublished(readDetail, context)
      : held
        ? await explainHeld(db, context, held)
        : await explainDay(db, context, asOf);
  return { ...explanation, asOf: isoFromDay(asOf) };
}

/** The attribution stored with the score, with the catalogue's texts. */
async function explainPublished(readDetail: ReadOne<DetailedScore>, context: Context): Promise<Explanation> {
  const score = await readDetail(subjectOf(context));
  const review = score.frozenAt && { frozenSince: score.frozenAt.toISOString() };
  return {
    userId: context.params.id,
    finalScore: score.finalScore,
    scoreBand: score.scoreBand,
    factors: score.detail.factors,
    reasonCodes: {
      adverseActionReasons: withReview(score.detail.adverse, review).map(withTexts),
      supportingFactors: score.detail.supporting.map(withTexts),
      disclosures: [...reasonCodeCatalog.disclosures],
    },
    ...catalogue,
    formulaVersion: score.formulaVersion,
  };
}

/** What was published on a day of a freeze that has ended. */
async function explainHeld(
  db: Queryable,
  context: Context,
  { finalScore, scoreBand, asOf, positions, frozenSince }: HeldScore,
): Promise<Explanation> {
  const tallies = mergeTallies([...(await talliesAt(db, positions)).values()].flat());
  const explanation = explain(tallies, asOf, { frozen: false });
  if (!explanation) throw new Error('a published score counts no outcome');
  const { reasonCodes, ...rest } = explanation;
  const review = withReview([], { frozenSince: frozenSince.toISOString() }).map(withTexts);
  return {
    userId: context.params.id,
    finalScore,
    scoreBand,
    ...rest,
    reasonCodes: {
      ...reasonCodes,
      adverseActionReasons: [...review, ...reasonCodes.adverseActionReasons],
    },
    ...catalogue,
    formulaVersion: FORMULA_VERSION,
  };
}

/** What the formula gives for the outcomes that counted at the end of a day. */
async function explainDay(db: Queryable, context: Context, asOf: Day): Promise<Explanation> {
  const { by } = context.query;
  const entries = await readRecordEntries(db, subjectOf(context), by);
  if (!entries) return fail('USER_NOT_FOUND');
  const tallies = mergeTallies(entries.filter(({ entersOn }) => entersOn <= asOf));
  const figures = score(tallies, asOf);
  const explanation = explain(tallies, asOf, { frozen: false });
  if (!figures || !explanation) {
    const lacking = by === 'outcome' ? 'had happened' : 'had been reported';
    return fail('USER_NOT_FOUND', {
      message: `No outcome of this subject ${lacking} by ${isoFromDay(asOf)}.`,
    });
  }
  return {
    userId: context.params.id,
    finalScore: figures.finalScore,
    scoreBand: figures.scoreBand,
    ...explanation,
    ...catalogue,
    formulaVersion: FORMULA_VERSION,
  };
}

function withTexts({ code, evidence }: StoredReason) {
  const entry = reasonEntryOf(code);
  if (!entry) throw new Error(`a stored reason has the code ${code}, which is not in the catalogue`);
  const { factor, title, description } = entry;
  return { code, factor, title, description, evidence };
}
