import type { EventType, PlatformTier } from '@reliability/scoring';
import type { z } from 'zod';
import { type DisputedEvent, outcomeOf } from '#domain/dispute.js';
import { fail } from '#domain/errors.js';
import type { ContestedEvent } from '#domain/outcomeEvent.js';
import type { Queryable, Tx } from '#kit/db/database.js';
import { insertRow, pick, rowsOf, sql } from '#kit/db/rows.js';
import { isUuid } from '#kit/ids.js';
import { failErased } from '#ledger/erasure/erasedSubjects.js';
import { queueForLog } from '#ledger/log/queue.js';
import { type CaseTable, listCases } from '#ledger/reads/caseList.js';
import { EVENT_COLUMNS, type EventRow, eventRecordOfRow } from '#ledger/reads/eventRow.js';
import type { ModeOwner } from '#ledger/reads/ownedRows.js';
import { textOf } from '#ledger/text/eventText.js';
import type { Dispute, DisputeQuery } from './schemas.js';

/** A dispute as it is stored. */
export interface StoredDispute
  extends Omit<Dispute, 'userId' | 'outcome' | 'overdue' | 'reason' | 'event'>,
    ModeOwner {
  readonly subjectId: string;
  /** The platform's own id of the subject. */
  readonly externalId: string;
}

/** A dispute with the event that it is about, and the reason of its filing. */
type ShownDispute = StoredDispute & EventRow & { readonly reason: string | null };

function toDisputeResponse(dispute: ShownDispute, now: Date): Dispute {
  const { externalId, status, respondBy } = dispute;
  return {
    ...pick(dispute, 'id', 'eventId'),
    userId: externalId,
    status,
    outcome: outcomeOf(status),
    ...pick(dispute, 'lapsed', 'openedAt', 'respondBy'),
    overdue: status === 'OPEN' && respondBy <= now,
    ...pick(dispute, 'resolvedAt', 'outcomeEventId', 'reason'),
    event: eventRecordOfRow(dispute),
  };
}

const DISPUTE = `d.dispute_id as id, d.subject_id, d.platform_id, d.livemode, d.event_id,
  s.external_id, d.status, d.lapsed, d.opened_at, d.respond_by,
  d.resolved_at, d.outcome_event_id`;

const SHOWN = `${DISPUTE}, ${EVENT_COLUMNS}, (
    select filed.metadata ->> 'reason' from event_text as filed
    where filed.subject_id = d.subject_id and filed.event_id = d.filed_event_id
  ) as reason`;
const SHOWN_ROWS = `dispute d join event e on e.subject_id = d.subject_id and e.event_id = d.event_id
  join subject s on s.subject_id = d.subject_id ${textOf('e')}`;

/** Throws NOT_FOUND, or SUBJECT_ERASED. */
export async function readDispute(db: Queryable, owner: ModeOwner, id: string, now: Date): Promise<Dispute> {
  const text = `select ${SHOWN} from ${SHOWN_ROWS} where d.dispute_id = $1`;
  const [dispute] = isUuid(id)
    ? await db.query<ShownDispute & { externalId: string | null }>(text, [id])
    : [];
  if (dispute?.externalId === null) failErased();
  const isOwn = dispute?.platformId === owner.platformId && dispute.livemode === owner.livemode;
  return isOwn ? toDisputeResponse(dispute, now) : failUnknownDispute();
}

export function failUnknownDispute(): never {
  return fail('NOT_FOUND', { message: 'There is no dispute with this id.' });
}

/** A dispute of any platform. Throws SUBJECT_ERASED. */
export async function findDispute(db: Queryable, id: string): Promise<StoredDispute | null> {
  const text = `select ${DISPUTE} from dispute d join subject s using (subject_id) where d.dispute_id = $1`;
  const [row] = isUuid(id) ? await db.query<StoredDispute & { externalId: string | null }>(text, [id]) : [];
  if (row?.externalId === null) failErased();
  return row ?? null;
}

/** The subject of an event; null if the owner has no event with this id. */
export async function findSubjectOfEvent(
  db: Queryable,
  { platformId, livemode }: ModeOwner,
  eventId: string,
): Promise<string | null> {
  const [row] = await db.query<{ subjectId: string }>(
    'select subject_id from event where platform_id = $1 and livemode = $2 and event_id = $3',
    [platformId, livemode, eventId],
  );
  return row?.subjectId ?? null;
}

/**
 * Locks a subject's row as an append does, until the transaction ends: nobody else changes its
 * disputes meanwhile. Does nothing if a test reset has deleted the row.
 */
export async function lockSubject(tx: Tx, subjectId: string): Promise<void> {
  await tx.execute('select 1 from subject where subject_id = $1 for no key update', [subjectId]);
}

/** An event to be disputed, and its dispute if it has one. */
export interface DisputableEvent extends DisputedEvent {
  readonly eventId: string;
  readonly platformTier: PlatformTier;
  readonly disputeId: string | null;
}

/** Throws SUBJECT_ERASED. */
export async function readDisputableEvent(
  tx: Tx,
  subjectId: string,
  eventId: string,
): Promise<DisputableEvent | null> {
  const [row] = await tx.query<DisputableEvent>(
    `select e.event_id, s.external_id, e.event_type, e.stake_level,
       e.is_verified, e.platform_tier, d.dispute_id
     from event e join subject s using (subject_id)
     left join dispute d on d.subject_id = e.subject_id and d.event_id = e.event_id
     where e.subject_id = $1 and e.event_id = $2`,
    [subjectId, eventId],
  );
  if (row?.externalId === null) failErased();
  return row ?? null;
}

