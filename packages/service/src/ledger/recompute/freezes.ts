import type { Clock } from '../../kit/clock.js';
import type { Tx } from '../../kit/db/database.js';
import type { IdSource } from '../../kit/ids.js';
import { recordActivities } from '../activity.js';
import { queuedKinds } from '../log/queue.js';

/**
 * Writes a freeze fact for each subject of `members`, a subquery, and queues the subjects for the
 * log.
 */
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

// A lateral lookup, as in readMembers. Nothing is published about erased members.
const FREEZE = `
with member as (
  select subject_id from subject s
  left join lateral (select frozen_at from score where score.subject_id = s.subject_id limit 1) c on true
  where record_id = any($1::uuid[]) and external_id is not null and frozen_at is null
), ${freezeFacts('member', 'set')}
update score set frozen_at = $2 where subject_id in (select subject_id from member)`;

/**
 * Freezes the scores of those members of records that are not frozen yet. Lock the records first: no
 * member then has another freeze.
 */
export async function freezeScores(tx: Tx, recordIds: readonly string[], at: Date): Promise<void> {
  await tx.execute(FREEZE, [recordIds, at]);
}

/** A member of a record whose score was frozen. */
export interface FrozenMember {
  subjectId: string;
  platformId: string;
  frozenAt: Date;
}

const UNFREEZE = `
with frozen as (
  select subject_id, platform_id, frozen_at from score
  where subject_id = any($1::uuid[]) and frozen_at is not null
), freed as (
  update score set frozen_at = null where subject_id in (select subject_id from frozen)
), ${freezeFacts('frozen', 'cleared')}
select * from frozen order by subject_id`;

/** Unfreezes these scores. Returns since when they were frozen. Lock their records first. */
export function unfreezeScores(tx: Tx, subjectIds: readonly string[], now: Date): Promise<FrozenMember[]> {
  return tx.query<FrozenMember>(UNFREEZE, [subjectIds, now]);
}

/** Writes for each member that the operator cleared its flag, in the audit trail of its platform. */
export function recordThaw(
  tx: Tx,
  { ids, clock }: { ids: IdSource; clock: Clock },
  members: readonly FrozenMember[],
): Promise<void> {
  const now = clock.now();
  return recordActivities(
    tx,
    members.map((member) => ({
      id: ids.at(now),
      platformId: member.platformId,
      livemode: true,
      action: 'VELOCITY_FLAG_CLEARED',
      actor: 'operator',
      target: member.subjectId,
      subjectId: member.subjectId,
      details: { frozenSince: member.frozenAt },
      at: now,
    })),
  );
}
