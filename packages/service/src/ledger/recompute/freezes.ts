import { HOUR_MS } from '#domain/timestamp.js';
import type { Clock } from '#kit/clock.js';
import type { Tx } from '#kit/db/database.js';
import { type IdSource, lowestIdAt } from '#kit/ids.js';
import { type Activity, recordActivities } from '../activity.js';
import { knownPlatform, knownPlatforms, platformIn } from '../groups/platforms.js';
import { lockRecordOf, queueRecord } from '../links/lockRecord.js';
import { findRecordFreezes, upsertRecordFreeze } from '../links/remoteStore.js';
import { queuedKinds } from '../log/queue.js';
import type { Elsewhere } from './elsewhere.js';
import { VELOCITY_CLEARED } from './scoreChange.js';
import type { MemberRow } from './store.js';

export interface FreezeDeps {
  clock: Clock;
  ids: IdSource;
  /** Live events of a subject per hour, without imports, above which its score is frozen (RULES S17). */
  velocityMaxPerHour: number;
}

export interface FreezableRecord {
  recordId: string;
  members: readonly MemberRow[];
  elsewhere: Elsewhere;
}

/**
 * Freezes the record if a member has more events than the guard allows. For a record over groups,
 * also takes over what another group has decided.
 * @returns `state` of a record over groups; `isChanged`: they do not know it yet; `isThawed`: another one
 * has ended the freeze.
 */
export async function frozenSince(tx: Tx, deps: FreezeDeps, now: Date, record: FreezableRecord) {
  const { recordId, members, elsewhere } = record;
  const known = elsewhere.freeze;
  const own = members.find((member) => member.frozenAt)?.frozenAt ?? null;
  const isOver = elsewhere.members.length > 0;
  const unchanged = { frozenAt: own, state: known, isChanged: false, isThawed: false };
  if (isOver && known.frozenAt && !own) {
    await freezeRecord(tx, deps, record, known.frozenAt);
    return { ...unchanged, frozenAt: known.frozenAt };
  }
  if (isOver && known.endedAt && !known.frozenAt && own) {
    await endFreeze(tx, deps, members, known.endedAt);
    return { ...unchanged, frozenAt: null, isThawed: true };
  }
  // A member that joins a frozen record is frozen, too, and has a fact that says so.
  const isWithUnfrozen = members.some(({ externalId, frozenAt }) => externalId !== null && frozenAt === null);
  if (own && isWithUnfrozen) await freezeScores(tx, [recordId], own);
  if (own || !(await hasBurst(tx, deps, now, members))) return unchanged;
  await freezeRecord(tx, deps, record, now);
  if (!isOver) return { ...unchanged, frozenAt: now };
  const state = { freezeNo: known.freezeNo + 1, frozenAt: now, endedAt: known.endedAt };
  await upsertRecordFreeze(tx, recordId, state);
  return { frozenAt: now, state, isChanged: true, isThawed: false };
}

/** Agents and organisations have more outcomes per hour than a person. */
function velocityLimitOf(subjectType: MemberRow['subjectType'], maxPerHour: number): number {
  return subjectType === 'PERSON' ? maxPerHour : maxPerHour * 20;
}

async function hasBurst(tx: Tx, deps: FreezeDeps, now: Date, members: readonly MemberRow[]) {
  for (const member of members) {
    const limit = velocityLimitOf(member.subjectType, deps.velocityMaxPerHour);
    if (member.eventCount <= limit || !member.livemode) continue;
    const since = new Date(Math.max(now.getTime() - HOUR_MS, member.velocityClearedAt?.getTime() ?? 0));
    if (!(await hasMoreEventsThan(tx, member.subjectId, lowestIdAt(since), limit))) continue;
    if (!(await knownPlatform(tx, member.platformId)).velocityExempt) return true;
  }
  return false;
}

/**
 * True if more than `limit` events of the subject were reported after `afterId`, without imports.
 * Events of the dispute engine are not reports: imported disputes that lapse together would freeze
 * the score. Stops reading at the limit.
 */
async function hasMoreEventsThan(tx: Tx, subjectId: string, afterId: string, limit: number) {
  const rows = await tx.query(
    `select 1 from event where subject_id = $1 and event_id > $2 and not imported and dispute_id is null
     offset $3 limit 1`,
    [subjectId, afterId, limit],
  );
  return rows.length > 0;
}

/**
 * The members of a frozen record whose own events exceeded the limit in the hour before the freeze
 * or in any hour since: the worker does not check a frozen record. Empty if no member exceeds the
 * current limit, for example after the operator raised it.
 */
