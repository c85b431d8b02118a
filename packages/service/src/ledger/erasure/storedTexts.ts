import { type Mentions, mentionsOf } from '#domain/externalId.js';
import { partyKeyOf } from '#domain/sameParty.js';
import type { Queryable, Tx } from '#kit/db/database.js';
import { rowsOf, sql } from '#kit/db/rows.js';
import { LOWEST_ID, lowestIdAt } from '#kit/ids.js';
import type { ClaimedJob } from '#kit/jobs/jobs.js';
import { factKinds } from '../log/facts.js';
import { ERASED_STATUS } from '../requests/idempotency.js';
import { type DroppableText, type HashOfAttester, replaceTexts } from '../text/dropTexts.js';
import { attesterHashOf, readPartySalt } from '../text/eventText.js';
import { candidates, findNaming, isNaming, type TextSource } from './namingTexts.js';

/**
 * Empties envelopes, drops their queue rows and empties what receivers answered. The rows stay
 * until retention: a delivery that is recorded later finds an empty envelope and keeps no answer.
 */
export async function emptyEnvelopes(tx: Tx, source: TextSource): Promise<void> {
  const envelopes = [source.platformId, await findEnvelopes(tx, source)];
  for (const statement of [
    "update envelope set body = '' where platform_id = $1 and envelope_id = any($2::uuid[]) and body <> ''",
    'delete from outbox_queue where platform_id = $1 and envelope_id = any($2::uuid[])',
    `update delivery set response_body = null, error = null, sent = null
     where platform_id = $1 and envelope_id = any($2::uuid[]) and (response_body is not null or error is not null or sent is not null)`,
  ]) {
    await tx.execute(statement, envelopes);
  }
}

/** Envelopes about the subject, and those that name it: as the counterparty of somebody else. */
async function findEnvelopes(
  db: Queryable,
  { subjectId, platformId, livemode, externalId }: TextSource,
): Promise<string[]> {
  const own = await db.query<{ envelopeId: string }>(
    'select envelope_id from envelope where platform_id = $1 and subject_id = $2',
    [platformId, subjectId],
  );
  const naming = await findNaming<{ envelopeId: string }>(
    db,
    {
      from: 'envelope',
      keys: 'envelope_id',
      columns: { body: 'json' },
      where: 'platform_id = $1 and livemode = $2',
      values: [platformId, livemode],
    },
    externalId,
  );
  return [...own, ...naming].map(({ envelopeId }) => envelopeId);
}

/** Rows of imports about the subject, and rows about others that name it as the counterparty. */
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
  const named = await findNaming<IssueKey>(
    tx,
    {
      from: 'import_issue',
      keys: 'import_id, kind, issue_no',
      columns: { reason: 'text', cells: 'json' },
      where: 'platform_id = $1',
      values: [platformId],
    },
    externalId,
  );
  await sql`delete from import_issue i using ${issueKeys.as('named', named)}
    where i.platform_id = ${platformId} and i.import_id = named.import_id and i.kind = named.kind
      and i.issue_no = named.issue_no`.execute(tx);
}

interface IssueKey {
  importId: string;
  kind: string;
  issueNo: number;
}

const issueKeys = rowsOf<IssueKey>({ uuid: ['importId'], text: ['kind'], integer: ['issueNo'] });

/** A mapping with the id as a constant reports outcomes about or by the erased person alone. */
export async function deleteMappings(tx: Tx, { platformId, externalId }: TextSource): Promise<void> {
  const naming = await findNaming<{ mappingId: string }>(
    tx,
    {
      from: 'saved_mapping',
      keys: 'mapping_id',
      columns: { rules: 'data' },
      where: 'platform_id = $1',
      values: [platformId],
    },
    externalId,
  );
  await tx.execute('delete from saved_mapping where platform_id = $1 and mapping_id = any($2::uuid[])', [
    platformId,
    naming.map(({ mappingId }) => mappingId),
  ]);
}

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
  since: Date,
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

/** Results of screenings that name the subject: its id becomes an empty text, its result null. */
export async function emptyScreenings(tx: Tx, { platformId, externalId }: TextSource): Promise<void> {
  await tx.execute(
    `update screening_chunk set user_ids = (
       select json_agg(case when id = $3 then '' else id end order by nth)
       from json_array_elements_text(user_ids) with ordinality as own (id, nth)
     ), results = (
       select json_agg(case when user_ids ->> (nth - 1)::integer = $3 then null else result end order by nth)
       from json_array_elements(results) with ordinality as own (result, nth)
     )
     where platform_id = $1 and position($2 in user_ids::text) > 0`,
    [platformId, JSON.stringify(externalId), externalId],
  );
}

