import { EMPTY_CHAIN, toBase64 } from '@reliability/proof';
import { uuids } from '#kit/db/arrays.js';
import type { Queryable } from '#kit/db/database.js';
import { type Rows, raw, rowsOf, sql } from '#kit/db/rows.js';
import { LOWEST_ID, lowestIdAt } from '#kit/ids.js';
import { textOf } from '../text/eventText.js';
import { type EventFactRow, factKinds, type SnapshotFactRow } from './facts.js';

/** Up to where a subject is logged. */
export interface Cursor {
  readonly subjectId: string;
  readonly eventPosition: number;
  /** The id of the last logged event; null: none, or not known. */
  readonly eventId: string | null;
  /** Its commitment as base64: the head of the subject's chain. */
  readonly head: string | null;
  /** The hash over the commitments of its logged events, as base64. */
  readonly chain: string;
  readonly snapshotNo: number;
}

/** The chain of a subject without leaves, as base64. */
export const START_CHAIN = toBase64(EMPTY_CHAIN);

const NOTHING_LOGGED = { eventPosition: 0, eventId: null, head: null, chain: START_CHAIN, snapshotNo: 0 };

export async function readCursors(db: Queryable, subjectIds: readonly string[]) {
  const found = new Map<string, Cursor>();
  if (subjectIds.length === 0) return found;
  const rows = await db.query<{ subjectId: string; ref: number; d: Buffer; chain: Buffer | null }>(
    `select wanted.subject_id, f.ref, f.d, f.chain from unnest($1::uuid[]) as wanted (subject_id)
     cross join unnest('{${factKinds.event},${factKinds.snapshot}}'::smallint[]) as kinds (kind)
     cross join lateral (
       select ref, d, chain from log_fact where log_fact.subject_id = wanted.subject_id and log_fact.kind = kinds.kind
       order by ref desc limit 1
     ) f`,
    [uuids(subjectIds, (id) => id)],
  );
  for (const subjectId of subjectIds) found.set(subjectId, { subjectId, ...NOTHING_LOGGED });
  for (const { subjectId, ref, d, chain } of rows) {
    const moved = chain
      ? { eventPosition: ref, head: d.toString('base64'), chain: chain.toString('base64') }
      : { snapshotNo: ref };
    found.set(subjectId, { ...(found.get(subjectId) as Cursor), ...moved });
  }
  return found;
}

/** For `event e` with `textOf('e')`. */
const EVENT_FACT_COLUMNS = `e.subject_id, e.position, e.event_id, e.platform_id, e.event_type, e.stake_level, e.is_verified,
  e.platform_tier, e.completed_at, e.due_date, e.closes_event_id, e.created_at, t.metadata::text as metadata,
  t.transaction_value, t.attester`;

/** The same of an event that is in the log, whose text may have been dropped since. */
export const LOGGED_EVENT_COLUMNS = `${EVENT_FACT_COLUMNS}, r.text_hash`;

/** What the fact of an event says of its place in the log, of its leaf `f` and that of the event before, `p`. */
export const PLACE_COLUMNS = `encode(p.d, 'base64') as previous, f.complete_until`;

const cursorRows = rowsOf<Cursor>({ uuid: ['subjectId'], integer: ['eventPosition', 'snapshotNo'] });

export interface EventsBehind {
  events: EventFactRow[];
  /** Lengths of the ledgers that are behind. */
  lengths: Map<string, number>;
  /** The limit left out further subjects, and perhaps events of the last. */
  isCut: boolean;
}

type BehindRow = { [Name in keyof EventFactRow]: EventFactRow[Name] | null } & {
  behindId: string;
  eventCount: number;
};

/**
 * Events behind the cursors, at most `limit`: the newest of each subject, by id, since there is no
 * index by position. Those of a subject are incomplete if its ids are out of order, and missing if
 * they alone exceed the limit (readNextEvents).
 */
