import { outcomeClassOf, type ScoreBand, tallyKeyFromCode } from '@reliability/scoring';
import type { Queryable } from '../../../kit/db/database.js';
import {
  type OutcomeCount,
  type ProfessionalRecord,
  type PublishedScore,
  professionalRecord,
} from './composeRecord.js';

/** The professional record of the record that a subject is in; null for a subject that nobody knows. It holds no id. */
export async function loadProfessionalRecord(
  db: Queryable,
  subjectId: string,
): Promise<ProfessionalRecord | null> {
  const [[scored], kinds] = await Promise.all([findScore(db, subjectId), countKinds(db, subjectId)]);
  return scored ? professionalRecord(scoreOf(scored), kinds.flatMap(outcomesOf)) : null;
}

interface ScoreRow {
  finalScore: number | null;
  scoreBand: ScoreBand;
  confidence: number;
  frozen: boolean;
  formulaVersion: string;
  computedAt: Date;
}

function findScore(db: Queryable, subjectId: string): Promise<ScoreRow[]> {
  return db.query<ScoreRow>(
    `select c.final_score, c.score_band, c.confidence, c.frozen_at is not null as frozen, c.formula_version, c.computed_at
     from subject s left join score c using (subject_id)
     where s.subject_id = $1`,
    [subjectId],
  );
}

function scoreOf(row: ScoreRow): PublishedScore | null {
  if (row.finalScore === null) return null;
  return {
    finalScore: row.finalScore,
    scoreBand: row.scoreBand,
    confidence: row.confidence,
    frozen: row.frozen,
    formulaVersion: row.formulaVersion,
    computedAt: row.computedAt,
  };
}

interface KindRow {
  subjectId: string;
  code: number;
  count: number;
  firstDay: number;
  lastDay: number;
}

/** How often each kind of event is on the record: a handful of rows. What the end of a dispute has closed comes to 0. */
function countKinds(db: Queryable, subjectId: string): Promise<KindRow[]> {
  return db.query<KindRow>(
    `select subject_id, code, sum(count)::integer as count, min(day) as first_day, max(day) as last_day
     from tally
     where count <> 0 and subject_id in (
       select subject_id from subject where record_id = (select record_id from subject where subject_id = $1)
     )
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
