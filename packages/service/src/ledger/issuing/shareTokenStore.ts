import type { Queryable, Tx } from '../../kit/db/database.js';
import { insertRow, pick } from '../../kit/db/rows.js';
import { queueForLog } from '../log/queue.js';
import type { StatusEntry } from './statusEntries.js';

/** A live subject, as its platform knows it. */
export interface LiveSubject {
  subjectId: string;
  platformId: string;
}

export interface ActiveToken {
  tokenId: string;
  sealedToken: Buffer;
  includeProfile: boolean;
  status: StatusEntry;
  createdAt: Date;
}

/** Null for a subject that nobody knows, and for a test subject. */
export async function findLiveSubject(db: Queryable, subjectId: string): Promise<LiveSubject | null> {
  const [row] = await db.query<{ platformId: string }>(
    'select platform_id from subject where subject_id = $1 and livemode and external_id is not null',
    [subjectId],
  );
  return row ? { subjectId, platformId: row.platformId } : null;
}

export async function findActiveToken(db: Queryable, subjectId: string): Promise<ActiveToken | null> {
  const [row] = await db.query<{
    tokenId: string;
    sealedToken: Buffer;
    includeProfile: boolean;
    statusList: number;
    statusIndex: number;
    createdAt: Date;
  }>(
    `select token_id, sealed_token, include_profile, status_list, status_index, created_at
     from share_token where subject_id = $1 and withdrawn_at is null`,
    [subjectId],
  );
  if (!row) return null;
  return {
    tokenId: row.tokenId,
    sealedToken: row.sealedToken,
    includeProfile: row.includeProfile,
    status: { list: row.statusList, index: row.statusIndex },
    createdAt: row.createdAt,
  };
}

export interface NewToken extends ActiveToken {
  subjectId: string;
  tokenHash: Buffer;
}

export async function insertToken(tx: Tx, token: NewToken): Promise<void> {
  await insertRow(tx, 'share_token', {
    ...pick(token, 'subjectId', 'tokenId', 'tokenHash', 'sealedToken', 'includeProfile', 'createdAt'),
    statusList: token.status.list,
    statusIndex: token.status.index,
  });
}

export async function setIncludeProfile(
  tx: Tx,
  subjectId: string,
  tokenId: string,
  includeProfile: boolean,
): Promise<void> {
  await tx.execute('update share_token set include_profile = $3 where subject_id = $1 and token_id = $2', [
    subjectId,
    tokenId,
    includeProfile,
  ]);
}

/**
 * The token opens nothing from the commit on, in any process, and cannot be had again by anybody.
 */
export async function closeToken(tx: Tx, subjectId: string, tokenId: string, now: Date): Promise<void> {
  await tx.execute(
    'update share_token set withdrawn_at = $3, sealed_token = null where subject_id = $1 and token_id = $2',
    [subjectId, tokenId, now],
  );
  await queueForLog(tx, [subjectId], now);
}
