import {
  confidenceLabels,
  eventTypes,
  factorNames,
  platformTiers,
  scoreBands,
  stakeLevels,
} from '@reliability/scoring';
import { z } from 'zod';
import { trailActions } from '../../../domain/activityActions.js';
import { answerChannels, browserFamilies } from '../../../domain/answerEvidence.js';
import { benchmarkDimensions } from '../../../domain/benchmarkCohorts.js';
import {
  channelTypes,
  deliveryStatuses,
  disabledReasons,
  disputeOutcomes,
  disputeStatuses,
  itemStatuses,
  jobStatuses,
  keyModes,
  qualificationStatuses,
  reminderStages,
  requestDecisions,
  requestStatuses,
  subjectTypes,
  warningCodes,
} from '../../../domain/catalogues/enums.js';
import { planKeys } from '../../../domain/catalogues/plans.js';
import { envelopeTypes } from '../../../domain/envelopes/catalogue.js';
import {
  componentNames,
  monitorConditions,
  policyDirections,
  policyMetrics,
} from '../../../domain/envelopes/scoreEnvelopes.js';
import { transformNames } from '../../../domain/mapping/transforms.js';
import { qualificationKinds } from '../../../domain/qualificationKinds.js';
import { riskLevels, riskSignalCodes } from '../../../domain/riskSignals/detectRisk.js';
import { scopeCatalogue } from '../../../domain/scopes.js';
import { enumsCatalog } from './enumsCatalog.js';

const described = (values: readonly string[]) =>
  z.array(z.object({ value: z.enum(values), description: z.string() }));
const requestStatus = z.array(
  z.object({
    value: z.enum(requestStatuses),
    terminal: z.boolean(),
    writes: z
      .string()
      .nullable()
      .meta({ description: 'What is recorded when this status is reached; `null` if nothing is.' }),
    description: z.string(),
  }),
);

export const Enums = z
  .object({
    eventType: z.array(
      z.object({
        value: z.enum(eventTypes),
        kind: z
          .enum(['outcome', 'qualification', 'project'])
          .meta({ description: 'Only outcomes affect a score.' }),
        ingestible: z.boolean().meta({ description: 'Whether `POST /events` accepts it.' }),
        effect: z.string().meta({ description: 'Its effect on a score.' }),
        description: z.string().meta({ description: 'Its meaning.' }),
      }),
    ),
    stakeLevel: z.array(
      z.object({ value: z.enum(stakeLevels), weight: z.number(), description: z.string() }),
    ),
    scoreBand: z
      .array(z.object({ value: z.enum(scoreBands), minimum: z.number(), description: z.string() }))
      .meta({ description: 'Highest first. A score is in the first band whose minimum it reaches.' }),
    confidenceLabel: z.array(
      z.object({ value: z.enum(confidenceLabels), minimum: z.number(), description: z.string() }),
    ),
    disputeStatus: z.array(
      z.object({ value: z.enum(disputeStatuses), terminal: z.boolean(), description: z.string() }),
    ),
    confirmationRequestStatus: requestStatus,
    referenceRequestStatus: requestStatus,
    subjectType: described(subjectTypes),
    platformTier: z.array(
      z.object({ value: z.enum(platformTiers), trustMultiplier: z.number(), description: z.string() }),
    ),
    planTier: z.array(z.object({ value: z.enum(planKeys), name: z.string(), description: z.string() })),
    witnessType: z.array(z.object({ value: z.string(), label: z.string(), description: z.string() })),
    warningCode: described(warningCodes),
    importStatus: described(jobStatuses),
    screeningStatus: described(jobStatuses),
    deliveryStatus: described(deliveryStatuses).meta({
      description: 'Result of one attempt of a webhook delivery.',
    }),
    disabledReason: described(disabledReasons).meta({ description: 'Why a webhook was switched off.' }),
    itemStatus: described(itemStatuses).meta({
      description: 'Result of one item of a batch, an ingest or a campaign.',
    }),
    disputeOutcome: described(disputeOutcomes),
    requestDecision: described(requestDecisions).meta({
      description: 'The answer to a confirmation or a reference.',
    }),
    reminderStage: described(reminderStages),
    answerChannel: described(answerChannels).meta({
      description: 'How a confirmation or a reference was answered.',
    }),
    browserFamily: described(browserFamilies).meta({
      description: 'Browser from which an answer came, by its User-Agent.',
    }),
    referenceKind: described(qualificationKinds).meta({
      description: 'The `claim.kind` of a reference and the kind of a qualification.',
    }),
    qualificationStatus: described(qualificationStatuses),
    monitorCondition: described(monitorConditions),
    policyMetric: described(policyMetrics),
    policyDirection: described(policyDirections),
    component: described(componentNames),
    factor: described(factorNames),
    riskSignal: z.array(
      z.object({ value: z.enum(riskSignalCodes), title: z.string(), description: z.string() }),
    ),
    riskLevel: described(riskLevels).meta({
      description: 'Overall risk level. The severity of a signal is one of these except `none`.',
    }),
    benchmarkDimension: described(benchmarkDimensions),
    notificationChannelType: described(channelTypes),
    webhookEventType: described(envelopeTypes),
    activityAction: described(trailActions),
    mappingTransform: described(transformNames),
    keyMode: described(keyModes),
    scope: described(scopeCatalogue),
  })
  .meta({
    id: 'Enums',
    description: 'All closed sets of values with their meanings. Values may be added.',
    example: Object.fromEntries(
      Object.entries(enumsCatalog).map(([set, values]) => [set, values.slice(0, 1)]),
    ),
  });
