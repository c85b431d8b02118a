import { z } from 'zod';
import { scoreFields } from '../../../domain/scoreFields.js';
import { tenureFields } from '../../../domain/tenure.js';
import { issuedFields } from '../issuing/credentialSchemas.js';

const count = (description: string) => z.int().min(0).meta({ description });
const { finalScore, scoreBand, confidence, formulaVersion, computedAt } = scoreFields;

const recordFields = {
  finalScore: finalScore.nullable(),
  scoreBand: scoreBand.nullable(),
  confidence: confidence.nullable(),
  frozen: z.boolean().meta({ description: 'The score is under review and does not change.' }),
  verifiedOutcomes: count('Good and bad outcomes that somebody other than the subject confirmed.').nullable(),
  verifiedByClass: z
    .object({
      positive: count('Kept.'),
      breach: count('Broken.'),
      contested: count('In dispute.'),
    })
    .nullable()
    .meta({ description: 'The verified outcomes by class of the formula.' }),
  totalOutcomes: count(
    'All outcomes, including self-attested ones. Cancelled jobs are not outcomes.',
  ).nullable(),
  verificationDepth: z.number().min(0).max(1).nullable().meta({
    description: '`verifiedOutcomes` divided by `totalOutcomes`, four decimals. Null without outcomes.',
  }),
  verifiedPlatforms: count('Platforms that reported verified outcomes.').nullable(),
  tenure: z
    .object({
      firstOutcomeOn: z.iso.date(),
      lastOutcomeOn: z.iso.date(),
      days: count('Days between the two.'),
    })
    .nullable()
    .meta({ description: 'UTC days of the first and the last verified outcome. Null if there are none.' }),
  registeredAt: tenureFields.registeredAt,
  formulaVersion: formulaVersion.nullable(),
  computedAt: computedAt.nullable(),
  professionalRecordVersion: z.string(),
};

const RECORD_EXAMPLE = {
  finalScore: 78.42,
  scoreBand: 'Good' as const,
  confidence: 0.7412,
  frozen: false,
  verifiedOutcomes: 19,
  verifiedByClass: { positive: 18, breach: 1, contested: 0 },
  totalOutcomes: 23,
  verificationDepth: 0.8261,
  verifiedPlatforms: 2,
  tenure: { firstOutcomeOn: '2024-05-14', lastOutcomeOn: '2026-03-01', days: 656 },
  registeredAt: '2025-09-14T08:30:00.000Z',
  formulaVersion: '5.3',
  computedAt: '2026-03-01T15:45:02.161Z',
  professionalRecordVersion: '1.1',
};

/** For anonymous callers: it does not identify the subject. */
export const SharedProfessionalRecord = z.object(recordFields);

export const ProfessionalRecordAnswer = z
  .object({
    userId: z.string().meta({ description: 'Your id of the subject, as in the path.' }),
    ...recordFields,
  })
  .meta({
    id: 'ProfessionalRecord',
    description:
      'The whole record of a subject, across all linked platforms. Before the first score every figure of it is null.',
    example: { userId: 'worker-4711', ...RECORD_EXAMPLE },
  });

const VERIFY_URL = 'https://reliability.example/verify/st_mJ3v0b7Qd1xYkz5RZc8sT2uWn4LhEoPf';

export const ProfessionalRecordCredential = z
  .object({
    ...issuedFields,
    type: z.literal('ServiceProfessionalRecordCredential'),
    linkedin: z
      .object({
        addToProfileUrl: z.url().meta({
          description:
            "Opens LinkedIn's form for a certification with these values. The subject opens it and saves.",
        }),
        name: z.string(),
        organizationName: z.string(),
        issueYear: z.int().min(0),
        issueMonth: z.int().min(1).max(12),
        certUrl: z.url().meta({ description: 'The page of the share token.' }),
        certId: z.string().meta({ description: 'The share token, as that page shows it.' }),
      })
      .meta({ description: 'For the LinkedIn profile of the subject. Nothing is sent to LinkedIn.' }),
  })
  .meta({
    id: 'ProfessionalRecordCredential',
    description: 'The professional record as a signed credential. It does not identify the subject.',
    example: {
      credential: 'eyJhbGciOiJFZERTQSIs...',
      type: 'ServiceProfessionalRecordCredential',
      expiresAt: '2026-03-02T15:00:00.000Z',
      shareToken: 'st_mJ3v0b7Qd1xYkz5RZc8sT2uWn4LhEoPf',
      verifyUrl: VERIFY_URL,
      linkedin: {
        addToProfileUrl:
          'https://www.linkedin.com/profile/add?startTask=CERTIFICATION_NAME&name=Verified%20professional%20record',
        name: 'Verified professional record',
        organizationName: 'Reliability score service',
        issueYear: 2026,
        issueMonth: 3,
        certUrl: VERIFY_URL,
        certId: 'st_mJ3v0b7Qd1xYkz5RZc8sT2uWn4LhEoPf',
      },
    },
  });
