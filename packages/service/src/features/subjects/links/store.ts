import type { Tx } from '../../../kit/db/database.js';

/** A way for another platform to link its subject with this one. */
export interface LinkToken {
  tokenHash: Buffer;
  subjectId: string;
  expiresAt: Date;
}

export async function hasSubject(tx: Tx, subjectId: string): Promise<boolean> {
  return (await tx.query('select 1 from subject where subject_id = $1', [subjectId])).length > 0;
}

export async function insertLinkToken(tx: Tx, { tokenHash, subjectId, expiresAt }: LinkToken): Promise<void> {
  await tx.execute('insert into link_token (token_hash, subject_id, expires_at) values ($1, $2, $3)', [
    tokenHash,
    subjectId,
    expiresAt,
  ]);
}

/**
 * Uses a token up, and answers whose it is; null for one that is unknown, used or expired. Waits for another use of it that is under
 * way: if that one fails, the token is there still.
 */
export async function takeLinkToken(tx: Tx, tokenHash: Buffer, now: Date): Promise<string | null> {
  const [row] = await tx.query<{ subjectId: string }>(
    'delete from link_token where token_hash = $1 and expires_at > $2 returning subject_id',
    [tokenHash, now],
  );
  return row?.subjectId ?? null;
}

/** Deletes up to `limit` tokens that ended before `before`; answers how many. */
export function deleteLinkTokens(tx: Tx, before: Date, limit: number): Promise<number> {
  return tx.execute(
    `delete from link_token where token_hash in (
       select token_hash from link_token where expires_at <= $1 order by expires_at limit $2
     )`,
    [before, limit],
  );
}