type OpenedFields = 'subjectId' | 'platformId' | 'livemode' | 'eventId' | 'openedAt' | 'respondBy';

/** For `POST /disputes`. The append writes disputes that open with their event. */
export async function insertDispute(
  tx: Tx,
  dispute: Pick<StoredDispute, OpenedFields | 'id'>,
  filedEventId: string,
): Promise<void> {
  await insertRow(tx, 'dispute', {
    ...pick(dispute, 'subjectId', 'platformId', 'livemode', 'eventId', 'openedAt', 'respondBy'),
    disputeId: dispute.id,
    filedEventId,
  });
  await queueForLog(tx, [dispute.subjectId], dispute.openedAt);
}

/** An open dispute, with the facts that decide its end. */
export interface OpenDispute extends StoredDispute, DisputedEvent {
  /** Of the disputed event. */
  readonly platformTier: PlatformTier;
  /**
   * The event that counts while it is open: its filing, or the disputed event if that opened it.
   */
  readonly contested: ContestedEvent;
}

/**
 * The open ones of these disputes, in the order of subject and id. The subjects are the first
 * column of the key.
 */
export async function findOpenDisputes(
  tx: Tx,
  subjectIds: readonly string[],
  ids: readonly string[],
): Promise<OpenDispute[]> {
  const rows = await tx.query<OpenDispute & ContestedRow>(
    `select ${DISPUTE}, e.event_type, e.stake_level, e.is_verified,
       e.platform_tier, c.event_id as contested_id, c.event_type as contested_type,
       c.created_at as contested_at, c.completed_at as contested_completed_at, c.due_date as contested_due_date
     from dispute d join subject s using (subject_id)
     join event e on e.subject_id = d.subject_id and e.event_id = d.event_id
     join event c on c.subject_id = d.subject_id and c.event_id = coalesce(d.filed_event_id, d.event_id)
     where d.subject_id = any($1::uuid[]) and d.dispute_id = any($2::uuid[]) and d.status = 'OPEN'
       and s.external_id is not null
     order by d.subject_id, d.dispute_id`,
    [subjectIds, ids],
  );
  return rows.map(
    ({ contestedId, contestedType, contestedAt, contestedCompletedAt, contestedDueDate, ...dispute }) => ({
      ...dispute,
      contested: {
        // A filing copies the stake, verification and tier of the disputed event.
        stakeLevel: dispute.stakeLevel,
        isVerified: dispute.isVerified,
        platformTier: dispute.platformTier,
        eventId: contestedId,
        eventType: contestedType,
        createdAt: contestedAt,
        completedAt: contestedCompletedAt,
        dueDate: contestedDueDate,
      },
    }),
  );
}

export async function findOpenIds(tx: Tx, subjectId: string): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `select dispute_id as id from dispute where subject_id = $1 and status = 'OPEN'`,
    [subjectId],
  );
  return rows.map(({ id }) => id);
}

interface ContestedRow {
  contestedId: string;
  contestedType: EventType;
  contestedAt: Date;
  contestedCompletedAt: Date | null;
  contestedDueDate: Date | null;
}

/** Open disputes whose window has ended, the oldest end first. */
export function findDueDisputes(
  tx: Tx,
  now: Date,
  limit: number,
): Promise<{ id: string; subjectId: string }[]> {
  return tx.query(
    `select dispute_id as id, subject_id from dispute join subject using (subject_id)
     where status = 'OPEN' and respond_by <= $1 and external_id is not null order by respond_by limit $2`,
    [now, limit],
  );
}

const resolutions = rowsOf<StoredDispute>(
  {
    uuid: ['subjectId', 'outcomeEventId'],
    text: ['status'],
    boolean: ['lapsed'],
    timestamptz: ['resolvedAt'],
  },
  { disputeId: ['uuid', ({ id }) => id] },
);

export async function saveResolutions(tx: Tx, disputes: readonly StoredDispute[], now: Date): Promise<void> {
  if (disputes.length === 0) return;
  await sql`update dispute d set status = ended.status, lapsed = ended.lapsed, resolved_at = ended.resolved_at,
      outcome_event_id = ended.outcome_event_id
    from ${resolutions.as('ended', disputes)}
    where d.subject_id = ended.subject_id and d.dispute_id = ended.dispute_id`.execute(tx);
  const subjectIds = disputes.map(({ subjectId }) => subjectId);
  await queueForLog(tx, subjectIds, now);
}

const disputes: CaseTable = { columns: SHOWN, rows: SHOWN_ROWS, alias: 'd', id: 'dispute_id' };

/** A page of a platform's disputes, newest first, or those that end soonest first. */
export async function listDisputes(
  db: Queryable,
  owner: ModeOwner,
  query: z.output<typeof DisputeQuery>,
  now: Date,
): Promise<{ disputes: Dispute[]; nextCursor: string | null }> {
  const { rows, nextCursor } = await listCases<ShownDispute>(db, disputes, owner, query);
  return { disputes: rows.map((row) => toDisputeResponse(row, now)), nextCursor };
}
