import type { TallyKey } from '@reliability/scoring';
import type { DisputeStatus } from '#domain/dispute.js';
import type { Queryable } from '#kit/db/database.js';
import { HIGHEST_ID } from '#kit/ids.js';
import { CONFIRMED_BY, confirmedByOf } from '#ledger/reads/confirmedBy.js';
import { dayOfTime, occurredAtOf } from '#ledger/reads/eventRow.js';

/** An outcome that the platform of a subject reported. */
export interface OwnOutcome extends Omit<TallyKey, 'timeliness'> {
  readonly eventId: string;
  readonly at: Date;
  /** Null: untimed. */
  readonly onTime: boolean | null;
  /** A name that the platform gave; null where it gave none. */
  readonly confirmedBy: string | null;
  /** The service wrote it when a dispute was filed or ended. */
  readonly isOfEngine: boolean;
  /** The dispute about it, or of which it is an event. */
  readonly disputeId: string | null;
  /** Of the dispute about it. */
  readonly disputeStatus: DisputeStatus | null;
  readonly respondBy: Date | null;
  /** The dispute about it has ended, so it does not count any more. */
  readonly isClosed: boolean;
}

/** Where a page begins: behind an id, up to a position of the ledger. */
export type OutcomePosition = readonly [upTo: number, beforeId: string];

/** The first page. Null for an unknown subject. */
export async function findLatest(db: Queryable, subjectId: string): Promise<OutcomePosition | null> {
  const [row] = await db.query<{ eventCount: number }>(
    'select event_count from subject where subject_id = $1',
    [subjectId],
  );
  return row ? [row.eventCount, HIGHEST_ID] : null;
}

/** Newest report first. A listing ends with the event that was the last one at its first page. */
export function findOwnOutcomes(
  db: Queryable,
  subjectId: string,
  [upTo, beforeId]: OutcomePosition,
  limit: number,
): Promise<OwnOutcome[]> {
  return db.query<OwnOutcome>(
    `select e.event_id, e.event_type, ${occurredAtOf('e')} as at, ${dayOfTime(occurredAtOf('e'))} as day,
       e.stake_level, e.is_verified, e.platform_tier, e.completed_at <= e.due_date as on_time,
       ${CONFIRMED_BY} as confirmed_by, e.dispute_id is not null as is_of_engine,
       coalesce(d.dispute_id, e.dispute_id) as dispute_id, d.status as dispute_status, d.respond_by,
       exists (
         select from event as closing where closing.subject_id = e.subject_id and closing.closes_event_id = e.event_id
       ) as is_closed
     from event e left join dispute d on d.subject_id = e.subject_id and d.event_id = e.event_id
       ${confirmedByOf('e', '$1')}
     where e.subject_id = $1 and e.position <= $2 and e.event_id < $3
     order by e.event_id desc limit $4`,
    [subjectId, upTo, beforeId, limit],
    { isUncached: true },
  );
}
