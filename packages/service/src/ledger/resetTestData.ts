import type { Tx } from '../kit/db/database.js';

/** How much a reset took away. */
export interface ResetCount {
  subjects: number;
  events: number;
}

/**
 * Deletes the test subjects of one platform with everything that hangs on them, and its test mode's idempotent answers
 * (RULES T3); the audit trail stays. The only deletion of ledger rows in the service (RULES E2).
 *
 * It runs beside writers and recompute workers and leaves no orphan:
 * - Whoever answers a request for confirmation holds it first, and its subject then: so are they deleted.
 * - An append locks its subjects first. One that came before is waited for at the subjects, and its rows are seen by the
 *   statements that follow; one that comes after waits for this commit and starts its subjects anew. So what hangs on a subject
 *   is deleted by the ids that were locked, never by platform: new subjects of others keep all they have.
 * - A worker that holds a record is waited for (`waitForWorkers`); one that comes later finds no subject and writes nothing.
 */
export async function resetTestData(tx: Tx, platformId: string): Promise<ResetCount> {
  const askedAbout = await deleteConfirmations(tx, platformId);
  const subjects = await tx.query<{ subjectId: string }>(
    'delete from subject where platform_id = $1 and not livemode returning subject_id',
    [platformId],
  );
  const ids = subjects.map((row) => row.subjectId);
  await waitForWorkers(tx, ids);
  const events = await tx.execute('delete from event where subject_id = any($1::uuid[])', [ids]);
  await tx.execute('delete from declaration_fact where subject_id = any($1::uuid[])', [ids]);
  await tx.execute('delete from dispute where subject_id = any($1::uuid[])', [ids]);
  await tx.execute('delete from tally where subject_id = any($1::uuid[])', [ids]);
  await tx.execute('delete from score where subject_id = any($1::uuid[])', [ids]);
  await tx.execute('delete from score_snapshot where subject_id = any($1::uuid[])', [ids]);
  await tx.execute(
    'delete from item_key where platform_id = $1 and not livemode and subject_id = any($2::uuid[])',
    [platformId, ids],
  );
  await deleteProfiles(tx, platformId, ids);
  await deleteEmitted(tx, platformId, [...ids, ...askedAbout]);
  await deleteScreenings(tx, platformId);
  await tx.execute('delete from idempotency where platform_id = $1 and not livemode', [platformId]);
  return { subjects: ids.length, events };
}

/**
 * References, qualifications and projects. A confirmed reference makes a profile for somebody who has no row in `subject`, so
 * references go first: whoever writes to such a profile holds one (ledger/qualifications), and has ended by then.
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

/** Each row of a test screening is about one of these subjects, or about none. A worker that is at one finds it gone. */
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
 * Campaigns, then requests for confirmation, then whom these are about: in the order in which their writers lock, so that each of
 * these either has ended or finds nothing to write to. Answers about whom there were requests, known subjects or not.
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

/** The tokens of these requests open nothing any more. */
async function forgetTokens(tx: Tx, hashes: readonly Buffer[]): Promise<void> {
  await tx.execute('delete from witness_token where token_hash = any($1::bytea[])', [hashes]);
}

/** Monitors and policies of these subjects, and what was told of them; the log of its deliveries stays. */
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
 * Empties the recompute queue of these records. A test subject is a record of its own, since test subjects never link.
 * Queue rows that cannot be locked are in the hands of a worker: it holds the record's advisory lock
 * (recomputeStore.lockRecords) until its scores are committed, so taking that lock waits for it. Only those few are
 * waited for: a lock for each of very many subjects would exhaust the server's lock table.
 */
async function waitForWorkers(tx: Tx, recordIds: readonly string[]): Promise<void> {
  await tx.execute(
    `delete from recompute_queue where queue_id in (
       select queue_id from recompute_queue where record_id = any($1::uuid[]) for update skip locked
     )`,
    [recordIds],
  );
  await tx.execute(
    `select pg_advisory_xact_lock(hashtextextended(record_id::text, 0)) from (
       select distinct record_id from recompute_queue where record_id = any($1::uuid[])
     ) as held`,
    [recordIds],
  );
}
