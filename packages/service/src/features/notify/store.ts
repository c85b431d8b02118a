import { fail } from '#domain/errors.js';
import type { Tx } from '#kit/db/database.js';
import type { Owner } from '#kit/http/route.js';
import { type CountedLimit, countUsed } from '#ledger/planCounts.js';
import { subjectIdOf } from '#ledger/subjectId.js';

/**
 * Counts what a plan caps, for one platform and mode. The count is locked until the transaction
 * ends, so simultaneous requests cannot exceed the cap together. Call it before the insert.
 */
export async function lockCount(tx: Tx, limit: CountedLimit, owner: Owner): Promise<number> {
  const { platformId, livemode } = owner;
  const mode = livemode ? 'live' : 'test';
  await tx.execute('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `${limit} ${platformId} ${mode}`,
  ]);
  // A second statement, because only it sees what the lock's previous holder committed.
  return countUsed(tx, limit, owner);
}

/**
 * Locks the subject to watch until the transaction ends. A reset of test data waits for that and
 * then also deletes what was written about the subject. Throws USER_NOT_FOUND.
 */
export async function lockSubject(tx: Tx, owner: Owner, userId: string): Promise<string> {
  const subjectId = subjectIdOf(owner.platformId, owner.livemode, userId);
  const rows = await tx.query('select 1 from subject where subject_id = $1 for key share', [subjectId]);
  return rows.length > 0 ? subjectId : fail('USER_NOT_FOUND');
}
