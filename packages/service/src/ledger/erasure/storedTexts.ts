import { mentionsOf } from '../../domain/mentions.js';
import type { Queryable, Tx } from '../../kit/db/database.js';
import { rowsOf, sql } from '../../kit/db/rows.js';
import { lowestIdAt } from '../../kit/ids.js';
import { ERASED_STATUS } from '../requests/idempotency.js';
import { candidates, isJsonNaming } from './candidates.js';

/** Where texts about an erased subject may be. */
export interface TextSource {
  subjectId: string;
  platformId: string;
  livemode: boolean;
  externalId: string;
}

/**
 * Empties envelopes, drops their queue rows and empties what receivers answered. The rows stay
 * until retention: a delivery that is recorded later finds an empty envelope and keeps no answer.
 */
export async function emptyEnvelopes(tx: Tx, source: TextSource): Promise<void> {
  const { platformId } = source;
  const ids = await findEnvelopes(tx, source);
  await tx.execute(
    `update envelope set body = '' where platform_id = $1 and envelope_id = any($2::uuid[]) and body <> ''`,
    [platformId, ids],
  );
  await tx.execute('delete from outbox_queue where platform_id = $1 and envelope_id = any($2::uuid[])', [
    platformId,
    ids,
  ]);
  await tx.execute(
    `update delivery set response_body = null, error = null, sent = null
     where platform_id = $1 and envelope_id = any($2::uuid[]) and (response_body is not null or error is not null or sent is not null)`,
    [platformId, ids],
  );
}

/** Envelopes about the subject, and those that name it: as the counterparty of somebody else. */
async function findEnvelopes(
  db: Queryable,
  { subjectId, platformId, livemode, externalId }: TextSource,
): Promise<string[]> {
  const mentions = mentionsOf(externalId);
  const { condition, values } = candidates([{ column: 'body', isJson: true }], mentions, 4);
  const rows = await db.query<{ envelopeId: string; isOwn: boolean; body: string }>(
    `select envelope_id, subject_id is not distinct from $2 as is_own, body from envelope
     where platform_id = $1 and (subject_id = $2 or livemode = $3 and (${condition}))`,
    [platformId, subjectId, livemode, ...values],
  );
  return rows
    .filter(({ isOwn, body }) => isOwn || isJsonNaming(mentions, body))
    .map(({ envelopeId }) => envelopeId);
}

/** What receivers answered about others, and quotes the subject. */
export async function emptyDeliveries(tx: Tx, { platformId, externalId }: TextSource): Promise<void> {
  const mentions = mentionsOf(externalId);
  const columns = ['response_body', 'error', 'sent'];
  const { condition, values } = candidates(
    columns.map((column) => ({ column, isJson: true })),
    mentions,
    2,
  );
  const rows = await tx.query<{ deliveryId: string; texts: (string | null)[] }>(
    `select delivery_id, array[response_body, error, sent::text] as texts from delivery
     where platform_id = $1 and (${condition})`,
    [platformId, ...values],
  );
  const ids = rows
    .filter(({ texts }) => texts.some((text) => text !== null && isJsonNaming(mentions, text)))
    .map(({ deliveryId }) => deliveryId);
  await tx.execute(
    `update delivery set response_body = null, error = null, sent = null
     where platform_id = $1 and delivery_id = any($2::uuid[])`,
    [platformId, ids],
  );
}

export async function deleteImportIssues(
  tx: Tx,
  { subjectId, platformId, externalId }: TextSource,
): Promise<void> {
  await tx.execute(
    `delete from import_issue where platform_id = $1 and (
       subject_id = $2 or position($3 in reason) > 0
       or exists (
         select from json_array_elements_text(cells) cell
         where cell = $4 or subject_id is null and $5 and position($4 in cell) > 0
       )
     )`,
    [platformId, subjectId, `"${externalId}"`, externalId, mentionsOf(externalId).part !== null],
  );
  await deleteIssuesOfOthers(tx, platformId, externalId);
}

