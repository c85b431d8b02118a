import type { EventType, ScoreBand, TallyKey } from '@reliability/scoring';
import type { Queryable } from '#kit/db/database.js';
import { dayOfTime, occurredAtOf } from '#ledger/reads/eventRow.js';

/** What is published about a subject; all null before its first score. */
export interface PublishedRow {
  readonly finalScore: number | null;
  readonly scoreBand: ScoreBand | null;
  readonly isFrozen: boolean;
}

/** Null for an unknown subject. */
export async function findPublished(db: Queryable, subjectId: string): Promise<PublishedRow | null> {
  const [row] = await db.query<PublishedRow>(
    `select c.final_score, c.score_band, c.frozen_at is not null as is_frozen
     from subject s left join score c using (subject_id) where s.subject_id = $1`,
    [subjectId],
  );
  return row ?? null;
}

/** Disputes that the formula cannot tell apart. */
export interface AlikeDisputes
  extends Pick<TallyKey, 'eventType' | 'stakeLevel' | 'platformTier' | 'isVerified'> {
  readonly count: number;
  /** What counts while they are open. Null: they have ended. */
  readonly contestedType: EventType | null;
  readonly contestedDay: number | null;
  /** Null: untimed. */
  readonly contestedOnTime: boolean | null;
}

const ALIKE = [
  'event_type',
  'stake_level',
  'platform_tier',
  'is_verified',
  'contested_type',
  'contested_day',
  'contested_on_time',
].join(', ');

/** All disputes of a subject, counted by kind. A filing copies stake, tier and verification of the disputed event. */
export function findAlikeDisputes(db: Queryable, subjectId: string): Promise<AlikeDisputes[]> {
  return db.query<AlikeDisputes>(
    `select ${ALIKE}, count(*)::integer as count
     from (
       select e.event_type, e.stake_level, e.platform_tier, e.is_verified, c.event_type as contested_type,
         ${dayOfTime(occurredAtOf('c'))} as contested_day, c.completed_at <= c.due_date as contested_on_time
       from dispute d
         join event e on e.subject_id = d.subject_id and e.event_id = d.event_id
         left join event c on d.status = 'OPEN' and c.subject_id = d.subject_id
           and c.event_id = coalesce(d.filed_event_id, d.event_id)
       where d.subject_id = $1
     ) as alike
     group by ${ALIKE} order by ${ALIKE}`,
    [subjectId],
  );
}
