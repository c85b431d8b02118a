import { outcomeClassOf, tallyKeyFromCode } from '@reliability/scoring';
import type { Queryable } from '../../../kit/db/database.js';
import { membersSql, recordTalliesSql } from '../../../ledger/links/recordReads.js';
import {
  type OutcomeCount,
  type ProfessionalRecord,
  type PublishedScore,
  professionalRecord,
} from './composeRecord.js';

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
