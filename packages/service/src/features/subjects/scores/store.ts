import type { Factor, ScoreBand } from '@reliability/scoring';
import type { StoredReason } from '../../../domain/recordWords.js';
import type { Queryable } from '../../../kit/db/database.js';
import type { Components } from './schemas.js';

/** Written by the worker with each score. */
interface ScoreDetail {
  factors: { name: Factor; contribution: number; description: string }[];
  components: Components['components'];
  adverse: StoredReason[];
  supporting: StoredReason[];
}

export interface DetailedScore {
  finalScore: number;
  scoreBand: ScoreBand;
  frozenAt: Date | null;
  detail: ScoreDetail;
  formulaVersion: string;
  computedAt: Date;
}

/** By subject. Subjects without a score are omitted. */
export async function findDetailedScores(
  db: Queryable,
  subjectIds: readonly string[],
): Promise<Map<string, DetailedScore>> {
  const rows = await db.query<DetailedScore & { subjectId: string }>(
    `select subject_id, final_score, score_band, frozen_at, detail, formula_version, computed_at
     from score where subject_id = any($1::uuid[])`,
    [subjectIds],
  );
  return new Map(rows.map((row) => [row.subjectId, row]));
}

/** Part of one subject's ledger, by positions. */
export interface LedgerRange {
  subjectId: string;
  after: number;
  upTo: number;
  /** A lower bound of the event ids: without it, the query would scan the whole ledger of a busy subject. */
  fromId: string;
}

/** In the order of the ledger. */
export async function findEventIds(db: Queryable, range: LedgerRange, limit: number): Promise<string[]> {
  const rows = await db.query<{ eventId: string }>(
    `select event_id from event
     where subject_id = $1 and position > $2 and position <= $3 and event_id >= $4
     order by position limit $5`,
    [range.subjectId, range.after, range.upTo, range.fromId, limit],
  );
  return rows.map((row) => row.eventId);
}
