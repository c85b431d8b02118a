import { z } from 'zod';
import { externalId } from '../../../domain/externalId.js';
import { businessFields, deliveryFields } from '../../../domain/outcomeRecordFields.js';
import { scoreFields } from '../../../domain/scoreFields.js';
import { instant } from '../../../kit/http/query.js';
import { did, homepage, name } from './identityFields.js';

const userId = externalId;

const registeredAt = {
  createdAt: instant,
  updatedAt: instant,
  declarationChangedAt: instant.nullable(),
};

const score = z
  .object({
    finalScore: scoreFields.finalScore,
    scoreBand: scoreFields.scoreBand,
    confidence: scoreFields.confidence,
    confidenceLabel: z.string(),
    totalEvents: scoreFields.totalEvents,
    verifiedEvents: scoreFields.verifiedEvents,
    frozen: z.boolean(),
    formulaVersion: scoreFields.formulaVersion,
    computedAt: scoreFields.computedAt,
  })
  .nullable();

export const AgentBody = z
  .object({
    userId,
    name: name.nullish(),
    description: z.string().max(2000).nullish(),
    platformIsOperator: z.boolean().nullish(),
    operator: z.object({ name: name.nullish(), homepage: homepage.nullish(), did: did.nullish() }).nullish(),
  })
  .meta({ id: 'AgentDeclaration' });

const agentResponse = {
  userId,
  subjectType: z.literal('AGENT'),
  name: z.string().nullable(),
  description: z.string().nullable(),
  platformIsOperator: z.boolean(),
  operator: z.object({
    name: z.string().nullable(),
    homepage: z.string().nullable(),
    did: z.string().nullable(),
  }),
  ...registeredAt,
};

export type AgentRegistered = z.output<typeof AgentRegistered>;
export const AgentRegistered = z.object(agentResponse).meta({ id: 'AgentRegistered' });

export type Agent = z.output<typeof Agent>;
export const Agent = z
  .object({
    ...agentResponse,
    score,
    deliveryRecord: z.object(deliveryFields),
  })
  .meta({ id: 'Agent' });

export const BusinessBody = z
  .object({
    userId,
    business: z
      .object({
        legalName: name.nullish(),
        tradingName: name.nullish(),
        homepage: homepage.nullish(),
        did: did.nullish(),
      })
      .nullish(),
    platformIsController: z.boolean().nullish(),
  })
  .meta({ id: 'BusinessDeclaration' });

const businessResponse = {
  userId,
  subjectType: z.literal('ORGANIZATION'),
  business: z.object({
    legalName: z.string().nullable(),
    tradingName: z.string().nullable(),
    homepage: z.string().nullable(),
    did: z.string().nullable(),
  }),
  platformIsController: z.boolean(),
  ...registeredAt,
};

export type BusinessRegistered = z.output<typeof BusinessRegistered>;
export const BusinessRegistered = z.object(businessResponse).meta({ id: 'BusinessRegistered' });

export type Business = z.output<typeof Business>;
export const Business = z.object({ ...businessResponse, score }).meta({ id: 'Business' });

export type BusinessRecord = z.output<typeof BusinessRecord>;
export const BusinessRecord = z
  .object({
    userId,
    ...businessFields,
    asOf: instant,
  })
  .meta({ id: 'BusinessRecord' });
