import { z } from 'zod';
import { externalId } from '../../../domain/externalId.js';
import {
  BUSINESS_RECORD_EXAMPLE,
  businessFields,
  DELIVERY_EXAMPLE,
  deliveryFields,
} from '../../../domain/outcomeRecordFields.js';
import { scoreFields } from '../../../domain/scoreFields.js';
import { did, homepage, name } from './identityFields.js';

const userId = externalId.meta({ description: "The platform's own id of the subject." });
const CREATED_AT = '2026-03-01T09:30:00.000Z';
const REGISTERED = { createdAt: CREATED_AT, updatedAt: CREATED_AT, declarationChangedAt: null };

const registeredAt = {
  createdAt: z.iso.datetime().meta({ description: 'When it was first registered.' }),
  updatedAt: z.iso.datetime().meta({ description: 'When the declaration in force was made.' }),
  declarationChangedAt: z.iso.datetime().nullable().meta({
    description:
      'The same, where it took the place of another one. Null: what was declared first is in force.',
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
    frozen: z.boolean().meta({ description: 'The score is under review and stands still.' }),
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
    name: name.nullish().meta({ description: 'How the agent is called.' }),
    description: z.string().max(2000).nullish(),
    platformIsOperator: z
      .boolean()
      .nullish()
      .meta({
        description:
          'Your platform runs the agent itself. Then no outcome of it is verified by your word, nor by ingest or imports: only by a ' +
          'counterparty who answers a confirmation. Default when it is first declared: true.',
      }),
    operator: z
      .object({ name: name.nullish(), homepage: homepage.nullish(), did: did.nullish() })
      .nullish()
      .meta({ description: 'Who runs the agent. `name` is required where that is not your platform.' }),
  })
  .meta({ id: 'AgentDeclaration', description: 'What an agent is said to be.', example: AGENT_EXAMPLE });

const agentFields = {
  userId,
  subjectType: z.literal('AGENT'),
  name: z.string().nullable(),
  description: z.string().nullable(),
  platformIsOperator: z.boolean(),
  operator: z
    .object({ name: z.string().nullable(), homepage: z.string().nullable(), did: z.string().nullable() })
    .meta({ description: 'As declared: nobody has checked it.' }),
  ...registeredAt,
};

const AGENT_SHOWN = { ...AGENT_EXAMPLE, subjectType: 'AGENT', ...REGISTERED };

export const AgentRegistered = z
  .object(agentFields)
  .meta({ id: 'AgentRegistered', description: 'An agent as it was declared.', example: AGENT_SHOWN });

export const Agent = z
  .object({
    ...agentFields,
    score,
    deliveryRecord: z.object(deliveryFields).meta({ description: 'Deliveries, by who stands behind them.' }),
  })
  .meta({
    id: 'Agent',
    description: 'An agent: what is declared of it, its score, and its deliveries.',
    example: { ...AGENT_SHOWN, score: SCORE_EXAMPLE, deliveryRecord: DELIVERY_EXAMPLE },
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
      .meta({ description: 'At least one of the four.' }),
    platformIsController: z
      .boolean()
      .nullish()
      .meta({
        description:
          'The business belongs to your platform, or the other way round. Then no outcome of it is verified by your word, nor by ' +
          'ingest or imports: only by a counterparty who answers a confirmation. Default when it is first declared: false.',
      }),
  })
  .meta({
    id: 'BusinessDeclaration',
    description: 'What a business is said to be.',
    example: BUSINESS_EXAMPLE,
  });

const businessShown = {
  userId,
  subjectType: z.literal('ORGANIZATION'),
  business: z
    .object({
      legalName: z.string().nullable(),
      tradingName: z.string().nullable(),
      homepage: z.string().nullable(),
      did: z.string().nullable(),
    })
    .meta({ description: 'As declared: nobody has checked it.' }),
  platformIsController: z.boolean(),
  ...registeredAt,
};

const BUSINESS_SHOWN = {
  ...BUSINESS_EXAMPLE,
  subjectType: 'ORGANIZATION',
  ...REGISTERED,
};

export const BusinessRegistered = z
  .object(businessShown)
  .meta({ id: 'BusinessRegistered', description: 'A business as it was declared.', example: BUSINESS_SHOWN });

export const Business = z.object({ ...businessShown, score }).meta({
  id: 'Business',
  description: 'A business: what is declared of it, and its score.',
  example: { ...BUSINESS_SHOWN, score: SCORE_EXAMPLE },
});

export const BusinessRecord = z
  .object({
    userId,
    ...businessFields,
    asOf: z.iso.datetime().meta({ description: 'When the record last changed.' }),
  })
  .meta({
    id: 'BusinessRecord',
    description:
      'What has been recorded of a business, and how much of it others confirmed. Evidence, never a decision.',
    example: { userId: 'vendor-12', ...BUSINESS_RECORD_EXAMPLE, asOf: '2026-03-01T15:45:02.118Z' },
  });
