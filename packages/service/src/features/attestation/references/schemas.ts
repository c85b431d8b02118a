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
  TOKEN_TEXT,
  tokenField,
} from '../attestations/fields.js';

const CLAIM_EXAMPLE = {
  kind: 'employment',
  title: 'Kitchen fitter',
  organization: 'Mill Lane Joinery',
  startDate: '2022-04-01',
  endDate: '2025-10-31',
  description: 'Led fittings on site for the last two years.',
};

const REFERENCE_EXAMPLE = {
  id: '0199a3c2-c5d6-7f73-9e26-8a0b1c3d4e5f',
  status: 'PENDING',
  userId: 'worker-4711',
  claim: CLAIM_EXAMPLE,
  counterpartyRef: 'employer-31',
  counterpartyName: 'J. Miller',
  returnUrl: 'https://platform.example/thanks',
  qualificationId: null,
  createdAt: '2026-03-01T09:00:00.000Z',
  expiresAt: '2026-03-15T09:00:00.000Z',
  respondedAt: null,
  answer: null,
};

const TOKEN_EXAMPLE = 'rft_mJ3v0b7Qd1xYkz5RZc8sT2uWn4LhEoPfAaGgIiKkMmo';

const kind = z.enum(qualificationKinds).meta({ description: 'The kind of qualification.' });
const claimed = (what: string) =>
  datedText.nullish().meta({ description: `${what}: a date or a timestamp.`, example: '2022-04-01' });

const ClaimBody = z
  .object({
    kind,
    title: z
      .string()
      .min(1)
      .max(255, { abort: true })
      .meta({ description: 'The job, degree, certificate or skill.' }),
    organization: z
      .string()
      .min(1)
      .max(255, { abort: true })
      .nullish()
      .meta({ description: 'The employer, school or board.' }),
    startDate: claimed('The start'),
    endDate: claimed('The end'),
    description: z.string().max(2000, { abort: true }).nullish(),
  })
  .refine(({ startDate, endDate }) => isInOrder(startDate, endDate), {
    path: ['endDate'],
    message: 'must not lie before startDate',
  });

export type ReferenceBody = z.output<typeof ReferenceBody>;
export const ReferenceBody = z
  .object({
    userId: externalId.meta({
      description:
        'Your own id of the subject. It needs an outcome or a registration (else `USER_NOT_FOUND`).',
    }),
    claim: ClaimBody.meta({
      description: 'What the counterparty is asked to confirm, shown word for word.',
    }),
    ...attesterFields,
  })
  .meta({
    id: 'NewReference',
    description: 'The claim to be confirmed, and who can confirm it.',
    example: {
      userId: 'worker-4711',
      claim: CLAIM_EXAMPLE,
      counterpartyRef: 'employer-31',
      counterpartyName: 'J. Miller',
      returnUrl: 'https://platform.example/thanks',
    },
  });

export type Claim = z.output<typeof Claim>;
const Claim = z.object({
  kind,
  title: z.string(),
  organization: z.string().nullable(),
  startDate: z.string().nullable().meta({ description: 'A date or a timestamp, as claimed.' }),
  endDate: z.string().nullable().meta({ description: 'A date or a timestamp, as claimed.' }),
  description: z.string().nullable(),
});

export type Reference = z.output<typeof Reference>;
export const Reference = z
  .object({
    id: z.uuid(),
    status: attestationStatus,
    userId: z.string(),
    claim: Claim,
    counterpartyRef: z
      .string()
      .meta({ description: 'Your own name for the counterparty. Empty once old texts were dropped.' }),
    counterpartyName: z.string().nullable(),
    returnUrl: z.string().nullable(),
    qualificationId: z
      .uuid()
      .nullable()
      .meta({ description: 'The qualification that the confirmation recorded.' }),
    createdAt: instant,
    expiresAt: instant,
    respondedAt: instant.nullable().meta({ description: 'When the counterparty answered.' }),
    answer: AnswerEvidenceField,
  })
  .meta({
    id: 'Reference',
    description:
      'A request to a party other than the subject to confirm a qualification. It never moves a score.',
    example: REFERENCE_EXAMPLE,
  });

export type ReferenceCreated = z.output<typeof ReferenceCreated>;
export const ReferenceCreated = z
  .object({
    reference: Reference,
    referenceToken: z.string().meta({ description: TOKEN_TEXT }),
    referenceUrl: z
      .string()
      .meta({ description: 'The hosted page with the token: a link to send to the counterparty.' }),
    previewUrl: z.string().meta({ description: 'The preview with the token, for a page of your own.' }),
    respondUrl: z.string().meta({ description: 'Where to post `{token, decision}`.' }),
  })
  .meta({
    id: 'ReferenceCreated',
    description: 'The reference, and what to send to the counterparty. The service contacts nobody.',
    example: {
      reference: REFERENCE_EXAMPLE,
      referenceToken: TOKEN_EXAMPLE,
      referenceUrl: `https://scores.example/reference/${REFERENCE_EXAMPLE.id}?token=${TOKEN_EXAMPLE}`,
      previewUrl: `https://scores.example/api/v1/references/${REFERENCE_EXAMPLE.id}/preview?token=${TOKEN_EXAMPLE}`,
      respondUrl: `https://scores.example/api/v1/references/${REFERENCE_EXAMPLE.id}/respond`,
    },
  });

export const ReferencePage = z
  .object({ references: z.array(Reference), nextCursor: z.string().nullable() })
  .meta({
    id: 'ReferencePage',
    description: 'A page of references, newest first.',
    example: { references: [REFERENCE_EXAMPLE], nextCursor: null },
  });

export const ReferenceQuery = z.object({ ...listFilters, ...paging });

export const referencePath = z.object({
  id: pathText('Id of the reference.', REFERENCE_EXAMPLE.id),
});

const token = tokenField(TOKEN_EXAMPLE);

export const TokenQuery = z.object({ token });

export const ReferencePreview = z
  .object({
    id: z.uuid(),
    status: attestationStatus,
    platformName: z.string().meta({ description: 'The platform that asks.' }),
    userId: z.string().meta({ description: "The platform's own id of the subject." }),
    claim: Claim,
    expiresAt: instant,
  })
  .meta({
    id: 'ReferencePreview',
    description: 'What the counterparty needs to decide, and nothing more.',
    example: {
      id: REFERENCE_EXAMPLE.id,
      status: 'PENDING',
      platformName: 'Riverside Staffing',
      userId: 'worker-4711',
      claim: CLAIM_EXAMPLE,
      expiresAt: REFERENCE_EXAMPLE.expiresAt,
    },
  });

/** Parsed by the handler, which checks the token first (RULES A5). */
export const ReferenceAnswerBody = looseItems(
  z.object({ token, decision: decisionField }).meta({
    id: 'ReferenceAnswer',
    description: 'The answer of the counterparty, with its token.',
    example: { token: TOKEN_EXAMPLE, decision: 'confirm' },
  }),
);

export const ReferenceAnswered = z
  .object({
    status: z.enum(['CONFIRMED', 'DECLINED']),
    qualificationId: z
      .uuid()
      .optional()
      .meta({ description: 'The qualification that was recorded, if confirmed.' }),
  })
  .meta({
    id: 'ReferenceAnswered',
    description:
      'The state of the reference after the answer, and the qualification that a confirmation recorded.',
    example: { status: 'CONFIRMED', qualificationId: '0199a3c2-d1e2-7a83-8b37-9c1d2e4f5a6b' },
  });
