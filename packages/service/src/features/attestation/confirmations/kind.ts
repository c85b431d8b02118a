import { stringifyExact } from '#domain/exactInteger.js';
import { namesOf } from '#domain/sameParty.js';
import type { Queryable, Tx } from '#kit/db/database.js';
import { raw, sql } from '#kit/db/rows.js';
import { platformIdsOf } from '#ledger/groups/platforms.js';
import { metadataOf } from '#ledger/reads/eventRow.js';
import type { ModeOwner } from '#ledger/reads/ownedRows.js';
import { withStatusAt } from '../attestations/attestation.js';
import type { Asked, AttestationKind, AttestationTable, RecordDeps } from '../attestations/kind.js';
import { type AttestationKey, attestationKeys, columnsOf, newRows } from '../attestations/store.js';
import type { Confirmation } from './schemas.js';

const confirmationTable: AttestationTable = {
  name: 'confirmation',
  id: 'confirmation_id',
  recordedId: 'event_id',
  columns: `a.confirmation_id as id, a.status, a.external_id as user_id, a.event_type, a.stake_level,
    a.transaction_value, a.due_date, a.completed_at, a.counterparty_ref, a.counterparty_name, a.description, a.subject_name,
    a.return_url, a.campaign_id, a.event_id, a.created_at, a.expires_at, a.responded_at`,
  askedColumns: ['a.metadata::text'],
  withoutText: `description = '', subject_name = null, metadata = null, transaction_value = null`,
};

/** A counterparty confirms an outcome, and the ledger gets an event. */
export const confirmation: AttestationKind<ConfirmationTypes> = {
  name: 'confirmation',
  tokenPrefix: 'cft_',
  path: '/confirmations',
  pagePath: '/confirm',
  errors: {
    token: 'CONFIRMATION_TOKEN_INVALID',
    state: 'CONFIRMATION_NOT_PENDING',
    self: 'CONFIRMATION_SELF',
  },
  table: confirmationTable,
  drafts: newRows<ConfirmationTypes>('confirmation_id', {
    eventType: ['text', ({ attestation }) => attestation.eventType],
    stakeLevel: ['text', ({ attestation }) => attestation.stakeLevel],
    transactionValue: ['numeric', ({ attestation }) => attestation.transactionValue],
    dueDate: ['timestamptz', ({ attestation }) => attestation.dueDate],
    completedAt: ['timestamptz', ({ attestation }) => attestation.completedAt],
    description: ['text', ({ attestation }) => attestation.description],
    subjectName: ['text', ({ attestation }) => attestation.subjectName],
    campaignId: ['uuid', ({ attestation }) => attestation.campaignId],
    rowKey: ['text', ({ unread }) => unread.rowKey],
    metadata: ['jsonText', ({ unread }) => unread.metadata && stringifyExact(unread.metadata)],
  }),
  activity: {
    actions: {
      PENDING: 'CONFIRMATION_REQUEST_CREATED',
      CONFIRMED: 'CONFIRMATION_REQUEST_CONFIRMED',
      DECLINED: 'CONFIRMATION_REQUEST_DECLINED',
      CANCELLED: 'CONFIRMATION_REQUEST_CANCELLED',
    },
    detailsOf: ({ userId, eventType, counterpartyRef, campaignId }, status) => ({
      userId,
      eventType,
      counterpartyRef,
      ...(status === 'PENDING' && campaignId !== null ? { campaignId } : {}),
    }),
  },
  toResponse(stored, now) {
    const { subjectName, ...response } = withStatusAt(stored, now);
    return { ...response, ...nameIn(subjectName) };
  },
  questionOf: ({ eventType, description, subjectName, transactionValue, dueDate, completedAt }) => ({
    eventType,
    description,
    ...nameIn(subjectName),
    transactionValue,
    dueDate,
    completedAt,
  }),
  record: recordEvent,
  recordedId: 'eventId',
  movesScore: true,
};

function nameIn(subjectName: string | null): { subjectName?: string } {
  return subjectName === null ? {} : { subjectName };
}

/** The event is verified: a party other than the subject confirmed it. */
async function recordEvent(
  tx: Tx,
  { ledger }: RecordDeps,
  asked: ConfirmationTypes['asked'],
): Promise<string> {
  const { eventType, stakeLevel, transactionValue, dueDate, completedAt } = asked;
  const outcome = {
    externalId: asked.userId,
    eventType,
    stakeLevel,
    isVerified: true,
    attester: asked.counterpartyRef,
    transactionValue,
    dueDate,
    completedAt,
    metadata: metadataOf(asked.metadata),
    itemKey: null,
    imported: false,
  };
  const evidence = { by: 'counterparty', platform: namesOf([asked.platformName]) } as const;
  const [written] = await ledger.appendIn(tx, { ...asked, keyId: asked.askedByKey }, [outcome], evidence);
  if (!written) throw new Error('the ledger returned no event');
  return written.eventId;
}

/** Answers have the name only where there is one. */
type StoredConfirmation = Omit<Confirmation, 'subjectName'> & { readonly subjectName: string | null };

export interface ConfirmationTypes {
  readonly stored: StoredConfirmation;
  readonly unread: {
    readonly metadata: Readonly<Record<string, unknown>> | null;
    /** Of the row of a campaign. */
    readonly rowKey: string | null;
  };
  readonly asked: StoredConfirmation & Asked & { readonly metadata: string | null };
  readonly response: Confirmation;
  readonly question: Pick<
    Confirmation,
    'eventType' | 'description' | 'subjectName' | 'transactionValue' | 'dueDate' | 'completedAt'
  >;
  readonly recordedId: 'eventId';
}

/** What a platform is reminded of: a request has waited long, or ends soon. */
export type Stage = 'awaiting_response' | 'expiring_soon';

/** Of each stage, the column that a reminder sets, and the column that says when it is due. */
const columnsOfStage: Readonly<Record<Stage, { mark: string; moment: string }>> = {
  awaiting_response: { mark: 'awaiting_sent_at', moment: 'created_at' },
  expiring_soon: { mark: 'expiring_sent_at', moment: 'expires_at' },
};

/**
 * Up to `limit` requests whose reminder is due and not yet written. Those of an inactive platform
 * wait, as their tokens are refused.
 */
export async function findDue(
  db: Queryable,
  stage: Stage,
  { now, by }: { now: Date; by: Date },
  limit: number,
): Promise<AttestationKey[]> {
  const { mark, moment } = columnsOfStage[stage];
  return db.query<AttestationKey>(
    `select a.platform_id, a.confirmation_id as id from confirmation a
     where a.status = 'PENDING' and a.expires_at > $1 and a.${mark} is null and a.${moment} <= $2
       and a.platform_id <> all($4::uuid[])
     order by a.${moment} limit $3`,
    [now, by, limit, await platformIdsOf(db, true)],
  );
}

/** A pending request of which its platform is reminded. */
export type DueReminder = StoredConfirmation & ModeOwner & { readonly subjectId: string };

/** Marks those whose reminder is still due, and answers them. */
export function markReminded(
  tx: Tx,
  stage: Stage,
  keys: readonly AttestationKey[],
  now: Date,
): Promise<DueReminder[]> {
  const { mark } = columnsOfStage[stage];
  return sql`update confirmation a set ${raw(mark)} = ${now} from ${attestationKeys.as('due', keys)}
    where a.platform_id = due.platform_id and a.confirmation_id = due.id and a.status = 'PENDING' and a.${raw(mark)} is null
    returning ${raw(columnsOf(confirmationTable))}, a.platform_id, a.livemode, a.subject_id`.query<DueReminder>(
    tx,
  );
}
