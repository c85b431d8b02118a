import type { Tx } from '../kit/db/database.js';

/**
 * Mints and withdrawals of one subject's share tokens, and its erasure, follow one another. Not by
 * its row: appends wait for that one, and so would everybody whose events travel with them.
 */
export async function lockShareTokens(tx: Tx, subjectId: string): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`share token ${subjectId}`]);
}
