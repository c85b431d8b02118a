import { z } from 'zod';
import { AnswerEvidenceField } from '../../../domain/answerEvidence.js';
import { datedText, isInOrder } from '../../../domain/dateOrTimestamp.js';
import { externalId } from '../../../domain/externalId.js';
import { qualificationKinds } from '../../../domain/verifiedProfile.js';
import { looseItems } from '../../../kit/http/openapiSchemas.js';
import { instant, pathText } from '../../../kit/http/query.js';
import {
  attestationStatus,
  attesterFields,
  decisionField,
  listFilters,
  paging,
  tokenField,
} from '../attestations/fields.js';

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

export type Claim = z.output<typeof Claim>;
const Claim = z.object({
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

export const ReferencePage = z
  .object({ references: z.array(Reference), nextCursor: z.string().nullable() })
  .meta({ id: 'ReferencePage' });

export const ReferenceQuery = z.object({ ...listFilters, ...paging });

export const referencePath = z.object({
  id: pathText(),
});

const token = tokenField();

export const TokenQuery = z.object({ token });

export const ReferencePreview = z
  .object({
    id: z.uuid(),
    status: attestationStatus,
    platformName: z.string(),
    userId: z.string(),
    claim: Claim,
    expiresAt: instant,
  })
  .meta({ id: 'ReferencePreview' });

/** Parsed by the handler, which checks the token first (RULES A5). */
export const ReferenceAnswerBody = looseItems(
  z.object({ token, decision: decisionField }).meta({ id: 'ReferenceAnswer' }),
);

export const ReferenceAnswered = z
  .object({
    status: z.enum(['CONFIRMED', 'DECLINED']),
    qualificationId: z.uuid().optional(),
  })
  .meta({ id: 'ReferenceAnswered' });
