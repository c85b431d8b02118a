import type { StakeLevel } from '@reliability/scoring';
import type { AnswerEvidence } from '../../../domain/answerEvidence.js';
import type { ConfirmableEventType } from '../../../domain/catalogues/enums.js';
import { stringifyExact } from '../../../domain/exactInteger.js';
import type { Reporter } from '../../../domain/outcomeEvent.js';
import type { Queryable, Tx } from '../../../kit/db/database.js';
import { metadataOf } from '../../../ledger/reads/eventRow.js';
import {
  type Asker,
  answerColumn,
  answerValues,
  askerColumns,
  SET_ANSWER,
} from '../attestations/answerEvidence.js';
import type { RequestStatus } from '../attestations/attestation.js';
import type { StoredToken } from '../attestations/tokens.js';
import type { ConfirmationRequest } from './confirmationRequest.js';

/** Whose requests: one platform's in one mode. */
export interface Owner {
  readonly platformId: string;
  readonly livemode: boolean;
}

/** A request as its platform reads it; `status` is the stored one (statusAt). */
export interface Confirmation {
  readonly id: string;
  readonly status: RequestStatus;
  readonly userId: string;
  readonly eventType: ConfirmableEventType;
  readonly stakeLevel: StakeLevel;
  readonly transactionValue: number | null;
  readonly dueDate: Date | null;
  readonly completedAt: Date | null;
  readonly counterpartyRef: string;
  readonly counterpartyName: string | null;
  readonly description: string;
  readonly returnUrl: string | null;
  readonly campaignId: string | null;
  readonly eventId: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly respondedAt: Date | null;
  readonly answer: AnswerEvidence | null;
}

/** The columns of a Confirmation, of the table `c`. */
export const SHOWN = `c.confirmation_id as id, c.status, c.external_id as "userId", c.event_type,
  c.stake_level, c.transaction_value, c.due_date,
  c.completed_at, c.counterparty_ref, c.counterparty_name,
  c.description, c.return_url, c.campaign_id, c.event_id,
  c.created_at, c.expires_at, c.responded_at,
  ${answerColumn('c')}`;

/** A request about to be written. */
export interface NewConfirmation extends StoredToken, Owner, Asker {
  readonly subjectId: string;
  readonly request: ConfirmationRequest;
  /** The campaign it is a row of. */
  readonly campaign: { readonly id: string; readonly rowKey: string } | null;
  readonly createdAt: Date;
}

export async function insertConfirmations(tx: Tx, rows: readonly NewConfirmation[]): Promise<void> {
  const requests = rows.map((row) => row.request);
  await tx.execute(
    `insert into confirmation (platform_id, confirmation_id, livemode, subject_id, external_id, event_type, stake_level,
       transaction_value, due_date, completed_at, metadata, counterparty_ref, counterparty_name, description, return_url,
       campaign_id, row_key, token_hash, created_at, expires_at, asked_by_key, asked_from)
     select * from unnest($1::uuid[], $2::uuid[], $3::boolean[], $4::uuid[], $5::text[], $6::text[], $7::text[],
       $8::numeric[], $9::timestamptz[], $10::timestamptz[], $11::json[], $12::text[], $13::text[], $14::text[], $15::text[],
       $16::uuid[], $17::text[], $18::bytea[], $19::timestamptz[], $20::timestamptz[],
       $21::uuid[], $22::text[])`,
    [
      rows.map((row) => row.platformId),
      rows.map((row) => row.requestId),
      rows.map((row) => row.livemode),
      rows.map((row) => row.subjectId),
      requests.map((request) => request.externalId),
      requests.map((request) => request.eventType),
      requests.map((request) => request.stakeLevel),
      requests.map((request) => request.transactionValue),
      requests.map((request) => request.dueDate),
      requests.map((request) => request.completedAt),
      requests.map(({ metadata }) => (metadata === null ? null : stringifyExact(metadata))),
      requests.map((request) => request.counterpartyRef),
      requests.map((request) => request.counterpartyName),
      requests.map((request) => request.description),
      requests.map((request) => request.returnUrl),
      rows.map((row) => row.campaign?.id ?? null),
      rows.map((row) => row.campaign?.rowKey ?? null),
      rows.map((row) => row.hash),
      rows.map((row) => row.createdAt),
      requests.map((request) => request.expiresAt),
      rows.map((row) => row.askedByKey),
      rows.map((row) => row.askedFrom),
    ],
  );
}

export async function findConfirmation(
  db: Queryable,
  { platformId, livemode }: Owner,
  id: string,
): Promise<Confirmation | null> {
  const [row] = await db.query<Confirmation>(
    `select ${SHOWN} from confirmation c where c.platform_id = $1 and c.livemode = $2 and c.confirmation_id = $3`,
    [platformId, livemode, id],
  );
  return row ?? null;
}

/** The same, held until the transaction ends. */
export async function lockConfirmation(
  tx: Tx,
  { platformId, livemode }: Owner,
  id: string,
): Promise<Confirmation | null> {
  const [row] = await tx.query<Confirmation>(
    `select ${SHOWN} from confirmation c where c.platform_id = $1 and c.livemode = $2 and c.confirmation_id = $3
     for update`,
    [platformId, livemode, id],
  );
  return row ?? null;
}

/** A request as its counterparty's answer finds it. */
export interface AskedConfirmation extends Confirmation, Reporter, Asker {
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly subjectId: string;
  readonly platformName: string;
  readonly platformIsActive: boolean;
}

const ASKED = `select ${SHOWN}, c.metadata::text, c.subject_id, c.platform_id, c.livemode,
    ${askerColumns('c')}, p.name as "platformName", p.is_active as "platformIsActive", p.trust_tier
  from confirmation c join platform p using (platform_id)
  where c.platform_id = $1 and c.confirmation_id = $2`;

/** For a counterparty whose token led to the platform. */
export async function findAsked(
  db: Queryable,
  platformId: string,
  id: string,
): Promise<AskedConfirmation | null> {
  const [row] = await db.query<AskedRow>(ASKED, [platformId, id]);
  return row ? askedOf(row) : null;
}

/** The same, held until the transaction ends: of answers that come together, one is first. */
export async function lockAsked(tx: Tx, platformId: string, id: string): Promise<AskedConfirmation | null> {
  const [row] = await tx.query<AskedRow>(`${ASKED} for update of c`, [platformId, id]);
  return row ? askedOf(row) : null;
}

type AskedRow = Omit<AskedConfirmation, 'metadata'> & { readonly metadata: string | null };

function askedOf(row: AskedRow): AskedConfirmation {
  return { ...row, metadata: metadataOf(row.metadata) };
}

/** What a held request has become. */
export interface Decision {
  readonly status: RequestStatus;
  readonly eventId: string | null;
  /** When the counterparty answered; null where the platform took it back. */
  readonly respondedAt: Date | null;
  readonly answer: AnswerEvidence | null;
}

export async function decideConfirmation(
  tx: Tx,
  { platformId }: Pick<Owner, 'platformId'>,
  id: string,
  { status, eventId, respondedAt, answer }: Decision,
): Promise<void> {
  await tx.execute(
    `update confirmation set status = $3, event_id = $4, responded_at = $5, ${SET_ANSWER}
     where platform_id = $1 and confirmation_id = $2`,
    [platformId, id, status, eventId, respondedAt, ...answerValues(answer)],
  );
}
