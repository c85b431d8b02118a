import { randomBytes } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import { fail } from '#domain/errors.js';
import type { Clock } from '#kit/clock.js';
import type { Vault } from '#kit/crypto.js';
import type { Queryable, Tx } from '#kit/db/database.js';
import { insertRow } from '#kit/db/rows.js';
import type { IdSource } from '#kit/ids.js';
import { enqueueJob, type JobHandler } from '#kit/jobs/jobs.js';
import { recordOwnerActivity } from '../activity.js';
import { removeNaming } from '../displayNames.js';
import { lockRecordOf } from '../links/lockRecord.js';
import { factKinds } from '../log/facts.js';
import { queueForLog } from '../log/queue.js';
import { deleteTexts } from '../text/dropTexts.js';
import { emptyTexts, KEY_LABELS, TEXT_TABLES, type TextSource } from './namingTexts.js';
import {
  deleteImportIssues,
  deleteMappings,
  dropEventTexts,
  emptyAnswers,
  emptyEnvelopes,
  emptyItemKeys,
  emptyScreenings,
} from './storedTexts.js';

export type EndDisputes = (tx: Tx, subjectId: string, now: Date) => Promise<void>;

export interface SearchDeps {
  ids: IdSource;
  vault: Vault;
}

interface EraseOptions extends TextSource {
  actor: string;
  now: Date;
}

/**
 * Erases a subject (RULES P10): at once what its id finds, and by jobs of the same transaction what
 * has to be searched for. A repetition changes nothing. Returns when the subject was erased. Throws
 * USER_NOT_FOUND for a subject of which nothing is stored: its id may be misspelt.
 *
 * Writers that run at the same time leave nothing behind:
 * - An append locks the subject's row. It commits before, or it fails.
 * - A recompute and a link hold the lock of the record, which is taken here.
 * - The jobs repeat everything later, for writers that began before the commit.
 */
export async function eraseSubject(
  tx: Tx,
  deps: SearchDeps & { lapseErased: EndDisputes },
  { actor, now, ...source }: EraseOptions,
): Promise<Date> {
  const { subjectId, platformId, livemode } = source;
  const requests = await deleteRequests(tx, subjectId);
  const profile = await deleteProfile(tx, subjectId);
  await lockRecordOf(tx, subjectId);
  await lockShareTokens(tx, subjectId);
  const earlier = await findErasure(tx, subjectId);
  if (earlier) return earlier;
  const [known] = await tx.query('select 1 from subject where subject_id = $1', [subjectId]);
  if (requests + profile === 0 && !known) {
    return fail('USER_NOT_FOUND', { message: 'Nothing is stored under this id in this mode.' });
  }
  await deps.lapseErased(tx, subjectId, now);
  // The lock waits for an append that is under way; a later one fails.
  await tx.execute(
    `with known as materialized (select event_count from subject where subject_id = $1 for update)
     insert into erasure (subject_id, platform_id, livemode, at, events)
     select $1, $2, $3, $4, coalesce((select event_count from known), 0)`,
    [subjectId, platformId, livemode, now],
  );
  // Takes the external id from the subject's row, or makes a row without one, so that appends fail.
  await tx.query('select clear_erased_subject($1)', [subjectId]);
  await deleteTraces(tx, subjectId, now);
  await queueForLog(tx, [subjectId], now);
  const owner = { platformId, livemode, actor };
  await recordOwnerActivity(tx, deps.ids, owner, { action: 'SUBJECT_ERASED', at: now });
  await enqueueSearches(tx, deps, source, now);
  return now;
}

export async function findErasure(db: Queryable, subjectId: string): Promise<Date | null> {
  const [row] = await db.query<{ at: Date }>('select at from erasure where subject_id = $1', [subjectId]);
  return row?.at ?? null;
}

/** Before the subject is locked, since an answer locks its request first. Returns their number. */
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

export async function deleteProfile(tx: Tx, subjectId: string): Promise<number> {
  const qualifications = await tx.execute('delete from qualification where subject_id = $1', [subjectId]);
  return qualifications + (await tx.execute('delete from project where subject_id = $1', [subjectId]));
}

export async function deleteTraces(tx: Tx, subjectId: string, at: Date): Promise<void> {
  await tx.execute(CLOSE_SHARE_TOKENS, [subjectId, at]);
  await deleteTexts(tx, [subjectId]);
  for (const statement of TRACES) await tx.execute(statement, [subjectId]);
}

/** Withdraws the active share token and sets its bit in the status list, permanently. */
const CLOSE_SHARE_TOKENS = `with closed as (
  update share_token set withdrawn_at = $2, sealed_token = null
  where subject_id = $1 and withdrawn_at is null returning status_list, status_index
), revoked as (
  update status_entry e set revoked_at = $2 from closed
  where e.list_no = closed.status_list and e.entry_index = closed.status_index and e.revoked_at is null
  returning e.list_no
)
update status_list set revision = revision + 1 where list_no in (select list_no from revoked)`;

/**
 * Mints and withdrawals of one subject's share tokens and record links, and its erasure, follow one another. Not by
 * its row: appends wait for that one, and so would everybody whose events travel with them.
 */
