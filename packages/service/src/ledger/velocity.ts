import type { Tx } from '../kit/db/database.js';
import { holdRecordsOf } from './linksHold.js';

/** A live subject as the operator addresses it. */
export interface LiveSubject {
  subjectId: string;
  externalId: string;
  platformId: string;
}

/** A live subject by its id; null when there is none. */
export async function findLiveSubject(tx: Tx, subjectId: string): Promise<LiveSubject | null> {
  const [row] = await tx.query<{ external_id: string; platform_id: string }>(
    'select external_id, platform_id from subject where subject_id = $1 and livemode',
    [subjectId],
  );
  if (!row) return null;
  return { subjectId, externalId: row.external_id, platformId: row.platform_id };
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
  const [held] = await holdRecordsOf(tx, [subjectId]);
  if (!held) return [];
  const { recordId } = held;
  const frozen = await findFrozenMembers(tx, recordId);
  if (frozen.length === 0) return frozen;
  const memberIds = await lockMemberIds(tx, recordId);
  await tx.execute('update score set frozen_at = null where subject_id = any($1::uuid[])', [memberIds]);
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
  const rows = await tx.query<{ subject_id: string }>(
    'select subject_id from subject where record_id = $1 order by subject_id for no key update',
    [recordId],
  );
  return rows.map((row) => row.subject_id);
}

async function findFrozenMembers(tx: Tx, recordId: string): Promise<FrozenMember[]> {
  const rows = await tx.query<{ subject_id: string; platform_id: string; frozen_at: Date }>(
    `select subject_id, score.platform_id, frozen_at from subject join score using (subject_id)
     where subject.record_id = $1 and frozen_at is not null order by subject_id`,
    [recordId],
  );
  return rows.map((row) => ({
    subjectId: row.subject_id,
    platformId: row.platform_id,
    frozenAt: row.frozen_at,
  }));
}
