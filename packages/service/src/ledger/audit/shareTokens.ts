import type { Queryable, Tx } from '../../kit/db/database.js';
import type { Report } from './report.js';

/** A share token with the bit of the status list that its credentials name. */
export interface AuditedShareToken {
  subjectId: string;
  statusList: number;
  statusIndex: number;
  isWithdrawn: boolean;
  /** Null: the list has no such entry. */
  isRevoked: boolean | null;
}

export function readShareTokens(tx: Tx, subjectIds: readonly string[]): Promise<AuditedShareToken[]> {
  return tx.query<AuditedShareToken>(
    `select t.subject_id, t.status_list, t.status_index, t.withdrawn_at is not null as is_withdrawn,
       case when e.list_no is not null then e.revoked_at is not null end as is_revoked
     from share_token t left join status_entry e on e.list_no = t.status_list and e.entry_index = t.status_index
     where t.subject_id = any($1::uuid[]) order by t.subject_id, t.token_id`,
    [subjectIds],
  );
}

/**
 * The withdrawal of a token is a fact of the log, and credentials under it are revoked by the same
 * transaction (RULES C6): no other revocation is told to anybody, and none is taken back.
 */
export function auditShareTokens(tokens: readonly AuditedShareToken[], report: Report): void {
  for (const { statusList, statusIndex, isWithdrawn, isRevoked } of tokens) {
    if (isRevoked === isWithdrawn) continue;
    const entry = `entry ${statusIndex} of status list ${statusList}`;
    if (isRevoked === null) report(`${entry} is missing`);
    else if (isRevoked) report(`${entry} is revoked, and its share token was not withdrawn`);
    else report(`${entry} is not revoked, and its share token was withdrawn`);
  }
}

/** Entries that no share token has: tokens are never deleted. */
export function findStrayEntries(
  db: Queryable,
  limit: number,
): Promise<{ listNo: number; entryIndex: number }[]> {
  return db.query(
    `select list_no, entry_index from status_entry e
     where not exists (select from share_token t where t.status_list = e.list_no and t.status_index = e.entry_index)
     order by list_no, entry_index limit $1`,
    [limit],
  );
}
