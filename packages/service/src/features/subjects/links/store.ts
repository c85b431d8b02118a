import { fail } from '../../../domain/errors.js';
import type { Tx } from '../../../kit/db/database.js';

/** Lets another platform link its subject with this one. */
export interface LinkToken {
  tokenHash: Buffer;
  subjectId: string;
  expiresAt: Date;
}

/** Throws USER_NOT_FOUND if the platform has reported nothing about the subject. */
export async function assertKnown(tx: Tx, subjectId: string): Promise<void> {
  const rows = await tx.query('select 1 from subject where subject_id = $1', [subjectId]);
  if (rows.length === 0) fail('USER_NOT_FOUND');
}

export async function insertLinkToken(tx: Tx, { tokenHash, subjectId, expiresAt }: LinkToken): Promise<void> {
  await tx.execute('insert into link_token (token_hash, subject_id, expires_at) values ($1, $2, $3)', [
    tokenHash,
    subjectId,
    expiresAt,
  ]);
}

/**
 * Uses up a token and returns its subject; null for an unknown, used or expired token. Waits for a
 * concurrent use; if that one is rolled back, the token is still valid.
 */
export async function takeLinkToken(tx: Tx, tokenHash: Buffer, now: Date): Promise<string | null> {
  const [row] = await tx.query<{ subjectId: string }>(
    'delete from link_token where token_hash = $1 and expires_at > $2 returning subject_id',
    [tokenHash, now],
  );
  return row?.subjectId ?? null;
}

/** Deletes up to `limit` tokens that expired by `before`. Returns their number. */
export function deleteLinkTokens(tx: Tx, before: Date, limit: number): Promise<number> {
  return tx.execute(
    `delete from link_token where token_hash in (
       select token_hash from link_token where expires_at <= $1 order by expires_at limit $2
     )`,
    [before, limit],
  );
}
