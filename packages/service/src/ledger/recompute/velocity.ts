import { HOUR_MS } from '../../domain/timestamp.js';
import type { Tx } from '../../kit/db/database.js';
import { lowestIdAt } from '../../kit/ids.js';
import { knownPlatforms, platformIn } from '../groups/platforms.js';
import { lockRecordsOf } from '../links/lockRecords.js';
import { findRecordFreezes, upsertRecordFreeze } from '../links/remoteStore.js';
import { type FrozenMember, unfreezeScores } from './freezes.js';
import { VELOCITY_CLEARED } from './scoreChange.js';

/** Agents and organisations have more outcomes per hour than a person. */
const VELOCITY_FACTOR_OF_NON_PERSONS = 20;

/** Events per hour above which a subject of this type is frozen. */
export function velocityLimitOf(
  subjectType: 'PERSON' | 'AGENT' | 'ORGANIZATION',
  maxPerHour: number,
): number {
  return subjectType === 'PERSON' ? maxPerHour : maxPerHour * VELOCITY_FACTOR_OF_NON_PERSONS;
}

/**
 * The members of a frozen record whose own events exceeded the limit in the hour before the freeze
 * or in any hour since: the worker does not check a frozen record. Empty if no member exceeds the
 * current limit, for example after the operator raised it.
 */
export async function findBursts(
  tx: Tx,
  subjectIds: readonly string[],
  maxPerHour: number,
): Promise<Set<string>> {
  const members = await tx.query<WatchedMember>(
    `select subject_id, s.platform_id, s.subject_type, s.velocity_cleared_at, c.frozen_at
     from subject s join score c using (subject_id)
     where subject_id = any($1::uuid[]) and c.frozen_at is not null`,
    [subjectIds],
  );
  const bursts = new Set<string>();
  const known = await knownPlatforms(tx, members);
  for (const { subjectId, platformId, subjectType, velocityClearedAt, frozenAt } of members) {
    if (platformIn(known, platformId).velocityExempt) continue;
    const since = new Date(Math.max(frozenAt.getTime() - HOUR_MS, velocityClearedAt?.getTime() ?? 0));
    const limit = velocityLimitOf(subjectType, maxPerHour);
    if (await hadBurst(tx, subjectId, lowestIdAt(since), limit)) bursts.add(subjectId);
  }
  return bursts;
}

interface WatchedMember {
  subjectId: string;
  platformId: string;
  subjectType: 'PERSON' | 'AGENT' | 'ORGANIZATION';
  velocityClearedAt: Date | null;
  frozenAt: Date;
}

/** Counts as the worker does (store.hasMoreEventsThan), for each hour that ends with an event. */
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

/** A live subject, for operations of the operator. */
export interface LiveSubject {
  subjectId: string;
  externalId: string;
  platformId: string;
}

/** A live subject by id, or null. */
export async function findLiveSubject(tx: Tx, subjectId: string): Promise<LiveSubject | null> {
  const [row] = await tx.query<{ externalId: string; platformId: string }>(
    'select external_id, platform_id from subject where subject_id = $1 and livemode and external_id is not null',
    [subjectId],
  );
  if (!row) return null;
  return { subjectId, externalId: row.externalId, platformId: row.platformId };
}

/**
 * Unfreezes the scores of a subject's record, restarts the count of the velocity guard and queues a
 * recompute. Returns the members whose scores were frozen; if none was, writes nothing. Waits for a
 * running recompute of the record.
 */
export async function thawRecord(tx: Tx, subjectId: string, now: Date): Promise<FrozenMember[]> {
  // The worker's lock: otherwise it could freeze the record again by a count from before the
  // restart.
  const [locked] = await lockRecordsOf(tx, [subjectId]);
  if (!locked) return [];
  const { recordId } = locked;
  const memberIds = await lockMemberIds(tx, recordId);
  const frozen = await unfreezeScores(tx, memberIds, now);
  if (frozen.length === 0) return frozen;
  await restartCounts(tx, memberIds, now);
  await noteThaw(tx, recordId, now);
  await tx.execute('insert into recompute_queue (record_id, reason, enqueued_at) values ($1, $2, $3)', [
    recordId,
    VELOCITY_CLEARED,
    now,
  ]);
  return frozen;
}

/** The velocity guard counts events after `at` only. */
export async function restartCounts(tx: Tx, subjectIds: readonly string[], at: Date): Promise<void> {
  await tx.execute('update subject set velocity_cleared_at = $2 where subject_id = any($1::uuid[])', [
    subjectIds,
    at,
  ]);
}

/** Lets the next recompute tell the other groups of the record. */
async function noteThaw(tx: Tx, recordId: string, now: Date): Promise<void> {
  const known = (await findRecordFreezes(tx, [recordId])).get(recordId);
  if (!known) return;
  await upsertRecordFreeze(tx, recordId, { freezeNo: known.freezeNo + 1, frozenAt: null, endedAt: now });
}

/** Locks in the order of ids, as appends do. */
async function lockMemberIds(tx: Tx, recordId: string): Promise<string[]> {
  const rows = await tx.query<{ subjectId: string }>(
    'select subject_id from subject where record_id = $1 order by subject_id for no key update',
    [recordId],
  );
  return rows.map((row) => row.subjectId);
}
