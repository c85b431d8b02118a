import type { AnswerEvidence } from '#domain/answerEvidence.js';
import { fail } from '#domain/errors.js';
import { hashOfSecret } from '#kit/crypto.js';
import type { Queryable, Tx } from '#kit/db/database.js';
import { type Columns, insertInto, type Rows, raw, rowsOf, sql } from '#kit/db/rows.js';
import { isUuid } from '#kit/ids.js';
import { dropDetail } from '#ledger/activity.js';
import { knownPlatform } from '#ledger/groups/platforms.js';
import {
  isWithin,
  type NewestRow,
  newestColumns,
  newestPage,
  newestPositionOf,
} from '#ledger/reads/newestPage.js';
import type { ModeOwner } from '#ledger/reads/ownedRows.js';
import { subjectIdOf } from '#ledger/subjectId.js';
import type { AttestationStatus } from './attestation.js';
import type { AttestationKind, AttestationTable, Draft, KindTypes, Tabled } from './kind.js';

/** The columns of a new row. @param own those that the other table lacks. */
export function newRows<K extends KindTypes>(
  id: AttestationTable['id'],
  own: Columns<Draft<K>>,
): Rows<Draft<K>> {
  return rowsOf<Draft<K>>(
    {
      uuid: ['platformId', 'subjectId', 'askedByKey'],
      boolean: ['livemode'],
      bytea: ['tokenHash'],
      text: ['askedFrom'],
    },
    {
      [id]: ['uuid', ({ attestation }) => attestation.id],
      externalId: ['text', ({ attestation }) => attestation.userId],
      counterpartyRef: ['text', ({ attestation }) => attestation.counterpartyRef],
      counterpartyName: ['text', ({ attestation }) => attestation.counterpartyName],
      returnUrl: ['text', ({ attestation }) => attestation.returnUrl],
      createdAt: ['timestamptz', ({ attestation }) => attestation.createdAt],
      expiresAt: ['timestamptz', ({ attestation }) => attestation.expiresAt],
      ...own,
    },
  );
}

const tokens = rowsOf<Draft<KindTypes>>(
  { bytea: ['tokenHash'], uuid: ['platformId'] },
  { requestId: ['uuid', ({ attestation }) => attestation.id] },
);

/**
 * Writes new requests and the hashes of their tokens: two statements for any number of requests.
 */
export async function insertAttestations<K extends KindTypes>(
  tx: Tx,
  kind: AttestationKind<K>,
  drafts: readonly Draft<K>[],
): Promise<void> {
  await insertInto(kind.table.name, kind.drafts, drafts).execute(tx);
  await sql`insert into witness_token (kind, ${tokens.columns})
    select ${kind.name}::text, * from ${tokens.as('draft', drafts)}`.execute(tx);
}

/** A request as its platform reads it at `now`. Throws NOT_FOUND. */
export async function readAttestation<K extends KindTypes>(
  db: Queryable,
  kind: AttestationKind<K>,
  owner: ModeOwner,
  id: string,
  now: Date,
): Promise<K['response']> {
  return kind.toResponse(await findOwn(db, kind, owner, id, ''), now);
}

/** Locks a request until the transaction ends. Throws NOT_FOUND. */
export function lockAttestation<K extends KindTypes>(
  tx: Tx,
  kind: AttestationKind<K>,
  owner: ModeOwner,
  id: string,
): Promise<K['stored']> {
  return findOwn(tx, kind, owner, id, 'for update');
}

async function findOwn<Stored extends object>(
  db: Queryable,
  { name, table }: Tabled,
  { platformId, livemode }: ModeOwner,
  id: string,
  lock: '' | 'for update',
): Promise<Stored> {
  const text = `select ${columnsOf(table)} from ${table.name} a
    where a.platform_id = $1 and a.livemode = $2 and a.${table.id} = $3 ${lock}`;
  const [row] = isUuid(id) ? await db.query<Stored>(text, [platformId, livemode, id]) : [];
  return row ?? fail('NOT_FOUND', { message: `There is no ${name} with this id.` });
}

/** The columns of a row, for a statement that calls the table `a`. */
export function columnsOf({ columns }: { columns: string }): string {
  return `${columns}, case when a.answer_channel is not null then json_build_object(
    'channel', a.answer_channel,
    'answeredAt', to_char(a.responded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'answeredByAsker', a.answered_by_asker,
    'network', a.answer_network,
    'browserFamily', a.answer_browser) end as answer`;
}

