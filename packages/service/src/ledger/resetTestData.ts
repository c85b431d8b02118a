import type { Tx } from '../kit/db/database.js';
import { deleteTexts } from './text/dropTexts.js';

/** Number of rows that a reset deleted. */
export interface ResetCount {
  subjects: number;
  events: number;
}

/**
 * Deletes the test subjects of one platform with all dependent rows, and the idempotent answers of
 * its test mode (RULES T3). The audit trail remains. This is the service's only deletion of ledger
 * rows (RULES E2).
 *
 * It runs beside writers and recompute workers and leaves no orphan:
 * - The answer to a confirmation request locks the request, then the subject. The deletion follows
 *   the same order.
 * - An append locks its subjects first. The reset waits there for earlier appends, and later
 *   statements see their rows. A later append waits for this commit and creates its subjects again.
 *   Dependent rows are therefore deleted by the locked ids, never by platform, which would hit the
 *   rows of new subjects.
 * - The reset waits for a worker that has locked a record (`waitForWorkers`). A later worker finds
 *   no
 *   subject and writes nothing.
 */
export async function resetTestData(tx: Tx, platformId: string): Promise<ResetCount> {
  await stopImports(tx, platformId);
  const askedAbout = await deleteConfirmations(tx, platformId);
  const subjects = await tx.query<{ subjectId: string }>(
    'select subject_id from delete_test_subjects($1) as deleted (subject_id)',
    [platformId],
  );
  const ids = subjects.map((row) => row.subjectId);
  await waitForWorkers(tx, ids);
  await deleteTexts(tx, ids);
  const events = await deleteFacts(tx, ids);
  await tx.query('select delete_test_erasures($1::uuid[])', [ids]);
  await tx.execute('delete from score where subject_id = any($1::uuid[])', [ids]);
  await tx.execute(
    'delete from item_key where platform_id = $1 and not livemode and subject_id = any($2::uuid[])',
    [platformId, ids],
  );
  await deleteProfiles(tx, platformId, ids);
  await deleteEmitted(tx, platformId, [...ids, ...askedAbout]);
  await deleteScreenings(tx, platformId);
  await deleteImports(tx, platformId);
  await tx.execute('delete from backtest where platform_id = $1 and not livemode', [platformId]);
  await tx.execute('delete from idempotency where platform_id = $1 and not livemode', [platformId]);
  return { subjects: ids.length, events };
}

/**
 * Events, declarations, disputes, tallies and snapshots. The role of the application may not delete
 * from these tables; the function does and keeps live rows.
 */
async function deleteFacts(tx: Tx, subjectIds: readonly string[]): Promise<number> {
  const [row] = await tx.query<{ events: number }>('select delete_test_facts($1::uuid[]) as events', [
    subjectIds,
  ]);
  return row?.events ?? 0;
}

/**
 * References, qualifications and projects. A confirmed reference creates a profile without a row in
 * `subject`. References are deleted first, because the writer of such a profile locks its reference
 * and has committed once the deletion returns.
 */
async function deleteProfiles(tx: Tx, platformId: string, subjectIds: readonly string[]): Promise<void> {
  const references = await tx.query<{ tokenHash: Buffer }>(
    'delete from reference_request where platform_id = $1 and not livemode returning token_hash',
    [platformId],
  );
  await forgetTokens(
    tx,
    references.map((row) => row.tokenHash),
  );
  for (const statement of [DELETE_QUALIFICATIONS, DELETE_PROJECTS]) {
    await tx.execute(statement, [platformId, subjectIds]);
  }
}

const DELETE_QUALIFICATIONS = profileDeletion('qualification');
const DELETE_PROJECTS = profileDeletion('project');

function profileDeletion(table: 'qualification' | 'project'): string {
  return `delete from ${table} where platform_id = $1 and not livemode and (
    subject_id = any($2::uuid[]) or not exists (select 1 from subject s where s.subject_id = ${table}.subject_id)
  )`;
}

/**
 * Before the subjects: the worker of an import locks its job, then subjects. It has committed its
 * chunk once this returns, and finds no job for the next.
 */
