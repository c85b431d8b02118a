import type { Tx } from '../../kit/db/database.js';
import { findRecordIds, lockRecordIds } from './store.js';

export interface LockedSubject {
  subjectId: string;
  recordId: string;
}

/**
 * Takes the locks of recompute workers (store.takeQueued) on the records of these subjects, in one
 * ledger group. Waits
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
      ...new Set((await findRecordIds(tx, subjectIds)).map(({ recordId }) => recordId)),
    ].sort();
    await lockRecordIds(tx, recordIds);
    // A separate statement, so that it sees commits from during the wait.
    const subjects = await findRecordIds(tx, subjectIds);
    if (subjects.every(({ recordId }) => recordIds.includes(recordId))) {
      await tx.execute('release savepoint records_locked');
      return subjects;
    }
    await tx.execute('rollback to savepoint records_locked');
  }
}
