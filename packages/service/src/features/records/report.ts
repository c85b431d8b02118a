import {
  confidenceLabels,
  type Factor,
  factorNames,
  isoFromDay,
  model,
  type ReplayEntry,
  reasonCodeCatalog,
} from '@reliability/scoring';
import { z } from 'zod';
import { fail } from '#domain/errors.js';
import { userPath } from '#domain/externalId.js';
import { type LanguageTag, languageTags, recordWords } from '#domain/languages.js';
import type { RecordWords, StoredReason } from '#domain/recordWords.js';
import { courseSteps, type ScoreTrend, trendOf, wholeCourseOf } from '#domain/scoreCourse.js';
import { CoursePoint, HistoryEntry, scoreFields } from '#domain/scoreFields.js';
import { type TrustPoint, trustSummaryOf } from '#domain/trustSummary.js';
import type { Queryable } from '#kit/db/database.js';
import { pick } from '#kit/db/rows.js';
import { ok, type TypedAnswer } from '#kit/http/answer.js';
import { instant } from '#kit/http/query.js';
import { keyFor, type RouteTable, route } from '#kit/http/route.js';
import { figuresOf, type StoredScore } from '#ledger/reads/publishedScores.js';
import { readRecordEntries } from '#ledger/reads/recordEntries.js';
import { refuseTestKey, subjectOf } from '#ledger/requests/addressedSubject.js';
import type { ServiceDeps } from '../serviceDeps.js';
import { loadProfessionalRecord } from './professionalFigures.js';
import { SharedProfessionalRecord } from './professionalRecord.js';

const ReportQuery = z.object({
  format: z.enum(['json', 'html']).optional().default('json'),
  lang: z.enum(languageTags).optional(),
});

const { finalScore, scoreBand, confidence, behavioralQuality, totalEvents, verifiedEvents } = scoreFields;
const { formulaVersion, computedAt } = scoreFields;

const reason = z.object({
  code: z.string(),
  title: z.string(),
  text: z.string(),
});

const count = z.int().min(0).nullable();

const RestsOn = SharedProfessionalRecord.pick({
  verifiedOutcomes: true,
  verifiedByClass: true,
  totalOutcomes: true,
  verificationDepth: true,
  verifiedPlatforms: true,
  tenure: true,
  registeredAt: true,
}).extend({ verifiedByClass: z.object({ positive: count, breach: count, contested: count }).nullable() });

export type ReliabilityReport = z.output<typeof ReliabilityReport>;
export const ReliabilityReport = z
  .object({
    userId: z.string(),
    platformName: z.string(),
    generatedAt: instant,
    finalScore,
    scoreBand,
    confidence,
    confidenceLabel: z.enum(confidenceLabels),
    behavioralQuality,
    totalEvents,
    verifiedEvents,
    frozen: z.boolean(),
    formulaVersion,
    computedAt,
    summary: z.string(),
    startingScore: z.number().min(0).max(100),
    factors: z.array(
      z.object({ name: z.enum(factorNames), contribution: z.number(), description: z.string() }),
    ),
    supportingFactors: z.array(reason),
    adverseActionReasons: z.array(reason),
    reasonCodesVersion: z.string(),
    restsOn: RestsOn,
    courseStep: z.enum(courseSteps),
    course: z.array(CoursePoint),
    history: z.array(
      HistoryEntry.pick({
        finalScore: true,
        scoreBand: true,
        totalEvents: true,
        verifiedEvents: true,
        reason: true,
        computedAt: true,
      }),
    ),
    historyThinned: z.boolean(),
    disclosures: z.array(z.string()),
  })
  .meta({ id: 'ReliabilityReport' });

export type ReportDeps = Pick<ServiceDeps, 'db' | 'clock'> & {
  /** The report as a page to print. */
  showReport(report: WordedReport, reader: ReportReader): TypedAnswer<200, string>;
};

interface ReportReader {
  readonly lang: LanguageTag | undefined;
  readonly acceptLanguage: string | undefined;
}

/** A score on paper. */
export function reportRoutes({ db, clock, showReport }: ReportDeps): RouteTable {
  return {
    'GET /users/{id}/reliability-report': route({
      operationId: 'readReliabilityReport',
      access: keyFor('scores'),
      tag: 'Records',
      params: userPath,
      query: ReportQuery,
      answers: {
        200: { json: ReliabilityReport, media: [{ type: 'text/html' }] },
      },
      errors: ['USER_NOT_FOUND', 'TEST_MODE_NOT_ALLOWED'],
      async handle(context) {
        const { caller, params, query } = context;
        refuseTestKey(caller);
        const { platformName } = caller;
        const named = { userId: params.id, platformName, generatedAt: clock.now() };
        const report = await loadReport(db, subjectOf(context), named);
        if (!report) return fail('USER_NOT_FOUND');
        const { format, lang } = query;
        if (format === 'json') return ok(report(recordWords[lang ?? 'en']));
        return showReport(report, { lang, acceptLanguage: context.header('accept-language') });
      },
    }),
  };
}

