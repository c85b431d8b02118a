import { z } from 'zod';
import { scoreFields } from '../../../domain/scoreFields.js';
import { tenureFields } from '../../../domain/tenure.js';
import { issuedFields } from '../../../ledger/issuing/credentialSchemas.js';

const count = z.int().min(0);
const { finalScore, scoreBand, confidence, formulaVersion, computedAt } = scoreFields;

const recordFields = {
  finalScore: finalScore.nullable(),
  scoreBand: scoreBand.nullable(),
  confidence: confidence.nullable(),
  frozen: z.boolean(),
  verifiedOutcomes: count.nullable(),
  verifiedByClass: z
    .object({
      positive: count,
      breach: count,
      contested: count,
    })
    .nullable(),
  totalOutcomes: count.nullable(),
  verificationDepth: z.number().min(0).max(1).nullable(),
  verifiedPlatforms: count.nullable(),
  tenure: z
    .object({
      firstOutcomeOn: z.iso.date(),
      lastOutcomeOn: z.iso.date(),
      days: count,
    })
    .nullable(),
  registeredAt: tenureFields.registeredAt,
  formulaVersion: formulaVersion.nullable(),
  computedAt: computedAt.nullable(),
  professionalRecordVersion: z.string(),
};

/** For anonymous callers: it does not identify the subject. */
export const SharedProfessionalRecord = z.object(recordFields);

export const ProfessionalRecordAnswer = z
  .object({
    userId: z.string(),
    ...recordFields,
  })
  .meta({ id: 'ProfessionalRecord' });

export const ProfessionalRecordCredential = z
  .object({
    ...issuedFields,
    type: z.literal('ServiceProfessionalRecordCredential'),
    linkedin: z.object({
      addToProfileUrl: z.url(),
      name: z.string(),
      organizationName: z.string(),
      issueYear: z.int().min(0),
      issueMonth: z.int().min(1).max(12),
      certUrl: z.url(),
      certId: z.string(),
    }),
  })
  .meta({ id: 'ProfessionalRecordCredential' });
