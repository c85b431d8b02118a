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
  final_score: number | null;
  score_band: ScoreBand;
  confidence: number;
  frozen: boolean;
  formula_version: string;
  computed_at: Date;
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
  if (row.final_score === null) return null;
  return {
    finalScore: row.final_score,
    scoreBand: row.score_band,
    confidence: row.confidence,
    frozen: row.frozen,
    formulaVersion: row.formula_version,
    computedAt: row.computed_at,
  };
}

interface KindRow {
  subject_id: string;
  code: number;
  count: number;
  first_day: number;
  last_day: number;
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

function outcomesOf({ subject_id, code, count, first_day, last_day }: KindRow): OutcomeCount[] {
  const { eventType, isVerified } = tallyKeyFromCode(first_day, code);
  const outcome = outcomeClassOf(eventType);
  if (outcome === 'none') return [];
  return [{ subjectId: subject_id, outcome, isVerified, count, firstDay: first_day, lastDay: last_day }];
}
