import type { Tx } from '#kit/db/database.js';
import { deleteTexts } from './text/dropTexts.js';

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
 *   no subject and writes nothing.
 * - The worker of an import locks its job, then subjects: the job is deleted before the subjects, and
 *   the worker has committed its chunk by then. An import that has a job afterwards arrived since.
 * - The writer of a profile without a subject locks its reference: references are deleted before.
 */
export async function resetTestData(tx: Tx, platformId: string): Promise<ResetCount> {
  await tx.execute(STOP_IMPORTS, [platformId]);
  await tx.execute(deletionOf('activation_campaign'), [platformId]);
  const requests = await tx.query<{ subjectId: string }>(DELETE_CONFIRMATIONS, [platformId]);
  const subjects = await tx.query<{ subjectId: string }>(
    'select subject_id from delete_test_subjects($1) as deleted (subject_id)',
    [platformId],
  );
  const ids = subjects.map((row) => row.subjectId);
  await waitForWorkers(tx, ids);
  await deleteTexts(tx, ids);
  await tx.execute('delete from subject_search where subject_id = any($1::uuid[])', [ids]);
  // The role of the application may not delete facts; these functions do, and keep live rows.
  const [facts] = await tx.query<{ events: number }>('select delete_test_facts($1::uuid[]) as events', [ids]);
  await tx.query('select delete_test_erasures($1::uuid[])', [ids]);
  for (const statement of OF_PLATFORM) await tx.execute(statement, [platformId]);
  for (const statement of OF_SUBJECTS) await tx.execute(statement, [platformId, ids]);
  // Monitors and policies, and envelopes. The delivery log remains.
  const about = [...ids, ...requests.map(({ subjectId }) => subjectId)];
  for (const statement of ABOUT_SUBJECTS) await tx.execute(statement, [platformId, about]);
  return { subjects: ids.length, events: facts?.events ?? 0 };
}

const deletionOf = (table: string) => `delete from ${table} where platform_id = $1 and not livemode`;

const STOP_IMPORTS = `delete from job where job_id in (
  select import_id from import_job where platform_id = $1 and not livemode
)`;

/** The tokens of deleted requests become invalid. */
const DELETE_CONFIRMATIONS = `
with request as (${deletionOf('confirmation')} returning subject_id, token_hash),
  token as (delete from witness_token where token_hash in (select token_hash from request))
select subject_id from request`;

const OF_PLATFORM = [
  `with request as (${deletionOf('reference_request')} returning token_hash)
   delete from witness_token where token_hash in (select token_hash from request)`,
  // Each row of a test screening is about one of the subjects or none.
  `with screening as (${deletionOf('screening')} returning screening_id)
   delete from screening_chunk where platform_id = $1 and screening_id in (select screening_id from screening)`,
  `with import as (
     ${deletionOf('import_job')} and not exists (select from job where job_id = import_id) returning import_id
   ), chunk as (delete from import_chunk where import_id in (select import_id from import))
   delete from import_issue where platform_id = $1 and import_id in (select import_id from import)`,
  deletionOf('backtest'),
  deletionOf('idempotency'),
];

/** A confirmed reference creates a profile without a row in `subject`. */
const ofProfile = (table: string) => `${deletionOf(table)} and (
  subject_id = any($2::uuid[]) or not exists (select from subject s where s.subject_id = ${table}.subject_id)
)`;

const OF_SUBJECTS = [
  `${deletionOf('score')} and subject_id = any($2::uuid[])`,
  `${deletionOf('item_key')} and subject_id = any($2::uuid[])`,
  ofProfile('qualification'),
  ofProfile('project'),
];

const ABOUT_SUBJECTS = [
  `${deletionOf('record_link')} and subject_id = any($2::uuid[])`,
  `${deletionOf('monitor')} and subject_id = any($2::uuid[])`,
  `${deletionOf('policy')} and subject_id = any($2::uuid[])`,
  `with emitted as (${deletionOf('envelope')} and subject_id = any($2::uuid[]) returning envelope_id)
   delete from outbox_queue where platform_id = $1 and envelope_id in (select envelope_id from emitted)`,
];

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
