import { z } from 'zod';
import { AnswerEvidenceField } from '../../../domain/answerEvidence.js';
import { requestDecisions, requestStatuses } from '../../../domain/catalogues/enums.js';
import { datedText, isInOrder } from '../../../domain/dateOrTimestamp.js';
import { externalId } from '../../../domain/externalId.js';
import { qualificationKinds } from '../../../domain/qualificationKinds.js';
import { looseItems } from '../../../kit/http/looseItems.js';
import { cursorParam, instant, pageLimit } from '../../../kit/http/query.js';
import { attesterFields } from '../attestations/attesterFields.js';

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

const kind = z.enum(qualificationKinds).meta({ description: 'What kind of qualification it becomes.' });
const status = z.enum(requestStatuses).meta({
  description:
    'PENDING until it is answered, taken back or its window is over. Only CONFIRMED recorded something.',
});

const claimed = (what: string) =>
  datedText.nullish().meta({ description: `${what}: a date, or a timestamp.`, example: '2022-04-01' });

const ClaimBody = z
  .object({
    kind,
    title: z.string().min(1).max(255).meta({ description: 'The job, degree, certificate or skill.' }),
    organization: z
      .string()
      .min(1)
      .max(255)
      .nullish()
      .meta({ description: 'Where: employer, school, board.' }),
    startDate: claimed('When it began'),
    endDate: claimed('When it ended'),
    description: z.string().max(2000).nullish(),
  })
  .refine(({ startDate, endDate }) => isInOrder(startDate, endDate), {
    path: ['endDate'],
    message: 'must not lie before startDate',
  });

export const ReferenceBody = z
  .object({
    userId: externalId.meta({
      description: 'Your own id of the person it is about. Nothing need be reported of them yet.',
    }),
    claim: ClaimBody.meta({
      description: 'What the counterparty is asked to vouch for, shown word for word.',
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

const Claim = z.object({
  kind,
  title: z.string(),
  organization: z.string().nullable(),
  startDate: z.string().nullable().meta({ description: 'A date or a timestamp, as claimed.' }),
  endDate: z.string().nullable().meta({ description: 'A date or a timestamp, as claimed.' }),
  description: z.string().nullable(),
});

export const ReferenceRecord = z
  .object({
    id: z.uuid(),
    status,
    userId: z.string(),
    claim: Claim,
    counterpartyRef: z.string().meta({ description: 'As you gave it.' }),
    counterpartyName: z.string().nullable(),
    returnUrl: z.string().nullable(),
    qualificationId: z.uuid().nullable().meta({ description: 'What it recorded when it was confirmed.' }),
    createdAt: instant,
    expiresAt: instant,
    respondedAt: instant.nullable().meta({ description: 'When the counterparty answered.' }),
    answer: AnswerEvidenceField,
  })
  .meta({
    id: 'Reference',
    description:
      'A party other than the subject is asked to confirm a qualification. It never moves a score.',
    example: REFERENCE_EXAMPLE,
  });

export const ReferenceCreated = z
  .object({
    reference: ReferenceRecord,
    referenceToken: z.string().meta({
      description: 'Shown this once: only its hash is kept. Hand it to the counterparty, and to nobody else.',
    }),
    referenceUrl: z.string().meta({ description: 'The hosted page for the counterparty, token included.' }),
    previewUrl: z.string().meta({ description: 'What the counterparty is asked, token included.' }),
    respondUrl: z.string().meta({ description: 'Where `{token, decision}` is posted.' }),
  })
  .meta({
    id: 'ReferenceCreated',
    description: 'The reference, and what you hand on. The service contacts nobody.',
    example: {
      reference: REFERENCE_EXAMPLE,
      referenceToken: TOKEN_EXAMPLE,
      referenceUrl: `https://scores.example/reference/${REFERENCE_EXAMPLE.id}?token=${TOKEN_EXAMPLE}`,
      previewUrl: `https://scores.example/api/v1/references/${REFERENCE_EXAMPLE.id}/preview?token=${TOKEN_EXAMPLE}`,
      respondUrl: `https://scores.example/api/v1/references/${REFERENCE_EXAMPLE.id}/respond`,
    },
  });

export const ReferencePage = z
  .object({ references: z.array(ReferenceRecord), nextCursor: z.string().nullable() })
  .meta({
    id: 'ReferencePage',
    description: 'A page of references, newest first.',
    example: { references: [REFERENCE_EXAMPLE], nextCursor: null },
  });

export const ReferenceQuery = z.object({
  status: z.enum(requestStatuses).optional().meta({ description: 'Only those that stand so now.' }),
  userId: externalId
    .optional()
    .meta({ description: 'Only those about this subject.', example: 'worker-4711' }),
  limit: pageLimit(100, 25),
  cursor: cursorParam,
});

export const referencePath = z.object({
  id: z.string().meta({ description: 'Id of the reference.', example: REFERENCE_EXAMPLE.id }),
});

const presentedToken = z
  .string()
  .meta({ description: 'The token that the counterparty was handed.', example: TOKEN_EXAMPLE });

export const TokenQuery = z.object({ token: presentedToken });

export const ReferencePreviewed = z
  .object({
    id: z.uuid(),
    status,
    platformName: z.string().meta({ description: 'Who asks.' }),
    userId: z.string().meta({ description: "About whom: the platform's own id of the person." }),
    claim: Claim,
    expiresAt: instant,
  })
  .meta({
    id: 'ReferencePreview',
    description: 'What the counterparty must know to decide, and no more.',
    example: {
      id: REFERENCE_EXAMPLE.id,
      status: 'PENDING',
      platformName: 'Riverside Staffing',
      userId: 'worker-4711',
      claim: CLAIM_EXAMPLE,
      expiresAt: REFERENCE_EXAMPLE.expiresAt,
    },
  });

/** Taken as it comes: the token is looked at before anything else (RULES A5). */
export const ReferenceAnswerBody = looseItems(
  z
    .object({
      token: presentedToken,
      decision: z
        .enum(requestDecisions)
        .meta({ description: '`decline` records nothing and is no evidence.' }),
    })
    .meta({
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
      .meta({ description: 'What was recorded; only when it was confirmed.' }),
  })
  .meta({
    id: 'ReferenceAnswered',
    description:
      'The state of the reference after the answer, and the qualification that a confirmation recorded.',
    example: { status: 'CONFIRMED', qualificationId: '0199a3c2-d1e2-7a83-8b37-9c1d2e4f5a6b' },
  });
