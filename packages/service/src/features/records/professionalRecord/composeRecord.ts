import { isoFromDay, type ScoreBand } from '@reliability/scoring';
import { versions } from '../../../domain/catalogues/versions.js';
import { shareOf } from '../../../domain/points.js';

/** Number of outcomes of one platform on the record, by class and verification. */
export interface OutcomeCount {
  /** The subject of that platform. */
  readonly subjectId: string;
  readonly outcome: 'positive' | 'breach' | 'contested';
  readonly isVerified: boolean;
  readonly count: number;
  /** UTC days of the first and the last outcome, since 1970-01-01. */
  readonly firstDay: number;
  readonly lastDay: number;
}

/** The published score of the record. */
export interface PublishedScore {
  readonly finalScore: number;
  readonly scoreBand: ScoreBand;
  readonly confidence: number;
  readonly frozen: boolean;
  readonly formulaVersion: string;
  readonly computedAt: Date;
}

export type ProfessionalRecord = ReturnType<typeof professionalRecord>;

/**
 * The professional record (RULES R8): the figures of a whole record, without anything that
 * identifies the subject. Before the first score every figure of it is null. Later only unknown
 * figures are.
 */
export function professionalRecord(
  score: PublishedScore | null,
  registeredAt: Date,
  counts: readonly OutcomeCount[],
) {
  const verified = counts.filter(({ isVerified }) => isVerified);
  const { finalScore, scoreBand, confidence, frozen, formulaVersion, computedAt } = score ?? UNSCORED;
  const figures = score ? outcomeFigures(counts, verified) : NO_FIGURES;
  return {
    finalScore,
    scoreBand,
    confidence,
    frozen,
    ...figures,
    tenure: score ? tenureOf(verified) : null,
    registeredAt,
    formulaVersion,
    computedAt,
    professionalRecordVersion: versions.professionalRecord,
  };
}

const UNSCORED = {
  finalScore: null,
  scoreBand: null,
  confidence: null,
  frozen: false,
  formulaVersion: null,
  computedAt: null,
};

function outcomeFigures(all: readonly OutcomeCount[], verified: readonly OutcomeCount[]) {
  const of = (outcome: OutcomeCount['outcome']) =>
    totalOf(verified.filter((entry) => entry.outcome === outcome));
  const [verifiedOutcomes, totalOutcomes] = [totalOf(verified), totalOf(all)];
  return {
    verifiedOutcomes,
    verifiedByClass: { positive: of('positive'), breach: of('breach'), contested: of('contested') },
    totalOutcomes,
    verificationDepth: shareOf(verifiedOutcomes, totalOutcomes),
    verifiedPlatforms: new Set(verified.map(({ subjectId }) => subjectId)).size,
  };
}

const NO_FIGURES = {
  verifiedOutcomes: null,
  verifiedByClass: null,
  totalOutcomes: null,
  verificationDepth: null,
  verifiedPlatforms: null,
};

/**
 * From the first verified outcome to the last. It does not run to today, since an idle record must
 * not grow. Unverified outcomes do not count, since their reporter chooses the date. Null without
 * verified outcomes.
 */
function tenureOf(verified: readonly OutcomeCount[]) {
  if (verified.length === 0) return null;
  const first = Math.min(...verified.map(({ firstDay }) => firstDay));
  const last = Math.max(...verified.map(({ lastDay }) => lastDay));
  return { firstOutcomeOn: isoFromDay(first), lastOutcomeOn: isoFromDay(last), days: last - first };
}

function totalOf(counts: readonly OutcomeCount[]): number {
  return counts.reduce((sum, { count }) => sum + count, 0);
}
