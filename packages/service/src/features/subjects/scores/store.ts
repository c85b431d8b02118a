import type { Factor, ScoreBand } from '@reliability/scoring';
import type { StoredReason } from '../../../domain/storedReasons.js';
import type { Queryable } from '../../../kit/db/database.js';

/** What the worker keeps beside a score to explain it. */
export interface ScoreDetail {
  factors: { name: Factor; contribution: number; description: string }[];
  components: Record<string, number | null>;
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

export async function findDetailedScore(db: Queryable, subjectId: string): Promise<DetailedScore | null> {
  const [row] = await db.query<DetailedScore>(
    `select final_score, score_band, frozen_at, detail, formula_version, computed_at
     from score where subject_id = $1`,
    [subjectId],
  );
  return row ?? null;
}

/** A stretch of one subject's ledger, given by positions. */
export interface LedgerStretch {
  subjectId: string;
  after: number;
  upTo: number;
  /** No event of the stretch has a smaller id: keeps the look-up from walking the whole ledger of a busy subject. */
  fromId: string;
}

/** Ids of the events in the stretch, in the order of the ledger. */
export async function findEventIds(db: Queryable, stretch: LedgerStretch, limit: number): Promise<string[]> {
  const rows = await db.query<{ eventId: string }>(
    `select event_id from event
     where subject_id = $1 and position > $2 and position <= $3 and event_id >= $4
     order by position limit $5`,
    [stretch.subjectId, stretch.after, stretch.upTo, stretch.fromId, limit],
  );
  return rows.map((row) => row.eventId);
}
