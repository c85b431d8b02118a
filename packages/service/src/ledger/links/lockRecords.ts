import type { Tx } from '../../kit/db/database.js';

/** A subject and the record that it is a member of. */
export interface LockedSubject {
  subjectId: string;
  recordId: string;
}

/**
 * Takes the locks that recompute workers take (recomputeStore.lockRecords) on the records of these subjects, waiting for workers
 * that hold them. From then on, and until the transaction ends, none of the records is computed, frozen or given other
 * members by anybody else. Who is no subject is left out of the answer.
 *
 * A subject can have moved to another record while its old one was waited for. Then all locks are let go and taken anew, so
 * that whoever waits for several waits in one order, and nobody for each other.
 */
export async function lockRecordsOf(tx: Tx, subjectIds: readonly string[]): Promise<LockedSubject[]> {
  await tx.execute('savepoint records_held');
  for (;;) {
    const recordIds = [
      ...new Set((await readRecordIds(tx, subjectIds)).map(({ recordId }) => recordId)),
    ].sort();
    await tx.query(
      'select pg_advisory_xact_lock(hashtextextended(record_id::text, 0)) from unnest($1::uuid[]) as wanted (record_id)',
      [recordIds],
    );
    // A statement of its own, so it sees what was committed while the locks were waited for.
    const subjects = await readRecordIds(tx, subjectIds);
    if (subjects.every(({ recordId }) => recordIds.includes(recordId))) {
      await tx.execute('release savepoint records_held');
      return subjects;
    }
    await tx.execute('rollback to savepoint records_held');
  }
}

async function readRecordIds(tx: Tx, subjectIds: readonly string[]): Promise<LockedSubject[]> {
  const rows = await tx.query<{ subjectId: string; recordId: string }>(
    'select subject_id, record_id from subject where subject_id = any($1::uuid[])',
    [subjectIds],
  );
  return rows.map((row) => ({ subjectId: row.subjectId, recordId: row.recordId }));
}
