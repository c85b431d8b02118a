import { HOUR_MS } from '../../domain/timestamp.js';
import type { Tx } from '../../kit/db/database.js';
import { lowestIdAt } from '../../kit/ids.js';
import { lockRecordsOf } from '../links/lockRecords.js';

/** Agents and organisations do more in an hour than a person. */
const VELOCITY_FACTOR_OF_NON_PERSONS = 20;

/** Events within an hour past which a subject of this type is frozen. */
export function velocityLimitOf(
  subjectType: 'PERSON' | 'AGENT' | 'ORGANIZATION',
  maxPerHour: number,
): number {
  return subjectType === 'PERSON' ? maxPerHour : maxPerHour * VELOCITY_FACTOR_OF_NON_PERSONS;
}

/**
 * Of these members of a frozen record, those whose own events exceeded the limit: in the hour before the freeze, or in any
 * hour since, which the worker does not look at while the record is frozen. Empty where no member exceeds it any
 * more, as after the operator has raised it.
 */
export async function findBursts(
  tx: Tx,
  subjectIds: readonly string[],
  maxPerHour: number,
): Promise<Set<string>> {
  const members = await tx.query<WatchedMember>(
    `select subject_id, s.subject_type, s.velocity_cleared_at, c.frozen_at
     from subject s join score c using (subject_id) join platform p on p.platform_id = s.platform_id
     where subject_id = any($1::uuid[]) and c.frozen_at is not null and not p.velocity_exempt`,
    [subjectIds],
  );
  const bursts = new Set<string>();
  for (const { subjectId, subjectType, velocityClearedAt, frozenAt } of members) {
    const since = new Date(Math.max(frozenAt.getTime() - HOUR_MS, velocityClearedAt?.getTime() ?? 0));
    const limit = velocityLimitOf(subjectType, maxPerHour);
    if (await hadBurst(tx, subjectId, lowestIdAt(since), limit)) bursts.add(subjectId);
  }
  return bursts;
}

interface WatchedMember {
  subjectId: string;
  subjectType: 'PERSON' | 'AGENT' | 'ORGANIZATION';
  velocityClearedAt: Date | null;
  frozenAt: Date;
}

/** Counts as the worker does (recomputeStore.hasMoreEventsThan), for each hour that ends with an event. */
async function hadBurst(tx: Tx, subjectId: string, afterId: string, limit: number): Promise<boolean> {
  const rows = await tx.query(
    `select 1 from (
       select created_at, lag(created_at, $3::integer) over (order by event_id) as limit_before
       from event where subject_id = $1 and event_id > $2 and not imported and dispute_id is null
     ) as reported where limit_before >= created_at - interval '1 hour' limit 1`,
    [subjectId, afterId, limit],
  );
  return rows.length > 0;
}

/** Lets these scores move again; answers since when they were frozen. */
export async function unfreezeScores(tx: Tx, subjectIds: readonly string[]): Promise<FrozenMember[]> {
  const rows = await tx.query<FrozenRow>(
    `with frozen as (
       select subject_id, platform_id, frozen_at from score
       where subject_id = any($1::uuid[]) and frozen_at is not null
     ), freed as (
       update score set frozen_at = null where subject_id in (select subject_id from frozen)
     )
     select * from frozen order by subject_id`,
    [subjectIds],
  );
  return rows.map(frozenMemberOf);
}

/** A live subject as the operator addresses it. */
export interface LiveSubject {
  subjectId: string;
  externalId: string;
  platformId: string;
}

/** A live subject by its id; null when there is none. */
export async function findLiveSubject(tx: Tx, subjectId: string): Promise<LiveSubject | null> {
  const [row] = await tx.query<{ externalId: string; platformId: string }>(
    'select external_id, platform_id from subject where subject_id = $1 and livemode',
    [subjectId],
  );
  if (!row) return null;
  return { subjectId, externalId: row.externalId, platformId: row.platformId };
}

/** A member of a record whose score stood still. */
export interface FrozenMember {
  subjectId: string;
  platformId: string;
  frozenAt: Date;
}

/**
 * Sets the scores of a subject's record free, restarts the count of the velocity guard and queues a recompute; answers whose scores stood
 * still, which is nobody when none did: then nothing is written. Waits for a recompute of the record that is under way.
 */
export async function thawRecord(tx: Tx, subjectId: string, now: Date): Promise<FrozenMember[]> {
  // The worker's own lock: else it could freeze the record again on a count that it took before the restart.
  const [held] = await lockRecordsOf(tx, [subjectId]);
  if (!held) return [];
  const { recordId } = held;
  const memberIds = await lockMemberIds(tx, recordId);
  const frozen = await unfreezeScores(tx, memberIds);
  if (frozen.length === 0) return frozen;
  await tx.execute('update subject set velocity_cleared_at = $2 where subject_id = any($1::uuid[])', [
    memberIds,
    now,
  ]);
  await tx.execute(
    `insert into recompute_queue (record_id, reason, enqueued_at) values ($1, 'velocity_cleared', $2)`,
    [recordId, now],
  );
  return frozen;
}

/** In the order of their ids, as appends lock. */
async function lockMemberIds(tx: Tx, recordId: string): Promise<string[]> {
  const rows = await tx.query<{ subjectId: string }>(
    'select subject_id from subject where record_id = $1 order by subject_id for no key update',
    [recordId],
  );
  return rows.map((row) => row.subjectId);
}

interface FrozenRow {
  subjectId: string;
  platformId: string;
  frozenAt: Date;
}

function frozenMemberOf({ subjectId, platformId, frozenAt }: FrozenRow): FrozenMember {
  return { subjectId, platformId, frozenAt };
}