export async function findBursts(tx: Tx, subjectIds: readonly string[], maxPerHour: number) {
  const members = await tx.query<MemberRow & { frozenAt: Date }>(
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

/** Counts as the worker does (hasMoreEventsThan), for each hour that ends with an event. */
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

export interface LiveSubject {
  subjectId: string;
  externalId: string;
  platformId: string;
}

export async function findLiveSubject(tx: Tx, subjectId: string): Promise<LiveSubject | null> {
  const [row] = await tx.query<LiveSubject>(
    `select subject_id, external_id, platform_id from subject
     where subject_id = $1 and livemode and external_id is not null`,
    [subjectId],
  );
  return row ?? null;
}

/**
 * Unfreezes the scores of a subject's record, restarts the count of the velocity guard and queues a
 * recompute. Returns the members whose scores were frozen; if none was, writes nothing. Waits for a
 * running recompute of the record.
 */
export async function thawRecord(tx: Tx, subjectId: string, now: Date): Promise<FrozenMember[]> {
  // The worker's lock: otherwise it could freeze the record again by a count from before the
  // restart.
  const recordId = await lockRecordOf(tx, subjectId);
  if (recordId === null) return [];
  // In the order of ids, as appends do.
  const members = await tx.query<{ subjectId: string }>(
    'select subject_id from subject where record_id = $1 order by subject_id for no key update',
    [recordId],
  );
  const memberIds = members.map((member) => member.subjectId);
  const frozen = await unfreezeScores(tx, memberIds, now);
  if (frozen.length === 0) return frozen;
  await restartCounts(tx, memberIds, now);
  // The next recompute brings it to the other groups of the record.
  const known = (await findRecordFreezes(tx, [recordId])).get(recordId);
  const ended = known && { freezeNo: known.freezeNo + 1, frozenAt: null, endedAt: now };
  if (ended) await upsertRecordFreeze(tx, recordId, ended);
  await queueRecord(tx, recordId, VELOCITY_CLEARED, now);
  return frozen;
}

/** The velocity guard counts events after `at` only. */
function restartCounts(tx: Tx, subjectIds: readonly string[], at: Date): Promise<number> {
  const update = 'update subject set velocity_cleared_at = $2 where subject_id = any($1::uuid[])';
  return tx.execute(update, [subjectIds, at]);
}

/** The operator has ended the freeze in another group. */
async function endFreeze(tx: Tx, deps: FreezeDeps, members: readonly MemberRow[], endedAt: Date) {
  const subjectIds = members.map(({ subjectId }) => subjectId);
  const freed = await unfreezeScores(tx, subjectIds, endedAt);
  await restartCounts(tx, subjectIds, endedAt);
  await recordThaw(tx, deps, freed, deps.clock.now());
}

/**
 * Freezes the members in this group. Each platform finds the freeze in its own audit trail, on its
 * own subject: it applies to all members.
 */
async function freezeRecord(
  tx: Tx,
  { ids, velocityMaxPerHour, clock }: FreezeDeps,
  { recordId, members }: FreezableRecord,
  frozenAt: Date,
): Promise<void> {
  await freezeScores(tx, [recordId], frozenAt);
  const flags = members.map(({ platformId, subjectId, subjectType }): Flag => {
    const details = { limit: velocityLimitOf(subjectType, velocityMaxPerHour), windowHours: 1 };
    return { platformId, subjectId, action: 'VELOCITY_FLAG_SET', actor: 'service', details };
  });
  await recordFlags(tx, ids, clock.now(), flags);
}

export function recordThaw(
  tx: Tx,
  { ids }: { ids: IdSource },
  members: readonly FrozenMember[],
  now: Date,
  actor = 'operator',
): Promise<void> {
  const flags = members.map(({ platformId, subjectId, frozenAt }): Flag => {
    const details = { frozenSince: frozenAt };
    return { platformId, subjectId, action: 'VELOCITY_FLAG_CLEARED', actor, details };
  });
  return recordFlags(tx, ids, now, flags);
}

type Flag = Pick<Activity, 'platformId' | 'action' | 'actor' | 'details'> & { subjectId: string };

function recordFlags(tx: Tx, ids: IdSource, at: Date, flags: readonly Flag[]): Promise<void> {
  const rows = flags.map((flag) => ({ ...flag, id: ids.at(at), livemode: true, target: flag.subjectId, at }));
  return recordActivities(tx, rows);
}

/** Writes a freeze fact for each subject of `members`, a subquery, and queues the subjects for the log. */
function freezeFacts(members: string, action: 'set' | 'cleared'): string {
  return `to_log as (
    insert into log_queue (subject_ids, kinds, queued_at)
    select array[subject_id], ${queuedKinds.others}, $2::timestamptz from ${members}
  ), noted as (
    insert into freeze_fact (subject_id, number, action, at)
    select subject_id, coalesce((select max(number) from freeze_fact f where f.subject_id = ${members}.subject_id), 0) + 1,
      '${action}', $2::timestamptz
    from ${members}
  )`;
}

/**
 * Freezes the scores of those members of records that are not frozen yet. Lock the records first: no
 * member then has another freeze. Nothing is published about erased members.
 */
export async function freezeScores(tx: Tx, recordIds: readonly string[], at: Date): Promise<void> {
  // A lateral lookup, as in readMembers.
  await tx.execute(
    `with member as (
       select subject_id from subject s
       left join lateral (select frozen_at from score where score.subject_id = s.subject_id limit 1) c on true
       where record_id = any($1::uuid[]) and external_id is not null and frozen_at is null
     ), ${freezeFacts('member', 'set')}
     update score set frozen_at = $2 where subject_id in (select subject_id from member)`,
    [recordIds, at],
  );
}

export interface FrozenMember {
  subjectId: string;
  platformId: string;
  frozenAt: Date;
}

/** Unfreezes these scores. Returns since when they were frozen. Lock their records first. */
export function unfreezeScores(tx: Tx, subjectIds: readonly string[], now: Date): Promise<FrozenMember[]> {
  return tx.query<FrozenMember>(
    `with frozen as (
       select subject_id, platform_id, frozen_at from score
       where subject_id = any($1::uuid[]) and frozen_at is not null
     ), freed as (
       update score set frozen_at = null where subject_id in (select subject_id from frozen)
     ), ${freezeFacts('frozen', 'cleared')}
     select * from frozen order by subject_id`,
    [subjectIds, now],
  );
}