/** Rows about other subjects that name this one, as the counterparty. */
async function deleteIssuesOfOthers(tx: Tx, platformId: string, externalId: string): Promise<void> {
  const mentions = mentionsOf(externalId);
  const columns = [
    { column: 'reason', isJson: false },
    { column: 'cells', isJson: true },
  ];
  const { condition, values } = candidates(columns, mentions, 2);
  const rows = await tx.query<{
    importId: string;
    kind: string;
    issueNo: number;
    reason: string;
    cells: unknown;
  }>(
    `select import_id, kind, issue_no, reason, cells from import_issue where platform_id = $1 and (${condition})`,
    [platformId, ...values],
  );
  const named = rows.filter(({ reason, cells }) => mentions.isInText(reason) || mentions.isInJson(cells));
  await sql`delete from import_issue i using ${issueKeys.as('named', named)}
    where i.platform_id = ${platformId} and i.import_id = named.import_id and i.kind = named.kind
      and i.issue_no = named.issue_no`.execute(tx);
}

const issueKeys = rowsOf<{ importId: string; kind: string; issueNo: number }>({
  uuid: ['importId'],
  text: ['kind'],
  integer: ['issueNo'],
});

/** Item keys stay taken. Their fingerprints are hashes without a salt. */
export async function emptyItemKeys(tx: Tx, { subjectId, platformId, livemode }: TextSource): Promise<void> {
  await tx.execute(
    `update item_key set fingerprint = '' where platform_id = $1 and livemode = $2 and subject_id = $3 and fingerprint <> ''`,
    [platformId, livemode, subjectId],
  );
}

/** Answers that name the subject or one of its events. Their keys stay used. */
export async function emptyAnswers(
  tx: Tx,
  { subjectId, platformId, livemode, externalId }: TextSource,
  { since }: { since: Date },
): Promise<void> {
  const quoted = JSON.stringify(externalId);
  await tx.execute(
    `with own as (
       select event_id::text as id from event where subject_id = $5 and event_id >= $6
     )
     update idempotency set status = ${ERASED_STATUS}, answer = null, fingerprint = ''
     where platform_id = $1 and livemode = $2 and answer is not null and (
       position($3 in answer::text) > 0 or position($4 in answer::text) > 0
       or answer ->> 'eventId' in (select id from own)
       or exists (
         select from json_array_elements(
           case when json_typeof(answer -> 'results') = 'array' then answer -> 'results' else '[]' end
         ) item where item ->> 'eventId' in (select id from own)
       )
     )`,
    [platformId, livemode, quoted, JSON.stringify(quoted).slice(1, -1), subjectId, lowestIdAt(since)],
  );
}

/** Answers about others that name the subject, as the counterparty. */
export async function emptyAnswersOfOthers(
  tx: Tx,
  { platformId, livemode, externalId }: TextSource,
): Promise<void> {
  const mentions = mentionsOf(externalId);
  const { condition, values } = candidates([{ column: 'answer', isJson: true }], mentions, 3);
  const rows = await tx.query<{ keyId: string; answer: string }>(
    `select key_id, answer::text as answer from idempotency
     where platform_id = $1 and livemode = $2 and answer is not null and (${condition})`,
    [platformId, livemode, ...values],
  );
  await tx.execute(
    `update idempotency set status = ${ERASED_STATUS}, answer = null, fingerprint = ''
     where key_id = any($1::uuid[])`,
    [rows.filter(({ answer }) => isJsonNaming(mentions, answer)).map(({ keyId }) => keyId)],
  );
}

interface ScreeningChunk {
  screeningId: string;
  firstPlace: number;
  userIds: string[];
  results: unknown[] | null;
}

/** Results of screenings that name the subject: its id becomes an empty text, its result null. */
export async function emptyScreenings(tx: Tx, { platformId, externalId }: TextSource): Promise<void> {
  for (const chunk of await findScreeningChunks(tx, platformId, externalId)) {
    const isOther = chunk.userIds.map((userId) => userId !== externalId);
    const userIds = chunk.userIds.map((userId, index) => (isOther[index] ? userId : ''));
    const results = chunk.results?.map((result, index) => (isOther[index] ? result : null)) ?? null;
    await tx.execute(
      `update screening_chunk set user_ids = $4, results = $5
       where platform_id = $1 and screening_id = $2 and first_place = $3`,
      [
        platformId,
        chunk.screeningId,
        chunk.firstPlace,
        JSON.stringify(userIds),
        results && JSON.stringify(results),
      ],
    );
  }
}

function findScreeningChunks(
  db: Queryable,
  platformId: string,
  externalId: string,
): Promise<ScreeningChunk[]> {
  return db.query<ScreeningChunk>(
    `select screening_id, first_place, user_ids, results from screening_chunk
     where platform_id = $1 and position($2 in user_ids::text) > 0 for update`,
    [platformId, JSON.stringify(externalId)],
  );
}