interface MarkedSource extends TextSource {
  readonly attesterMark: Buffer;
}

const SLICE_EVENTS = 5000;

/**
 * Drops the texts of other subjects' events that name the erased one, as the end of their retention
 * does: the leaves keep their hashes. Walks over the platform's events in slices, since the texts
 * have no index by platform.
 * @returns false: the worker stops before the end.
 * Throws if a text waits for the log, so that the job is tried again.
 */
export async function dropEventTexts(
  job: Pick<ClaimedJob, 'inLease'>,
  source: MarkedSource,
  until: AbortSignal,
): Promise<boolean> {
  let waiting = 0;
  for (let afterId: string | null = LOWEST_ID; afterId !== null; ) {
    if (until.aborted) return false;
    const from: string = afterId;
    const slice = await job.inLease((tx) => dropSlice(tx, source, from));
    waiting += slice.waiting;
    afterId = slice.lastId;
  }
  if (waiting > 0) throw new Error(`${waiting} texts that name an erased subject are not in the log yet`);
  return true;
}

interface NamingText extends DroppableText {
  isLogged: boolean;
}

async function dropSlice(
  tx: Tx,
  { platformId, livemode, externalId, attesterMark }: MarkedSource,
  afterId: string,
): Promise<{ waiting: number; lastId: string | null }> {
  const mentions = mentionsOf(externalId);
  const slice = [platformId, livemode, afterId, SLICE_EVENTS];
  const salt = await readPartySalt(tx);
  const rows = (await findTexts(tx, slice, mentions)).filter((row) => isNamed(mentions, row));
  const hashOf: HashOfAttester = ({ attester }) => {
    if (attester === null) return null;
    return isParty(mentions, attester) ? attesterMark : attesterHashOf(salt, attester);
  };
  const logged = rows.filter(({ isLogged }) => isLogged);
  if (logged.length > 0) await replaceTexts(tx, logged, hashOf);
  await tx.execute(
    `with slice as (${SLICE}), former as (
       delete from event_text_hash r using slice
       where r.event_id = slice.event_id and r.subject_id = slice.subject_id and r.attester_hash = $5
       returning r.subject_id, r.event_id, r.text_hash
     )
     insert into event_text_hash (subject_id, event_id, text_hash, attester_hash)
     select subject_id, event_id, text_hash, $6 from former`,
    [...slice, attesterHashOf(salt, externalId), attesterMark],
  );
  const [last] = await tx.query<{ eventId: string; count: number }>(
    `select max(event_id::text) as event_id, count(*)::integer as count from (${SLICE}) as slice`,
    slice,
  );
  const isEnd = !last || last.count < SLICE_EVENTS;
  return { waiting: rows.length - logged.length, lastId: isEnd ? null : last.eventId };
}

const SLICE = `select subject_id, event_id, position from event
  where platform_id = $1 and livemode = $2 and event_id > $3 order by event_id limit $4`;

function findTexts(db: Queryable, slice: readonly unknown[], mentions: Mentions): Promise<NamingText[]> {
  const columns = [
    { column: 't.attester', isJson: false },
    { column: 't.metadata', isJson: true },
  ];
  const { condition, values } = candidates(columns, mentions, 5);
  return db.query<NamingText>(
    `select s.subject_id, s.event_id, t.metadata::text as metadata, t.transaction_value, t.attester, f.salt,
       f.leaf_index is not null or not $2::boolean as is_logged
     from (${SLICE}) as s join lateral (
       select metadata, transaction_value, attester from event_text as found
       where found.event_id = s.event_id and found.subject_id = s.subject_id limit 1
     ) t on ${condition}
     left join log_fact f on f.subject_id = s.subject_id and f.kind = ${factKinds.event} and f.ref = s.position`,
    [...slice, ...values],
  );
}

function isNamed(mentions: Mentions, { attester, metadata }: DroppableText): boolean {
  const isOfText = typeof metadata === 'string' && isNaming(mentions, 'data', metadata);
  return isOfText || (attester !== null && isParty(mentions, attester));
}

function isParty(mentions: Mentions, attester: string): boolean {
  return mentions.isInReference(attester) || partyKeyOf(attester) === partyKeyOf(mentions.whole);
}