async function stopImports(tx: Tx, platformId: string): Promise<void> {
  await tx.execute(
    `delete from job where job_id in (
       select import_id from import_job where platform_id = $1 and not livemode
     )`,
    [platformId],
  );
}

/** After the subjects. An import with a job arrived since, and its rows are recorded after the reset. */
async function deleteImports(tx: Tx, platformId: string): Promise<void> {
  const imports = await tx.query<{ importId: string }>(
    `delete from import_job i where platform_id = $1 and not livemode
       and not exists (select 1 from job j where j.job_id = i.import_id)
     returning import_id`,
    [platformId],
  );
  const ids = imports.map((row) => row.importId);
  await tx.execute('delete from import_chunk where import_id = any($1::uuid[])', [ids]);
  await tx.execute('delete from import_issue where platform_id = $1 and import_id = any($2::uuid[])', [
    platformId,
    ids,
  ]);
}

/**
 * Each row of a test screening is about one of these subjects or none. A running worker finds it
 * deleted.
 */
async function deleteScreenings(tx: Tx, platformId: string): Promise<void> {
  const screenings = await tx.query<{ screeningId: string }>(
    'delete from screening where platform_id = $1 and not livemode returning screening_id',
    [platformId],
  );
  await tx.execute('delete from screening_chunk where platform_id = $1 and screening_id = any($2::uuid[])', [
    platformId,
    screenings.map((row) => row.screeningId),
  ]);
}

/**
 * Campaigns, then confirmation requests, then their subjects: the order in which their writers
 * lock, so that each writer has committed or finds no row. Returns the subjects of the requests,
 * including unknown ones.
 */
async function deleteConfirmations(tx: Tx, platformId: string): Promise<string[]> {
  await tx.execute('delete from activation_campaign where platform_id = $1 and not livemode', [platformId]);
  const requests = await tx.query<{ subjectId: string; tokenHash: Buffer }>(
    'delete from confirmation where platform_id = $1 and not livemode returning subject_id, token_hash',
    [platformId],
  );
  await forgetTokens(
    tx,
    requests.map((row) => row.tokenHash),
  );
  return requests.map((row) => row.subjectId);
}

/** The tokens of these requests become invalid. */
async function forgetTokens(tx: Tx, hashes: readonly Buffer[]): Promise<void> {
  await tx.execute('delete from witness_token where token_hash = any($1::bytea[])', [hashes]);
}

/** Monitors and policies of these subjects, and their envelopes. The delivery log remains. */
async function deleteEmitted(tx: Tx, platformId: string, subjectIds: readonly string[]): Promise<void> {
  await tx.execute('delete from monitor where subject_id = any($1::uuid[])', [subjectIds]);
  await tx.execute('delete from policy where subject_id = any($1::uuid[])', [subjectIds]);
  const envelopes = await tx.query<{ envelopeId: string }>(
    `delete from envelope where platform_id = $1 and not livemode and subject_id = any($2::uuid[])
     returning envelope_id`,
    [platformId, subjectIds],
  );
  await tx.execute('delete from outbox_queue where platform_id = $1 and envelope_id = any($2::uuid[])', [
    platformId,
    envelopes.map((row) => row.envelopeId),
  ]);
}

/**
 * Deletes the queue entries of these records. A test subject is its own record, since test subjects
 * never link. A worker has locked the entries that cannot be locked here, and holds the record's
 * advisory lock (store.takeQueued) until it commits: taking that lock waits for it. Only those
 * records are locked: one lock per subject could exhaust the server's lock table.
 */
async function waitForWorkers(tx: Tx, recordIds: readonly string[]): Promise<void> {
  await tx.execute(
    `delete from recompute_queue where queue_id in (
       select queue_id from recompute_queue where record_id = any($1::uuid[]) for update skip locked
     )`,
    [recordIds],
  );
  await tx.execute(
    `select pg_advisory_xact_lock(hashtextextended(record_id::text, $2)) from (
       select distinct record_id from recompute_queue where record_id = any($1::uuid[])
     ) as locked`,
    [recordIds, tx.ledgers.own],
  );
}
