import { isoFromDay, type ScoreBand } from '@reliability/scoring';
import { versions } from '../../../domain/catalogues/versions.js';
import { shareOf } from '../../../domain/share.js';

/** Outcomes of one platform on the record, by what they are to the formula and whether somebody else confirmed them. */
export interface OutcomeCount {
  /** The platform's own alias of the subject. */
  readonly subjectId: string;
  readonly outcome: 'positive' | 'breach' | 'contested';
  readonly isVerified: boolean;
  readonly count: number;
  /** First and last UTC day on which one happened, since 1970-01-01. */
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
 * The professional record (RULES R8): what a whole record comes to, and nothing that says whose it is. Before the first
 * score every figure is null; later one that cannot be told is.
 */
export function professionalRecord(score: PublishedScore | null, counts: readonly OutcomeCount[]) {
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
 * From the first verified outcome to the last. Not to today, which would let a record grow by lying idle, and not from what nobody
 * confirmed, which could be dated as one likes. Null without any.
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