export async function lockShareTokens(tx: Tx, subjectId: string): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`share token ${subjectId}`]);
}

const TRACES = [
  'delete from score where subject_id = $1',
  'delete from subject_search where subject_id = $1',
  'delete from link_token where subject_id = $1',
  'delete from record_link where subject_id = $1',
  'delete from credential_offer where subject_id = $1',
  'delete from monitor where subject_id = $1',
  'delete from policy where subject_id = $1',
  // Nobody can answer an open one any more. The rows stay, because their facts are in the log.
  `update review set status = case status when 'OPEN' then 'WITHDRAWN' else status end,
     text = null, answer = null, reviewer = null where subject_id = $1`,
  'update declaration_fact set facts = null where subject_id = $1 and facts is not null',
  'update activity set details = null where subject_id = $1 and details is not null',
  `update log_fact set salt = null where subject_id = $1 and kind <> ${factKinds.erasure} and salt is not null`,
];

export const ERASURE_JOB = 'erasure';

/** More than once: for requests under way, and for a send whose answer is recorded late. */
const SEARCH_AFTER_MS = [0, 15_000, 45_000];

/** Queues the searches, with the sealed external id that they look for. */
async function enqueueSearches(
  tx: Tx,
  { ids, vault }: SearchDeps,
  { subjectId, platformId, livemode, externalId }: TextSource,
  now: Date,
): Promise<void> {
  const sealedExternalId = vault.seal(externalId, EXTERNAL_ID_CONTEXT);
  const attesterMark = randomBytes(32);
  for (const afterMs of SEARCH_AFTER_MS) {
    const jobId = ids.at(now);
    const dueAt = new Date(now.getTime() + afterMs);
    await enqueueJob(tx, { jobId, kind: ERASURE_JOB, platformId }, dueAt);
    await insertRow(tx, 'erasure_work', { jobId, subjectId, livemode, sealedExternalId, attesterMark });
  }
}

export const EXTERNAL_ID_CONTEXT = 'external id of an erased subject';

/** A search that failed for so long is tried again, until it succeeds. */
const SEARCH_AGAIN_MS = 10 * 60_000;
/** Idempotent answers live for a week (RULES O3). */
const ANSWERS_SINCE_MS = 8 * 24 * 60 * 60_000;

/** Searches what is stored of an erased subject. Each step is a transaction and can be repeated. */
export function erasureJobs({
  db,
  clock,
  ids,
  vault,
  log,
}: SearchDeps & { db: Queryable; clock: Clock; log: FastifyBaseLogger }): JobHandler {
  return {
    kind: ERASURE_JOB,
    async run(job, until) {
      const source = await findSource(db, vault, job);
      const at = source && (await findErasure(db, source.subjectId));
      if (source && at) {
        const steps: ((tx: Tx) => Promise<unknown>)[] = [
          (tx) => deleteRequests(tx, source.subjectId),
          (tx) => deleteProfile(tx, source.subjectId),
          (tx) => deleteTraces(tx, source.subjectId, at),
          (tx) => emptyEnvelopes(tx, source),
          (tx) => emptyAnswers(tx, source, new Date(at.getTime() - ANSWERS_SINCE_MS)),
          (tx) => emptyItemKeys(tx, source),
          (tx) => emptyScreenings(tx, source),
          (tx) => deleteImportIssues(tx, source),
          (tx) => deleteMappings(tx, source),
          (tx) => removeNaming(tx, source),
          ...TEXT_TABLES.map((table) => (tx: Tx) => emptyTexts(tx, table, source)),
        ];
        for (const step of steps) {
          if (until.aborted) return;
          await job.inLease(step);
        }
        await emptyTexts(db.shared, KEY_LABELS, source);
        if (!(await dropEventTexts(job, source, until))) return;
      }
      await job.finish((tx) => tx.execute('delete from erasure_work where job_id = $1', [job.jobId]));
    },
    // An erasure is never given up.
    async abandon(tx, jobId, reason, platformId) {
      log.error({ jobId, reason }, 'an erasure could not search all stored texts and tries again later');
      const next = ids.at(clock.now());
      const dueAt = new Date(clock.now().getTime() + SEARCH_AGAIN_MS);
      await enqueueJob(tx, { jobId: next, kind: ERASURE_JOB, platformId }, dueAt);
      await tx.execute('update erasure_work set job_id = $2 where job_id = $1', [jobId, next]);
    },
  };
}

/** Null: a reset of test data deleted it. */
async function findSource(
  db: Queryable,
  vault: Vault,
  { jobId, platformId }: { jobId: string; platformId: string },
): Promise<(TextSource & { attesterMark: Buffer }) | null> {
  const [row] = await db.query<{
    subjectId: string;
    livemode: boolean;
    sealedExternalId: Buffer;
    attesterMark: Buffer;
  }>('select subject_id, livemode, sealed_external_id, attester_mark from erasure_work where job_id = $1', [
    jobId,
  ]);
  if (!row) return null;
  const { sealedExternalId, ...source } = row;
  return { ...source, platformId, externalId: vault.open(sealedExternalId, EXTERNAL_ID_CONTEXT) };
}
