import type { Day } from '@reliability/scoring';
import type { BacktestEvent } from '../../../domain/backtest/subjectFold.js';
import type { SubjectType } from '../../../domain/catalogues/enums.js';
import type { Queryable } from '../../../kit/db/database.js';

/** The data of one platform in one mode. */
export interface BookOwner {
  readonly platformId: string;
  readonly livemode: boolean;
}

export async function countEvents(db: Queryable, { platformId, livemode }: BookOwner): Promise<number> {
  const [row] = await db.query<{ events: number }>(
    'select coalesce(sum(event_count), 0)::bigint as events from subject where platform_id = $1 and livemode = $2',
    [platformId, livemode],
  );
  return row?.events ?? 0;
}

/** When the platform's first event was recorded. */
export async function findFirstRecording(
  db: Queryable,
  { platformId, livemode }: BookOwner,
): Promise<Date | null> {
  const [row] = await db.query<{ createdAt: Date }>(
    'select created_at from event where platform_id = $1 and livemode = $2 order by event_id limit 1',
    [platformId, livemode],
  );
  return row?.createdAt ?? null;
}

/** The day of the first outcome of these subjects. */
export async function findFirstOutcome(db: Queryable, subjectIds: readonly string[]): Promise<Day | null> {
  const [row] = await db.query<{ day: Day | null }>(
    'select min(day) as day from tally where subject_id = any($1::uuid[]) and count > 0',
    [subjectIds],
  );
  return row?.day ?? null;
}

export interface SubjectOfBook {
  readonly subjectId: string;
  readonly externalId: string;
  readonly subjectType: SubjectType;
  readonly eventCount: number;
}

/** The next subjects by external id, which the index of the book has in order. */
export function findSubjects(
  db: Queryable,
  { platformId, livemode }: BookOwner,
  afterExternalId: string,
  limit: number,
): Promise<SubjectOfBook[]> {
  return db.query(
    `select subject_id, external_id, subject_type, event_count from subject
     where platform_id = $1 and livemode = $2 and external_id > $3 order by external_id limit $4`,
    [platformId, livemode, afterExternalId, limit],
  );
}

export type EventOfSubject = BacktestEvent & { readonly subjectId: string };

/** Only what a backtest needs: a million rows pass through. */
const COLUMNS = `subject_id, event_id, event_type, stake_level, platform_tier, is_verified, created_at, completed_at, due_date,
  dispute_id, closes_event_id`;

/** All events of these subjects, each subject's in the order of recording. */
export function readEventsOf(db: Queryable, subjectIds: readonly string[]): Promise<EventOfSubject[]> {
  return db.query(
    `select ${COLUMNS} from event where subject_id = any($1::uuid[]) order by subject_id, event_id`,
    [subjectIds],
  );
}

/** The next events of one subject, a range of the primary key: ids are in the order of recording. */
export function readNextEvents(
  db: Queryable,
  subjectId: string,
  afterEventId: string,
  limit: number,
): Promise<(EventOfSubject & { readonly eventId: string })[]> {
  return db.query(
    `select ${COLUMNS} from event where subject_id = $1 and event_id > $2 order by event_id limit $3`,
    [subjectId, afterEventId, limit],
  );
}
