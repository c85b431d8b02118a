import { isoFromDay, outcomeClassOf, type ScoreBand, tallyKeyFromCode } from '@reliability/scoring';
import { versions } from '#domain/catalogues/versions.js';
import { shareOf } from '#domain/points.js';
import type { Queryable } from '#kit/db/database.js';
import { membersSql, recordTalliesSql } from '#ledger/links/recordReads.js';

/** The professional record of a subject. Null for an unknown subject. It contains no id. */
export async function loadProfessionalRecord(
  db: Queryable,
  subjectId: string,
): Promise<ProfessionalRecord | null> {
  const [[scored], kinds] = await Promise.all([findScore(db, subjectId), countKinds(db, subjectId)]);
  if (!scored) return null;
  const score = scored.finalScore === null ? null : scored;
  return professionalRecord(score, scored.registeredAt, kinds.flatMap(outcomesOf));
}

/** Without a score every column of it is null. */
type ScoreRow = (PublishedScore | { finalScore: null }) & { registeredAt: Date };

function findScore(db: Queryable, subjectId: string): Promise<ScoreRow[]> {
  return db.query<ScoreRow>(
    `select c.final_score, c.score_band, c.confidence, c.frozen_at is not null as frozen, c.formula_version, c.computed_at,
       (select min(m.registered_at) from (${membersSql('s.record_id')}) as m) as registered_at
     from subject s left join score c using (subject_id)
     where s.subject_id = $1`,
    [subjectId],
  );
}

interface KindRow {
  subjectId: string;
  code: number;
  count: number;
  firstDay: number;
  lastDay: number;
}

/**
 * Count of each kind of event on the record: a few rows. Outcomes that the end of a dispute has
 * closed count 0.
 */
function countKinds(db: Queryable, subjectId: string): Promise<KindRow[]> {
  return db.query<KindRow>(
    `select subject_id, code, sum(count)::integer as count, min(day) as first_day, max(day) as last_day
     from (${recordTalliesSql('(select record_id from subject where subject_id = $1)')}) as tallies
     where count <> 0
     group by subject_id, code`,
    [subjectId],
  );
}

function outcomesOf({ subjectId, code, count, firstDay, lastDay }: KindRow): OutcomeCount[] {
  const { eventType, isVerified } = tallyKeyFromCode(firstDay, code);
  const outcome = outcomeClassOf(eventType);
  if (outcome === 'none') return [];
  return [{ subjectId, outcome, isVerified, count, firstDay, lastDay }];
}

/** Number of outcomes of one platform on the record, by class and verification. */
interface OutcomeCount {
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
interface PublishedScore {
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
function professionalRecord(
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
