import { z } from 'zod';
import { externalId } from '../../../domain/externalId.js';
import {
  BUSINESS_RECORD_EXAMPLE,
  businessFields,
  DELIVERY_EXAMPLE,
  deliveryFields,
} from '../../../domain/outcomeRecordFields.js';
import { scoreFields } from '../../../domain/scoreFields.js';
import { instant } from '../../../kit/http/query.js';
import { did, homepage, name } from './identityFields.js';

const userId = externalId.meta({ description: "The platform's own id of the subject." });
const CREATED_AT = '2026-03-01T09:30:00.000Z';
const REGISTERED = { createdAt: CREATED_AT, updatedAt: CREATED_AT, declarationChangedAt: null };

const registeredAt = {
  createdAt: instant.meta({ description: 'When it was first registered.' }),
  updatedAt: instant.meta({ description: 'When the declaration in force was made.' }),
  declarationChangedAt: instant.nullable().meta({
    description:
      'When the declaration in force replaced another one. Null: the first declaration is in force.',
  }),
};

const score = z
  .object({
    finalScore: scoreFields.finalScore,
    scoreBand: scoreFields.scoreBand,
    confidence: scoreFields.confidence,
    confidenceLabel: z.string(),
    totalEvents: scoreFields.totalEvents,
    verifiedEvents: scoreFields.verifiedEvents,
    frozen: z.boolean().meta({ description: 'The score is under review and does not change.' }),
    formulaVersion: scoreFields.formulaVersion,
    computedAt: scoreFields.computedAt,
  })
  .nullable()
  .meta({ description: 'Null before the first event. The formula is the same for every type of subject.' });

const SCORE_EXAMPLE = {
  finalScore: 71.06,
  scoreBand: 'Good',
  confidence: 0.8571,
  confidenceLabel: 'high',
  totalEvents: 43,
  verifiedEvents: 30,
  frozen: false,
  formulaVersion: '5.3',
  computedAt: '2026-03-01T15:45:02.161Z',
};

const AGENT_EXAMPLE = {
  userId: 'courier-bot-7',
  name: 'Courier bot 7',
  description: 'Delivers parcels within the old town.',
  platformIsOperator: false,
  operator: { name: 'Harbour Robotics Ltd', homepage: 'https://robotics.example.com', did: null },
};

export const AgentBody = z
  .object({
    userId,
    name: name.nullish().meta({ description: 'The name of the agent.' }),
    description: z.string().max(2000).nullish(),
    platformIsOperator: z
      .boolean()
      .nullish()
      .meta({
        description:
          'Your platform runs the agent itself. Its outcomes are then verified only by a counterparty who answers a confirmation, not ' +
          'by your word, ingest or imports. Default at the first declaration: true.',
      }),
    operator: z
      .object({ name: name.nullish(), homepage: homepage.nullish(), did: did.nullish() })
      .nullish()
      .meta({ description: 'Who runs the agent. `name` is required if that is not your platform.' }),
  })
  .meta({ id: 'AgentDeclaration', description: 'A declaration of an agent.', example: AGENT_EXAMPLE });

const agentResponse = {
  userId,
  subjectType: z.literal('AGENT'),
  name: z.string().nullable(),
  description: z.string().nullable(),
  platformIsOperator: z.boolean(),
  operator: z
    .object({ name: z.string().nullable(), homepage: z.string().nullable(), did: z.string().nullable() })
    .meta({ description: 'As declared; not checked.' }),
  ...registeredAt,
};

const DECLARED_AGENT_EXAMPLE = { ...AGENT_EXAMPLE, subjectType: 'AGENT', ...REGISTERED };

export type AgentRegistered = z.output<typeof AgentRegistered>;
export const AgentRegistered = z.object(agentResponse).meta({
  id: 'AgentRegistered',
  description: 'An agent as it was declared.',
  example: DECLARED_AGENT_EXAMPLE,
});

export type Agent = z.output<typeof Agent>;
export const Agent = z
  .object({
    ...agentResponse,
    score,
    deliveryRecord: z.object(deliveryFields).meta({ description: 'Deliveries, by who confirmed them.' }),
  })
  .meta({
    id: 'Agent',
    description: 'An agent: its declaration, its score and its deliveries.',
    example: { ...DECLARED_AGENT_EXAMPLE, score: SCORE_EXAMPLE, deliveryRecord: DELIVERY_EXAMPLE },
  });

const BUSINESS_EXAMPLE = {
  userId: 'vendor-12',
  business: {
    legalName: 'Mill Lane Kitchens Ltd',
    tradingName: 'Mill Lane',
    homepage: 'https://mill-lane.example.com',
    did: null,
  },
  platformIsController: false,
};

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
      .nullish()
      .meta({ description: 'At least one of the four fields.' }),
    platformIsController: z
      .boolean()
      .nullish()
      .meta({
        description:
          'Your platform controls the business, or the business controls your platform. Its outcomes are then verified only by a ' +
          'counterparty who answers a confirmation, not by your word, ingest or imports. Default at the first declaration: false.',
      }),
  })
  .meta({
    id: 'BusinessDeclaration',
    description: 'A declaration of a business.',
    example: BUSINESS_EXAMPLE,
  });

const businessResponse = {
  userId,
  subjectType: z.literal('ORGANIZATION'),
  business: z
    .object({
      legalName: z.string().nullable(),
      tradingName: z.string().nullable(),
      homepage: z.string().nullable(),
      did: z.string().nullable(),
    })
    .meta({ description: 'As declared; not checked.' }),
  platformIsController: z.boolean(),
  ...registeredAt,
};

const DECLARED_BUSINESS_EXAMPLE = {
  ...BUSINESS_EXAMPLE,
  subjectType: 'ORGANIZATION',
  ...REGISTERED,
};

export type BusinessRegistered = z.output<typeof BusinessRegistered>;
export const BusinessRegistered = z.object(businessResponse).meta({
  id: 'BusinessRegistered',
  description: 'A business as it was declared.',
  example: DECLARED_BUSINESS_EXAMPLE,
});

export type Business = z.output<typeof Business>;
export const Business = z.object({ ...businessResponse, score }).meta({
  id: 'Business',
  description: 'A business: its declaration and its score.',
  example: { ...DECLARED_BUSINESS_EXAMPLE, score: SCORE_EXAMPLE },
});

export type BusinessRecord = z.output<typeof BusinessRecord>;
export const BusinessRecord = z
  .object({
    userId,
    ...businessFields,
    asOf: instant.meta({ description: 'When the record last changed.' }),
  })
  .meta({
    id: 'BusinessRecord',
    description:
      'The recorded outcomes of a business, and how many of them others confirmed. Evidence, never a decision.',
    example: { userId: 'vendor-12', ...BUSINESS_RECORD_EXAMPLE, asOf: '2026-03-01T15:45:02.118Z' },
  });
