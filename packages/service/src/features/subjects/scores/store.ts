import type { Factor, ScoreBand } from '@reliability/scoring';
import { fail } from '../../../domain/errors.js';
import type { StoredReason } from '../../../domain/storedReasons.js';
import type { Queryable } from '../../../kit/db/database.js';
import type { Components } from './schemas.js';

/** Written by the worker with each score. */
interface ScoreDetail {
  factors: { name: Factor; contribution: number; description: string }[];
  components: Components['components'];
  adverse: StoredReason[];
  supporting: StoredReason[];
}

interface DetailedScore {
  finalScore: number;
  scoreBand: ScoreBand;
  frozenAt: Date | null;
  detail: ScoreDetail;
  formulaVersion: string;
  computedAt: Date;
}

/** Throws USER_NOT_FOUND for a subject without a score. */
export async function readDetailedScore(db: Queryable, subjectId: string): Promise<DetailedScore> {
  const [row] = await db.query<DetailedScore>(
    `select final_score, score_band, frozen_at, detail, formula_version, computed_at
     from score where subject_id = $1`,
    [subjectId],
  );
  return row ?? fail('USER_NOT_FOUND');
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
