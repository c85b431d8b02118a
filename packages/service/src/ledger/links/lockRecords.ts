import type { Tx } from '../../kit/db/database.js';

export interface LockedSubject {
  subjectId: string;
  recordId: string;
}

/**
 * Takes the locks of recompute workers (store.lockRecords) on the records of these subjects. Waits
 * for workers that hold them. Until the transaction ends, no other transaction computes or freezes
 * these records or changes their members. Omits ids without a subject from the result.
 *
 * A subject may move to another record during the wait. Then all locks are released and taken
 * again, so that every transaction acquires its locks in one order and none deadlock.
 */
export async function lockRecordsOf(tx: Tx, subjectIds: readonly string[]): Promise<LockedSubject[]> {
  await tx.execute('savepoint records_locked');
  for (;;) {
    const recordIds = [
      ...new Set((await readRecordIds(tx, subjectIds)).map(({ recordId }) => recordId)),
    ].sort();
    await tx.query(
      'select pg_advisory_xact_lock(hashtextextended(record_id::text, 0)) from unnest($1::uuid[]) as wanted (record_id)',
      [recordIds],
    );
    // A separate statement, so that it sees commits from during the wait.
    const subjects = await readRecordIds(tx, subjectIds);
    if (subjects.every(({ recordId }) => recordIds.includes(recordId))) {
      await tx.execute('release savepoint records_locked');
      return subjects;
    }
    await tx.execute('rollback to savepoint records_locked');
  }
}

async function readRecordIds(tx: Tx, subjectIds: readonly string[]): Promise<LockedSubject[]> {
  const rows = await tx.query<{ subjectId: string; recordId: string }>(
    'select subject_id, record_id from subject where subject_id = any($1::uuid[])',
    [subjectIds],
  );
  return rows.map((row) => ({ subjectId: row.subjectId, recordId: row.recordId }));
}