export async function readEventsBehind(db: Queryable, cursors: readonly Cursor[], limit: number) {
  if (cursors.length === 0) return { events: [], lengths: new Map(), isCut: false };
  // Lateral lookups: while young tables have no statistics, a join would read all of them.
  const rows = await sql`select ${raw(EVENT_FACT_COLUMNS)}, behind.subject_id as behind_id, s.event_count
     from ${cursorRows.as('behind', cursors)}
     cross join lateral (
       select event_count, event_count - event_position as missing from subject
       where subject.subject_id = behind.subject_id limit 1
     ) s
     left join lateral (
       select * from event where event.subject_id = behind.subject_id order by event.event_id desc
       limit case when missing <= ${limit}::integer then missing else 0 end
     ) e on e.position > event_position ${raw(textOf('e'))}
     where missing > 0 limit ${limit}::integer`.query<BehindRow>(db);
  return {
    events: rows.filter((row): row is EventFactRow & BehindRow => row.eventId !== null),
    lengths: new Map(rows.map(({ behindId, eventCount }) => [behindId, eventCount])),
    isCut: rows.length === limit,
  };
}

/** The clocks of two processes may disagree, so a later position can have an earlier id. */
const CLOCK_MARGIN_MS = 5_000;

/**
 * The next events of one subject.
 * @param order by id: from some seconds before the last logged one. By position: reads its whole
 * ledger. For a subject whose ids are out of order.
 */
export function readNextEvents(
  db: Queryable,
  { subjectId, eventPosition, eventId }: Cursor,
  order: 'event_id' | 'position',
  limit: number,
): Promise<EventFactRow[]> {
  const floor = order === 'event_id' && eventId !== null ? floorOf(eventId) : LOWEST_ID;
  return db.query<EventFactRow>(
    `select ${EVENT_FACT_COLUMNS} from event e ${textOf('e')}
     where e.subject_id = $1 and e.event_id > $2 and e.position > $3 order by e.${order} limit $4`,
    [subjectId, floor, eventPosition, limit],
  );
}

function floorOf(eventId: string): string {
  const ms = Number.parseInt(eventId.slice(0, 8) + eventId.slice(9, 13), 16);
  return lowestIdAt(new Date(ms - CLOCK_MARGIN_MS));
}

export const SNAPSHOT_FACT_COLUMNS = `n.subject_id, n.snapshot_no, n.positions, n.final_score, n.score_band,
  n.confidence, n.formula_version, n.as_of, n.computed_at`;

/** Snapshots behind the cursors, in the order of their numbers within a subject. */
export async function readSnapshotsBehind(db: Queryable, cursors: readonly Cursor[], limit: number) {
  if (cursors.length === 0) return [];
  return sql`select ${raw(SNAPSHOT_FACT_COLUMNS)}
     from ${cursorRows.as('behind', cursors)}
     cross join lateral (
       select * from score_snapshot s where s.subject_id = behind.subject_id and s.snapshot_no > behind.snapshot_no
       order by s.snapshot_no limit ${limit}::integer
     ) n
     limit ${limit}::integer`.query<SnapshotFactRow>(db);
}

export type CountedSubject = readonly [subjectId: string, position: number];

export const countedSubjects: Rows<CountedSubject> = rowsOf(
  {},
  { subjectId: ['uuid', ([subjectId]) => subjectId], position: ['integer', ([, position]) => position] },
);

/** The chains of logged events as base64, by subject and position (`chainKey`). */
export async function readChains(db: Queryable, counted: readonly CountedSubject[]) {
  if (counted.length === 0) return new Map();
  const rows = await sql`select f.subject_id, f.ref, f.chain from ${countedSubjects.as('wanted', counted)}
     cross join lateral (
       select * from log_fact where log_fact.subject_id = wanted.subject_id
         and log_fact.kind = ${raw(factKinds.event)} and log_fact.ref = wanted.position limit 1
     ) f`.query<{ subjectId: string; ref: number; chain: Buffer }>(db);
  return new Map(
    rows.map(({ subjectId, ref, chain }) => [chainKey(subjectId, ref), chain.toString('base64')]),
  );
}

export function chainKey(subjectId: string, position: number): string {
  return `${subjectId}/${position}`;
}