/**
 * The platform whose request a presented token opens. Null for a wrong token and for an unknown
 * request, after the same query. The query is by hash, so its duration reveals nothing about the
 * token.
 */
export async function platformOfToken(
  db: Queryable,
  { name }: Tabled,
  id: string,
  presented: unknown,
): Promise<string | null> {
  const hash = hashOfSecret(typeof presented === 'string' ? presented : '');
  const [row] = await db.query<{ platformId: string; requestId: string }>(
    'select platform_id, request_id from witness_token where token_hash = $1 and kind = $2',
    [hash, name],
  );
  return row && isUuid(id) && row.requestId === id.toLowerCase() ? row.platformId : null;
}

/**
 * A request for the counterparty whose token led to the platform.
 * @param lock holds it until the transaction ends: of simultaneous answers, one is first.
 */
export async function findAsked<K extends KindTypes>(
  db: Queryable,
  { table }: AttestationKind<K>,
  platformId: string,
  id: string,
  lock: '' | 'for update' = '',
): Promise<K['asked'] | null> {
  const columns = [columnsOf(table), ...table.askedColumns].join(', ');
  const [row] = await db.query<K['asked']>(
    `select ${columns}, a.subject_id, a.platform_id, a.livemode, a.asked_by_key, a.asked_from
     from ${table.name} a where a.platform_id = $1 and a.${table.id} = $2 ${lock}`,
    [platformId, id],
  );
  if (!row) return null;
  const { name: platformName, isActive: platformIsActive, trustTier } = await knownPlatform(db, platformId);
  return { ...row, platformName, platformIsActive, trustTier };
}

/** Whether the API key with this id has this hash. */
export async function isHashOfKey(db: Queryable, keyId: string, keyHash: Buffer): Promise<boolean> {
  const text = 'select 1 from api_key where key_id = $1 and key_hash = $2';
  return (await db.shared.query(text, [keyId, keyHash])).length > 0;
}

/** What a locked request has become. */
export interface Decision {
  readonly status: AttestationStatus;
  readonly recordedId: string | null;
  /** When the counterparty answered; null where the platform cancelled. */
  readonly respondedAt: Date | null;
  readonly answer: AnswerEvidence | null;
}

export async function saveDecision(
  tx: Tx,
  { table }: Tabled,
  platformId: string,
  id: string,
  { status, recordedId, respondedAt, answer }: Decision,
): Promise<void> {
  const { channel = null, answeredByAsker = null, network = null, browserFamily = null } = answer ?? {};
  await sql`update ${raw(table.name)} set status = ${status}, ${raw(table.recordedId)} = ${recordedId},
      responded_at = ${respondedAt}, answer_channel = ${channel}, answered_by_asker = ${answeredByAsker},
      answer_network = ${network}, answer_browser = ${browserFamily}
    where platform_id = ${platformId} and ${raw(table.id)} = ${id}`.execute(tx);
}

