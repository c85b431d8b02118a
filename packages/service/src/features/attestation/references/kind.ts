import { z } from 'zod';
import { AnswerEvidenceField } from '#domain/answerEvidence.js';
import { datedText, isInOrder } from '#domain/dateOrTimestamp.js';
import { externalId } from '#domain/externalId.js';
import { eventTypeOfKind, qualificationKinds } from '#domain/verifiedProfile.js';
import type { Tx } from '#kit/db/database.js';
import { instant } from '#kit/http/query.js';
import { insertQualification } from '#ledger/profile/qualifications.js';
import { attestationStatus, attesterFields, withStatusAt } from '../attestations/attestation.js';
import { loadSelfRefusal } from '../attestations/drafts.js';
import type { Asked, AttestationKind, AttestationTable, RecordDeps } from '../attestations/kind.js';
import { newRows } from '../attestations/store.js';

const kind = z.enum(qualificationKinds);
const claimed = datedText.nullish();

const ClaimBody = z
  .object({
    kind,
    title: z.string().min(1).max(255, { abort: true }),
    organization: z.string().min(1).max(255, { abort: true }).nullish(),
    startDate: claimed,
    endDate: claimed,
    description: z.string().max(2000, { abort: true }).nullish(),
  })
  .refine(({ startDate, endDate }) => isInOrder(startDate, endDate), {
    path: ['endDate'],
    message: 'must not lie before startDate',
  });

export type ReferenceBody = z.output<typeof ReferenceBody>;
export const ReferenceBody = z
  .object({
    userId: externalId,
    claim: ClaimBody,
    ...attesterFields,
  })
  .meta({ id: 'NewReference' });

export const Claim = z.object({
  kind,
  title: z.string(),
  organization: z.string().nullable(),
  startDate: z.string().nullable(),
  endDate: z.string().nullable(),
  description: z.string().nullable(),
});

export type Reference = z.output<typeof Reference>;
export const Reference = z
  .object({
    id: z.uuid(),
    status: attestationStatus,
    userId: z.string(),
    claim: Claim,
    counterpartyRef: z.string(),
    counterpartyName: z.string().nullable(),
    returnUrl: z.string().nullable(),
    qualificationId: z.uuid().nullable(),
    createdAt: instant,
    expiresAt: instant,
    respondedAt: instant.nullable(),
    answer: AnswerEvidenceField,
  })
  .meta({ id: 'Reference' });

export type ReferenceCreated = z.output<typeof ReferenceCreated>;
export const ReferenceCreated = z
  .object({
    reference: Reference,
    referenceToken: z.string(),
    referenceUrl: z.string(),
    previewUrl: z.string(),
    respondUrl: z.string(),
  })
  .meta({ id: 'ReferenceCreated' });

const referenceTable: AttestationTable = {
  name: 'reference_request',
  id: 'reference_id',
  recordedId: 'qualification_id',
  columns: `a.reference_id as id, a.status, a.external_id as user_id,
    json_build_object('kind', a.kind, 'title', a.title, 'organization', a.organization, 'startDate', a.start_date,
      'endDate', a.end_date, 'description', a.description) as claim,
    a.counterparty_ref, a.counterparty_name, a.return_url, a.qualification_id, a.created_at, a.expires_at,
    a.responded_at`,
  askedColumns: [],
  withoutText: 'description = null',
};

/** A counterparty confirms a qualification; the ledger and the score are not involved. */
export const reference: AttestationKind<ReferenceTypes> = {
  name: 'reference',
  tokenPrefix: 'rft_',
  path: '/references',
  pagePath: '/reference',
  errors: { token: 'REFERENCE_TOKEN_INVALID', state: 'REFERENCE_NOT_PENDING', self: 'REFERENCE_SELF' },
  table: referenceTable,
  drafts: newRows<ReferenceTypes>('reference_id', {
    kind: ['text', ({ attestation }) => attestation.claim.kind],
    title: ['text', ({ attestation }) => attestation.claim.title],
    organization: ['text', ({ attestation }) => attestation.claim.organization],
    startDate: ['text', ({ attestation }) => attestation.claim.startDate],
    endDate: ['text', ({ attestation }) => attestation.claim.endDate],
    description: ['text', ({ attestation }) => attestation.claim.description],
  }),
  activity: null,
  toResponse: withStatusAt,
  questionOf: ({ claim }) => ({ claim }),
  record: recordQualification,
  recordedId: 'qualificationId',
  movesScore: false,
};

/** The qualification holds the claim word for word, as the counterparty confirmed it. */
async function recordQualification(
  tx: Tx,
  { ids }: RecordDeps,
  asked: ReferenceTypes['asked'],
  now: Date,
): Promise<string> {
  const refusal = (await loadSelfRefusal(tx, reference, asked, [asked]))(asked);
  if (refusal) throw refusal;
  const { kind, title, organization, description, startDate, endDate } = asked.claim;
  const id = ids.at(now);
  await insertQualification(tx, asked, {
    id,
    eventType: eventTypeOfKind[kind],
    title,
    issuer: organization,
    description,
    startDate,
    endDate,
    issuedAt: null,
    expiresAt: null,
    url: null,
    isVerified: true,
    verifiedBy: asked.counterpartyRef,
    referenceId: asked.id,
    createdAt: now,
  });
  return id;
}

interface ReferenceTypes {
  readonly stored: Reference;
  readonly unread: object;
  readonly asked: Reference & Asked;
  readonly response: Reference;
  readonly question: Pick<Reference, 'claim'>;
  readonly recordedId: 'qualificationId';
}
