import type { AnswerEvidence } from '../../../domain/answerEvidence.js';
import type { QualificationKind } from '../../../domain/qualificationKinds.js';
import type { Queryable, Tx } from '../../../kit/db/database.js';
import type { ProfileOwner } from '../../../ledger/profile/qualifications.js';
import {
  isWithin,
  type NewestPosition,
  type NewestRow,
  newestColumns,
  newestPage,
} from '../../../ledger/reads/newestPage.js';
import {
  type Asker,
  answerColumn,
  answerValues,
  askerColumns,
  SET_ANSWER,
} from '../attestations/answerEvidence.js';
import type { RequestStatus } from '../attestations/attestation.js';

/** Whose references: one platform's in one mode. */
export interface Owner {
  readonly platformId: string;
  readonly livemode: boolean;
}

/** A reference as it is stored; `status` is the stored one (statusAt). */
export interface Reference {
  readonly id: string;
  readonly status: RequestStatus;
  readonly userId: string;
  readonly kind: QualificationKind;
  readonly title: string;
  readonly organization: string | null;
  /** A date or a timestamp, as claimed. */
  readonly startDate: string | null;
  readonly endDate: string | null;
  readonly description: string | null;
  readonly counterpartyRef: string;
  readonly counterpartyName: string | null;
  readonly returnUrl: string | null;
  readonly qualificationId: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly respondedAt: Date | null;
  readonly answer: AnswerEvidence | null;
}

const SHOWN = `r.reference_id as id, r.status, r.external_id as "userId", r.kind, r.title, r.organization,
  r.start_date, r.end_date, r.description, r.counterparty_ref,
  r.counterparty_name, r.return_url, r.qualification_id,
  r.created_at, r.expires_at, r.responded_at,
  ${answerColumn('r')}`;

export async function insertReference(
  tx: Tx,
  { platformId, livemode, subjectId, askedByKey, askedFrom }: ProfileOwner & Asker,
  reference: Reference,
  tokenHash: Buffer,
): Promise<void> {
  await tx.execute(
    `insert into reference_request (platform_id, reference_id, livemode, subject_id, external_id, kind, title, organization,
       start_date, end_date, description, counterparty_ref, counterparty_name, return_url, token_hash, created_at, expires_at,
       asked_by_key, asked_from)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)`,
    [
      platformId,
      reference.id,
      livemode,
      subjectId,
      reference.userId,
      reference.kind,
      reference.title,
      reference.organization,
      reference.startDate,
      reference.endDate,
      reference.description,
      reference.counterpartyRef,
      reference.counterpartyName,
      reference.returnUrl,
      tokenHash,
      reference.createdAt,
      reference.expiresAt,
      askedByKey,
      askedFrom,
    ],
  );
}

const OWN = `select ${SHOWN} from reference_request r
  where r.platform_id = $1 and r.livemode = $2 and r.reference_id = $3`;

export async function findReference(db: Queryable, owner: Owner, id: string): Promise<Reference | null> {
  const [row] = await db.query<Reference>(OWN, [owner.platformId, owner.livemode, id]);
  return row ?? null;
}

/** The same, held until the transaction ends. */
export async function lockReference(tx: Tx, owner: Owner, id: string): Promise<Reference | null> {
  const [row] = await tx.query<Reference>(`${OWN} for update`, [owner.platformId, owner.livemode, id]);
  return row ?? null;
}

/** A reference as its counterparty's answer finds it. */
export interface AskedReference extends Reference, ProfileOwner, Asker {
  readonly platformName: string;
  readonly platformIsActive: boolean;
}

const ASKED = `select ${SHOWN}, r.subject_id, r.platform_id, r.livemode,
    ${askerColumns('r')}, p.name as "platformName", p.is_active as "platformIsActive"
  from reference_request r join platform p using (platform_id)
  where r.platform_id = $1 and r.reference_id = $2`;

/** For a counterparty whose token led to the platform. */
export async function findAsked(
  db: Queryable,
  platformId: string,
  id: string,
): Promise<AskedReference | null> {
  const [row] = await db.query<AskedReference>(ASKED, [platformId, id]);
  return row ?? null;
}

/** The same, held until the transaction ends: of answers that come together, one is first. */
export async function lockAsked(tx: Tx, platformId: string, id: string): Promise<AskedReference | null> {
  const [row] = await tx.query<AskedReference>(`${ASKED} for update of r`, [platformId, id]);
  return row ?? null;
}

/** What a held reference has become. */
export interface Decision {
  readonly status: RequestStatus;
  readonly qualificationId: string | null;
  /** When the counterparty answered; null where the platform took it back. */
  readonly respondedAt: Date | null;
  readonly answer: AnswerEvidence | null;
}

export async function decideReference(
  tx: Tx,
  platformId: string,
  id: string,
  { status, qualificationId, respondedAt, answer }: Decision,
): Promise<void> {
  await tx.execute(
    `update reference_request set status = $3, qualification_id = $4, responded_at = $5, ${SET_ANSWER}
     where platform_id = $1 and reference_id = $2`,
    [platformId, id, status, qualificationId, respondedAt, ...answerValues(answer)],
  );
}

/** Which references; null: of every status, of every subject. */
export interface ReferenceFilter {
  readonly status: RequestStatus | null;
  readonly subjectId: string | null;
}

/** Newest first, by the statuses that they have at `now`. */
export function readReferences(
  db: Queryable,
  { platformId, livemode }: Owner,
  { status, subjectId }: ReferenceFilter,
  { now, position, limit }: { now: Date; position: NewestPosition; limit: number },
): Promise<{ rows: readonly Reference[]; nextCursor: string | null }> {
  return newestPage(limit, position, ({ beforeId, horizon }) =>
    db.query<Reference & NewestRow>(
      PAGE,
      [platformId, livemode, beforeId, horizon, subjectId, status, now, limit + 1],
      { isPlannedAnew: true },
    ),
  );
}

/** A pending one whose window is over counts as expired, written down or not. */
const PAGE = `select ${SHOWN}, ${newestColumns('r', 'created_at')}
  from reference_request r cross join installation
  where r.platform_id = $1 and r.livemode = $2 and ($3::uuid is null or r.reference_id < $3)
    and ${isWithin('$4', 'r', 'created_at')}
    and ($5::uuid is null or r.subject_id = $5)
    and ($6::text is null or (
      r.status in ($6, case when $6 = 'EXPIRED' then 'PENDING' end)
      and (r.status <> 'PENDING' or (r.expires_at <= $7::timestamptz) = ($6 = 'EXPIRED'))
    ))
  order by r.reference_id desc limit $8`;

/** Writes down up to `limit` references that have expired by `now`; answers how many. */
export function expireReferenceRows(tx: Tx, now: Date, limit: number): Promise<number> {
  return tx.execute(
    `update reference_request set status = 'EXPIRED'
     where status = 'PENDING' and (platform_id, reference_id) in (
       select platform_id, reference_id from reference_request
       where status = 'PENDING' and expires_at <= $1 order by expires_at limit $2
     )`,
    [now, limit],
  );
}