const MAX_CHANGES_READ = 2000;
const MAX_CHANGES_IN_REPORT = 60;

/** The report in one of the languages. */
type WordedReport = (words: RecordWords) => ReliabilityReport;

/**
 * A score with everything that it is based on, in one document. Null for a subject without a score. Course and history end with
 * this score, even if another one is computed meanwhile.
 */
async function loadReport(
  db: Queryable,
  subjectId: string,
  named: Pick<ReliabilityReport, 'userId' | 'platformName' | 'generatedAt'>,
): Promise<WordedReport | null> {
  const [score, record, entries] = await Promise.all([
    findReportedScore(db, subjectId),
    loadProfessionalRecord(db, subjectId),
    readRecordEntries(db, subjectId, 'outcome'),
  ]);
  if (!score || !record || !entries) return null;
  const changes = await findChanges(db, subjectId, score.snapshotNo, MAX_CHANGES_READ);
  const history = thinned(changes.toReversed(), MAX_CHANGES_IN_REPORT).toReversed();
  const trend = trendOf(entries, score);
  const figures = {
    ...named,
    ...figuresOf(score),
    restsOn: pick(record, ...RestsOn.keyof().options),
    ...courseOfReport(entries, score),
    history,
    historyThinned: history.length < changes.length || changes.length === MAX_CHANGES_READ,
  };
  return (words) => ({
    ...figures,
    ...reasonsOf(score, trend, words),
    disclosures: [...words.disclosures],
  });
}

export function courseOfReport(entries: readonly ReplayEntry[], score: ReportedScore) {
  const { step, points } = wholeCourseOf(entries, score);
  return {
    courseStep: step,
    course: points.map(({ day, ...figures }) => ({ day: isoFromDay(day), ...figures })),
  };
}

export function reasonsOf(score: ReportedScore, trend: ScoreTrend | null, words: RecordWords) {
  const { summary, strengths, risks } = trustSummaryOf({ ...score, trend }, words);
  return {
    summary,
    startingScore: model.anchor,
    factors: score.factors.map((factor) => ({ ...factor, description: words.factor(factor.description) })),
    supportingFactors: strengths.map(toReason),
    adverseActionReasons: risks.map(toReason),
    reasonCodesVersion: reasonCodeCatalog.reasonCodesVersion,
  };
}

function toReason({ code, title, text }: TrustPoint) {
  return { code, title, text };
}

/**
 * At most `max` points that show the same curve: the first, the last, and the last of every equal period between them.
 * @param points oldest first.
 */
export function thinned<Point extends { readonly computedAt: Date }>(
  points: readonly Point[],
  max: number,
): readonly Point[] {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || points.length <= max) return points;
  const startMs = first.computedAt.getTime();
  const spanMs = Math.max(1, last.computedAt.getTime() - startMs);
  const periods = max - 1;
  const periodOf = ({ computedAt }: Point) =>
    Math.min(periods - 1, Math.floor(((computedAt.getTime() - startMs) / spanMs) * periods));
  return points.filter((point, index) => {
    const next = points[index + 1];
    return index === 0 || !next || periodOf(next) !== periodOf(point);
  });
}

export interface ReportedScore extends StoredScore {
  frozenAt: Date | null;
  /** The day on which it was computed. */
  asOf: number;
  snapshotNo: number;
  factors: { name: Factor; contribution: number; description: string }[];
  adverse: StoredReason[];
  supporting: StoredReason[];
}

/** A score and its explanation. Null for a subject without a score. */
export async function findReportedScore(db: Queryable, subjectId: string): Promise<ReportedScore | null> {
  const [row] = await db.query<ReportedScore>(
    `select final_score, score_band, confidence, confidence_label, behavioral_quality, total_events, verified_events,
       frozen_at is not null as frozen, frozen_at, as_of, snapshot_no, formula_version, computed_at,
       detail -> 'factors' as factors, detail -> 'adverse' as adverse, detail -> 'supporting' as supporting
     from score where subject_id = $1`,
    [subjectId],
  );
  return row ?? null;
}

/** Changes up to and including a snapshot, newest first. */
function findChanges(db: Queryable, subjectId: string, upToNo: number, limit: number) {
  return db.query<ReliabilityReport['history'][number]>(
    `select final_score, score_band, total_events,
       verified_events, reason, computed_at
     from score_snapshot where subject_id = $1 and snapshot_no <= $2 order by snapshot_no desc limit $3`,
    [subjectId, upToNo, limit],
  );
}
