import type { Day, ScoreBand } from '@reliability/scoring';
import type { Queryable } from '../../../kit/db/database.js';

/** An active token, its subject, and the score of the record: all of its figures or none. */
export type SharedRow = TokenColumns & (ScoreColumns | Record<keyof ScoreColumns, null>);

interface TokenColumns {
  /** Which of the hashes asked for, from 1. */
  ordinal: number;
  tokenId: string;
  subjectId: string;
  recordId: string;
  subjectType: 'PERSON' | 'AGENT' | 'ORGANIZATION';
  includeProfile: boolean;
  registeredAt: Date;
  statusList: number;
  statusIndex: number;
}

interface ScoreColumns {
  finalScore: number;
  scoreBand: ScoreBand;
  confidence: number;
  totalEvents: number;
  verifiedEvents: number;
  ownVerifiedEvents: number;
  frozen: boolean;
  formulaVersion: string;
  computedAt: Date;
  snapshotNo: number;
  position: number;
  asOf: Day;
}

/**
 * What active tokens open, with the score of the record that their subjects are in. Unknown and
 * withdrawn ones are left out.
 * @param tokenHashes an array as `byteas` makes it.
 */
export function findShared(db: Queryable, tokenHashes: Buffer): Promise<SharedRow[]> {
  return db.query<SharedRow>(
    `select asked.ordinal::integer, t.token_id, t.subject_id, s.record_id, s.subject_type, t.include_profile, s.registered_at,
       t.status_list, t.status_index, c.final_score, c.score_band, c.confidence, c.total_events, c.verified_events, c.own_verified_events,
       case when c.subject_id is not null then c.frozen_at is not null end as frozen, c.formula_version, c.computed_at,
       c.snapshot_no, c.position, c.as_of
     from unnest($1::bytea[]) with ordinality as asked (token_hash, ordinal)
     join share_token t using (token_hash) join subject s using (subject_id) left join score c using (subject_id)
     where t.withdrawn_at is null`,
    [tokenHashes],
  );
}

/** What is known of a record besides its score. */
export interface LinkedRecord {
  /** How many platforms have reported verified outcomes: each has one subject in it (RULES L2). */
  verifiedPlatforms: number;
  /** When the first of its subjects was. */
  registeredAt: Date;
  /** The subjects with a score, in order, and the positions that it rests on. */
  subjectIds: string[];
  positions: number[];
}

export async function findLinkedRecords(
  db: Queryable,
  recordIds: readonly string[],
): Promise<Map<string, LinkedRecord>> {
  const rows = await db.query<LinkedRecord & { recordId: string }>(
    `select record_id, (count(*) filter (where verified_events > 0))::integer as verified_platforms,
       min(registered_at) as registered_at, array_agg(subject_id::text order by subject_id) as subject_ids,
       array_agg(position order by subject_id) as positions
     from (
       select s.record_id, s.subject_id, s.registered_at, c.own_verified_events as verified_events, c.position
       from subject s join score c using (subject_id) where s.record_id = any($1::uuid[])
       union all
       select record_id, subject_id, registered_at, verified_events, position
       from remote_member where record_id = any($1::uuid[])
     ) as member
     group by record_id`,
    [recordIds],
  );
  return new Map(rows.map((row) => [row.recordId, row]));
}
