import { isoFromDay, model, type ReplayEntry, reasonCodeCatalog } from '@reliability/scoring';
import type { RecordWords } from '../../../domain/recordWords.js';
import { type ScoreTrend, trendOf, wholeCourseOf } from '../../../domain/scoreCourse.js';
import { type TrustPoint, trustSummaryOf } from '../../../domain/trustSummary.js';
import type { Queryable } from '../../../kit/db/database.js';
import { figuresOf } from '../../../ledger/reads/publishedScores.js';
import { readRecordEntries } from '../../../ledger/reads/recordEntries.js';
import { loadProfessionalRecord } from '../professionalRecord/store.js';
import type { ReliabilityReport } from './schemas.js';
import { findChanges, findReportedScore, type ReportedScore } from './store.js';

const MAX_CHANGES_READ = 2000;
const MAX_CHANGES_IN_REPORT = 60;

interface Asked {
  readonly subjectId: string;
  readonly userId: string;
  readonly platformName: string;
  readonly now: Date;
}

/** The report in one of the languages. */
export type WordedReport = (words: RecordWords) => ReliabilityReport;

/**
 * A score with everything that it is based on, in one document. Null for a subject without a score. Course and history end with
 * this score, even if another one is computed meanwhile.
 */
export async function loadReport(
  db: Queryable,
  { subjectId, userId, platformName, now }: Asked,
): Promise<WordedReport | null> {
  const [score, record, entries] = await Promise.all([
    findReportedScore(db, subjectId),
    loadProfessionalRecord(db, subjectId),
    readRecordEntries(db, subjectId, 'outcome'),
  ]);
  if (!score || !record || !entries) return null;
  const changes = await findChanges(db, subjectId, score.snapshotNo, MAX_CHANGES_READ);
  const history = thinned(changes.toReversed(), MAX_CHANGES_IN_REPORT).toReversed();
  const { verifiedOutcomes, verifiedByClass, totalOutcomes, verificationDepth } = record;
  const { verifiedPlatforms, tenure, registeredAt } = record;
  const trend = trendOf(entries, score);
  const figures = {
    userId,
    platformName,
    generatedAt: now,
    ...figuresOf(score),
    restsOn: {
      verifiedOutcomes,
      verifiedByClass,
      totalOutcomes,
      verificationDepth,
      verifiedPlatforms,
      tenure,
      registeredAt,
    },
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

function courseOfReport(entries: readonly ReplayEntry[], score: ReportedScore) {
  const { step, points } = wholeCourseOf(entries, score);
  return {
    courseStep: step,
    course: points.map(({ day, ...figures }) => ({ day: isoFromDay(day), ...figures })),
  };
}

function reasonsOf(score: ReportedScore, trend: ScoreTrend | null, words: RecordWords) {
  const facts = {
    finalScore: score.finalScore,
    scoreBand: score.scoreBand,
    confidenceLabel: score.confidenceLabel,
    totalEvents: score.totalEvents,
    verifiedEvents: score.verifiedEvents,
    frozenAt: score.frozenAt,
    factors: score.factors,
    adverse: score.adverse,
    supporting: score.supporting,
    trend,
  };
  const { summary, strengths, risks } = trustSummaryOf(facts, words);
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
