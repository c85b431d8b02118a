import { fail } from '../../domain/errors.js';
import type { Tx } from '../../kit/db/database.js';
import type { Owner } from '../../kit/http/route.js';
import { subjectIdOf } from '../../ledger/subjectId.js';

/**
 * The subject that is to be watched. It is held until the transaction ends: a reset of test data waits, and takes along what
 * was written about it. Throws USER_NOT_FOUND.
 */
export async function lockSubject(tx: Tx, owner: Owner, userId: string): Promise<string> {
  const subjectId = subjectIdOf(owner.platformId, owner.livemode, userId);
  const rows = await tx.query('select 1 from subject where subject_id = $1 for key share', [subjectId]);
  return rows.length > 0 ? subjectId : fail('USER_NOT_FOUND');
}
