import { int4s, uuids } from '../../kit/db/arrays.js';
import type { Queryable } from '../../kit/db/database.js';
import { lowestIdAt } from '../../kit/ids.js';
import { LOWEST_ID } from '../audit/store.js';
import type { EventFactRow, SnapshotFactRow } from './facts.js';
import { factKinds } from './kinds.js';

export const EVENT_FACT_COLUMNS = `e.subject_id, e.position, e.event_id, e.platform_id, e.event_type, e.stake_level, e.is_verified,
  e.platform_tier, e.completed_at, e.due_date, e.closes_event_id, e.created_at, e.metadata::text as metadata,
  e.transaction_value, e.attester`;

/** Up to where a subject is logged. */
export interface EventCursor {
  subjectId: string;
  eventPosition: number;
  eventId: string | null;
}

/** The clocks of two processes may disagree, so a later position can have an earlier id. */
const CLOCK_MARGIN_MS = 5_000;

/**
 * Events behind the cursors, at most `limit`, in no order between subjects. There is no index by
 * position: those of a subject are read by id, from some seconds before the last logged one.
 */
export function readEventsBehind(
  db: Queryable,
  cursors: readonly EventCursor[],
  limit: number,
): Promise<EventFactRow[]> {
  if (cursors.length === 0) return Promise.resolve([]);
  return db.query<EventFactRow>(
    `select ${EVENT_FACT_COLUMNS}
     from unnest($1::uuid[], $2::uuid[], $3::integer[]) as behind (subject_id, floor_id, logged)
     cross join lateral (
       select * from event where event.subject_id = behind.subject_id and event.event_id > behind.floor_id
         and event.position > behind.logged
       order by event.event_id limit $4
     ) e limit $4`,
    [
      uuids(cursors, ({ subjectId }) => subjectId),
      uuids(cursors, ({ eventId }) => floorOf(eventId)),
      int4s(cursors, ({ eventPosition }) => eventPosition),
      limit,
    ],
  );
}

function floorOf(eventId: string | null): string {
  if (eventId === null) return LOWEST_ID;
  const ms = Number.parseInt(eventId.slice(0, 8) + eventId.slice(9, 13), 16);
  return lowestIdAt(new Date(ms - CLOCK_MARGIN_MS));
}

/**
 * The same for one subject, by position: reads its whole ledger. For a subject whose ids are out of
 * order.
 */
export function readEventsByPosition(
  db: Queryable,
  { subjectId, eventPosition }: EventCursor,
  limit: number,
): Promise<EventFactRow[]> {
  return db.query<EventFactRow>(
    `select ${EVENT_FACT_COLUMNS} from event e where e.subject_id = $1 and e.position > $2 order by e.position limit $3`,
    [subjectId, eventPosition, limit],
  );
}

export interface SnapshotCursor {
  subjectId: string;
  snapshotNo: number;
}

/** A snapshot, with the commitment of the event at its position as far as that is logged. */
export interface SnapshotBehind extends SnapshotFactRow {
  head: Buffer | null;
}

const OWN_POSITION = `coalesce((n.positions ->> n.subject_id::text)::integer, 0)`;

export const SNAPSHOT_FACT_COLUMNS = `n.subject_id, n.snapshot_no, ${OWN_POSITION} as position, n.final_score, n.score_band,
  n.confidence, n.formula_version, n.as_of, n.computed_at`;

/** Snapshots behind the cursors, in the order of their numbers within a subject. */
export function readSnapshotsBehind(
  db: Queryable,
  cursors: readonly SnapshotCursor[],
  limit: number,
): Promise<SnapshotBehind[]> {
  if (cursors.length === 0) return Promise.resolve([]);
  return db.query<SnapshotBehind>(
    `select ${SNAPSHOT_FACT_COLUMNS}, f.d as head
     from unnest($1::uuid[], $2::integer[]) as behind (subject_id, logged)
     cross join lateral (
       select * from score_snapshot s where s.subject_id = behind.subject_id and s.snapshot_no > behind.logged
       order by s.snapshot_no limit $3
     ) n
     left join log_fact f on f.subject_id = n.subject_id and f.kind = ${factKinds.event} and f.ref = ${OWN_POSITION}
     limit $3`,
    [uuids(cursors, ({ subjectId }) => subjectId), int4s(cursors, ({ snapshotNo }) => snapshotNo), limit],
  );
}
