import type { Queryable, Tx } from '../../kit/db/database.js';
import { factKinds } from '../log/kinds.js';
import { deleteTexts } from '../text/dropTexts.js';

/** A subject with what it is called, while its erasure runs. */
export interface Erased {
  subjectId: string;
  platformId: string;
  livemode: boolean;
  at: Date;
}

/**
 * Deletes requests to counterparties and their tokens. Before the subject is locked, since an answer
 * locks its request first. Returns the number of requests.
 */
export async function deleteRequests(tx: Tx, subjectId: string): Promise<number> {
  let deleted = 0;
  for (const table of ['confirmation', 'reference_request']) {
    const rows = await tx.query<{ tokenHash: Buffer }>(
      `delete from ${table} where subject_id = $1 returning token_hash`,
      [subjectId],
    );
    deleted += rows.length;
    await tx.execute('delete from witness_token where token_hash = any($1::bytea[])', [
      rows.map(({ tokenHash }) => tokenHash),
    ]);
  }
  return deleted;
}

/** The professional profile. Returns the number of entries. */
export async function deleteProfile(tx: Tx, subjectId: string): Promise<number> {
  const qualifications = await tx.execute('delete from qualification where subject_id = $1', [subjectId]);
  return qualifications + (await tx.execute('delete from project where subject_id = $1', [subjectId]));
}

/** Takes the external id from the subject's row, or makes a row without one, so that appends fail. */
export async function clearSubject(tx: Tx, { subjectId }: Erased): Promise<void> {
  await tx.query('select clear_erased_subject($1)', [subjectId]);
}

/** What is found by the subject's id alone. Can be repeated. */
export async function deleteTraces(tx: Tx, erased: Erased): Promise<void> {
  const { subjectId } = erased;
  await closeShareTokens(tx, erased);
  for (const statement of DELETED) await tx.execute(statement, [subjectId]);
  await deleteTexts(tx, [subjectId]);
  await tx.execute('update declaration_fact set facts = null where subject_id = $1 and facts is not null', [
    subjectId,
  ]);
  await tx.execute('update activity set details = null where subject_id = $1 and details is not null', [
    subjectId,
  ]);
  await tx.execute(
    `update log_fact set salt = null where subject_id = $1 and kind <> ${factKinds.erasure} and salt is not null`,
    [subjectId],
  );
}

const DELETED = [
  'delete from score where subject_id = $1',
  'delete from link_token where subject_id = $1',
  'delete from credential_offer where subject_id = $1',
  'delete from monitor where subject_id = $1',
  'delete from policy where subject_id = $1',
];

/** Withdraws the active share token and sets its bit in the status list, permanently. */
async function closeShareTokens(tx: Tx, { subjectId, at }: Erased): Promise<void> {
  await tx.execute(
    `with closed as (
       update share_token set withdrawn_at = $2, sealed_token = null
       where subject_id = $1 and withdrawn_at is null returning status_list, status_index
     ), revoked as (
       update status_entry e set revoked_at = $2 from closed
       where e.list_no = closed.status_list and e.entry_index = closed.status_index and e.revoked_at is null
       returning e.list_no
     )
     update status_list set revision = revision + 1 where list_no in (select list_no from revoked)`,
    [subjectId, at],
  );
}

/** When the subject was erased; null: it was not. */
export async function findErasure(db: Queryable, subjectId: string): Promise<Date | null> {
  const [row] = await db.query<{ at: Date }>('select at from erasure where subject_id = $1', [subjectId]);
  return row?.at ?? null;
}

export async function insertErasure(tx: Tx, { subjectId, platformId, livemode, at }: Erased): Promise<void> {
  // The lock waits for an append that is under way; a later one fails.
  await tx.execute(
    `with known as materialized (select event_count from subject where subject_id = $1 for update)
     insert into erasure (subject_id, platform_id, livemode, at, events)
     select $1, $2, $3, $4, coalesce((select event_count from known), 0)`,
    [subjectId, platformId, livemode, at],
  );
}

/** Whether the ledger has a row of the subject. */
export async function hasSubject(tx: Tx, subjectId: string): Promise<boolean> {
  return (await tx.query('select 1 from subject where subject_id = $1', [subjectId])).length > 0;
}
