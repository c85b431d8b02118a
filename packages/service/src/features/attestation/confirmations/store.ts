import { stringifyExact } from '../../../domain/exactInteger.js';
import type { Queryable, Tx } from '../../../kit/db/database.js';
import { inactivePlatformIds } from '../../../ledger/groups/platforms.js';
import type { Asked, AttestationTable, ModeOwner } from '../attestations/kind.js';
import { type AttestationKey, columnsOf } from '../attestations/store.js';
import type { Confirmation } from './schemas.js';

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

export const confirmationTable: AttestationTable<ConfirmationTypes> = {
  name: 'confirmation',
  id: 'confirmation_id',
  recordedId: 'event_id',
  columns: `a.confirmation_id as id, a.status, a.external_id as user_id, a.event_type, a.stake_level,
    a.transaction_value, a.due_date, a.completed_at, a.counterparty_ref, a.counterparty_name, a.description, a.subject_name,
    a.return_url, a.campaign_id, a.event_id, a.created_at, a.expires_at, a.responded_at`,
  askedColumns: ['a.metadata::text'],
  newColumns: [
    ['event_type', 'text', ({ attestation }) => attestation.eventType],
    ['stake_level', 'text', ({ attestation }) => attestation.stakeLevel],
    ['transaction_value', 'numeric', ({ attestation }) => attestation.transactionValue],
    ['due_date', 'timestamptz', ({ attestation }) => attestation.dueDate],
    ['completed_at', 'timestamptz', ({ attestation }) => attestation.completedAt],
    ['description', 'text', ({ attestation }) => attestation.description],
    ['subject_name', 'text', ({ attestation }) => attestation.subjectName],
    ['campaign_id', 'uuid', ({ attestation }) => attestation.campaignId],
    ['row_key', 'text', ({ unread }) => unread.rowKey],
    ['metadata', 'json', ({ unread }) => unread.metadata && stringifyExact(unread.metadata)],
  ],
  withoutText: `description = '', subject_name = null, metadata = null, transaction_value = null`,
};

/** What a platform is reminded of: a request has waited long, or ends soon. */
export type Stage = 'awaiting_response' | 'expiring_soon';

/** Of each stage, the column that a reminder sets, and the column that says when it is due. */
const columnsOfStage: Readonly<Record<Stage, { mark: string; moment: string }>> = {
  awaiting_response: { mark: 'awaiting_told_at', moment: 'created_at' },
  expiring_soon: { mark: 'expiring_told_at', moment: 'expires_at' },
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
    [now, by, limit, await inactivePlatformIds(db)],
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
  return tx.query<DueReminder>(
    `update confirmation a set ${mark} = $1 from unnest($2::uuid[], $3::uuid[]) as due (platform_id, id)
     where a.platform_id = due.platform_id and a.confirmation_id = due.id and a.status = 'PENDING' and a.${mark} is null
     returning ${columnsOf(confirmationTable)}, a.platform_id, a.livemode, a.subject_id`,
    [now, keys.map(({ platformId }) => platformId), keys.map(({ id }) => id)],
  );
}
