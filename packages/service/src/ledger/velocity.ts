import type { Tx } from '../kit/db/database.js';

/** A live subject as the operator addresses it. */
export interface LiveSubject {
  subjectId: string;
  recordId: string;
  externalId: string;
  platformId: string;
}

/** A live subject by its id; null when there is none. */
export async function findLiveSubject(tx: Tx, subjectId: string): Promise<LiveSubject | null> {
  const [row] = await tx.query<{ record_id: string; external_id: string; platform_id: string }>(
    'select record_id, external_id, platform_id from subject where subject_id = $1 and livemode',
    [subjectId],
  );
  if (!row) return null;
  return { subjectId, recordId: row.record_id, externalId: row.external_id, platformId: row.platform_id };
}

/** A member of a record whose score stood still. */
export interface FrozenMember {
  subjectId: string;
  platformId: string;
  frozenAt: Date;
}

/**
 * Sets the scores of a record free, restarts the count of the velocity guard and queues a recompute; answers whose scores stood
 * still, which is nobody when none did: then nothing is written. Waits for a recompute of the record that is under way.
 */
export async function thawRecord(tx: Tx, recordId: string, now: Date): Promise<FrozenMember[]> {
  // The worker's own lock: else it could freeze the record again on a count that it took before the restart.
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1::uuid::text, 0))', [recordId]);
  const frozen = await findFrozenMembers(tx, recordId);
  if (frozen.length === 0) return frozen;
  await tx.execute('update score set frozen_at = null where record_id = $1', [recordId]);
  await tx.execute('update subject set velocity_cleared_at = $2 where record_id = $1', [recordId, now]);
  await tx.execute(
    `insert into recompute_queue (record_id, reason, enqueued_at) values ($1, 'velocity_cleared', $2)`,
    [recordId, now],
  );
  return frozen;
}

async function findFrozenMembers(tx: Tx, recordId: string): Promise<FrozenMember[]> {
  const rows = await tx.query<{ subject_id: string; platform_id: string; frozen_at: Date }>(
    `select subject_id, platform_id, frozen_at from score
     where record_id = $1 and frozen_at is not null order by subject_id`,
    [recordId],
  );
  return rows.map((row) => ({
    subjectId: row.subject_id,
    platformId: row.platform_id,
    frozenAt: row.frozen_at,
  }));
}