/** The query of a listing. Only confirmations have a campaign and an event type. */
export interface AttestationQuery {
  readonly status?: AttestationStatus | undefined;
  readonly userId?: string | undefined;
  readonly eventType?: string | undefined;
  readonly campaignId?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** A page, newest first, by the statuses at `now`. */
export async function listAttestations<K extends KindTypes>(
  db: Queryable,
  { table, toResponse }: AttestationKind<K>,
  { platformId, livemode }: ModeOwner,
  query: AttestationQuery,
  now: Date,
): Promise<{ page: K['response'][]; nextCursor: string | null }> {
  const { userId, limit, cursor } = query;
  const wanted = {
    subject_id: userId === undefined ? undefined : subjectIdOf(platformId, livemode, userId),
    event_type: query.eventType,
    campaign_id: query.campaignId,
  };
  const filters = Object.entries(wanted).filter(([, value]) => value !== undefined);
  const conditions = filters.map(([column], index) => `a.${column} = $${index + 7}`);
  const text = pageStatement(table, conditions, query.status);
  const { rows, nextCursor } = await newestPage(limit, newestPositionOf(cursor), (position) =>
    db.query<K['stored'] & NewestRow>(text, [
      platformId,
      livemode,
      position.beforeId,
      position.horizon,
      limit + 1,
      now,
      ...filters.map(([, value]) => value),
    ]),
  );
  return { page: rows.map((row) => toResponse(row, now)), nextCursor };
}

/**
 * By the stored status, so that an index serves it. Few rows have expired without the sweep having
 * stored it.
 */
const STATUSES: Readonly<Record<AttestationStatus | 'any', readonly string[]>> = {
  any: ['true'],
  PENDING: ["a.status = 'PENDING' and a.expires_at > $6"],
  EXPIRED: ["a.status = 'EXPIRED'", "a.status = 'PENDING' and a.expires_at <= $6"],
  CONFIRMED: ["a.status = 'CONFIRMED'"],
  DECLINED: ["a.status = 'DECLINED'"],
  CANCELLED: ["a.status = 'CANCELLED'"],
};

/**
 * One statement for each set of filters: a statement that allows for all of them is planned for
 * none.
 */
function pageStatement(
  table: AttestationTable,
  conditions: readonly string[],
  status: AttestationStatus | 'any' = 'any',
): string {
  const parts = STATUSES[status].map((ofStatus) => `(${partStatement(table, [...conditions, ofStatus])})`);
  return `select * from (${parts.join(' union all ')}) as a order by a.id desc limit $5`;
}

/**
 * Stands for no position: an optional condition would keep the scan of the index from beginning at
 * its place.
 */
const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

function partStatement(table: AttestationTable, conditions: readonly string[]): string {
  return `select ${columnsOf(table)}, ${newestColumns('a', 'created_at')}
    from ${table.name} a cross join ledger_cluster
    where a.platform_id = $1 and a.livemode = $2 and a.${table.id} < coalesce($3::uuid, '${HIGHEST_ID}')
      and ${isWithin('$4', 'a', 'created_at')}
      and $6::timestamptz is not null and ${conditions.join(' and ')}
    order by a.${table.id} desc limit $5`;
}

/*
 * A sweep finds its rows first, then changes them by key and checks the condition again: an answer
 * that comes in between wins. One statement for both cannot be distributed over machines.
 */

export interface AttestationKey {
  readonly platformId: string;
  readonly id: string;
}

export const attestationKeys: Rows<AttestationKey> = rowsOf({ uuid: ['platformId', 'id'] });

/** Up to `limit` pending requests whose window has ended. */
export function findExpired(
  db: Queryable,
  { table }: Tabled,
  now: Date,
  limit: number,
): Promise<AttestationKey[]> {
  return db.query<AttestationKey>(
    `select platform_id, ${table.id} as id from ${table.name}
     where status = 'PENDING' and expires_at <= $1 order by expires_at limit $2`,
    [now, limit],
  );
}

/** Stores the expiry of the requests that are still pending. Returns their number. */
export function saveExpired(tx: Tx, { table }: Tabled, keys: readonly AttestationKey[]): Promise<number> {
  return sql`update ${raw(table.name)} a set status = 'EXPIRED' from ${attestationKeys.as('expired', keys)}
    where a.platform_id = expired.platform_id and a.${raw(table.id)} = expired.id and a.status = 'PENDING'`.execute(
    tx,
  );
}

/** Up to `limit` ended requests from before this moment that have their texts. */
export function findWithTexts(
  db: Queryable,
  { table }: Tabled,
  before: Date,
  limit: number,
): Promise<AttestationKey[]> {
  return db.query<AttestationKey>(
    `select platform_id, ${table.id} as id from ${table.name}
     where status <> 'PENDING' and counterparty_ref <> '' and created_at < $1 order by created_at limit $2`,
    [before, limit],
  );
}

/** Drops the texts of these requests, also from their lines in the activity log. Returns their number. */
export async function dropRequestTexts(
  tx: Tx,
  { table }: Tabled,
  keys: readonly AttestationKey[],
): Promise<number> {
  const [name, id, withoutText] = [table.name, table.id, table.withoutText].map(raw);
  const dropped = await sql`
    update ${name} a set counterparty_ref = '', counterparty_name = null, return_url = null, ${withoutText}
    from ${attestationKeys.as('old', keys)} where a.platform_id = old.platform_id and a.${id} = old.id
    returning a.subject_id, a.${id} as target`.query<{ subjectId: string; target: string }>(tx);
  await dropDetail(tx, 'counterpartyRef', dropped);
  return dropped.length;
}
