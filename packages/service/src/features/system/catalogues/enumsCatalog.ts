import {
  eventKindOf,
  eventTypes,
  factorNames,
  model,
  platformTiers,
  stakeLevels,
} from '@reliability/scoring';
import { activityTexts, trailActions } from '#domain/activityActions.js';
import { answerChannels, browserFamilies } from '#domain/answerEvidence.js';
import { benchmarkDimensions } from '#domain/benchmarkCohorts.js';
import {
  channelTypes,
  deliveryStatuses,
  disabledReasons,
  disputeOutcomes,
  disputeStatuses,
  isIngestible,
  itemStatuses,
  jobStatuses,
  keyModes,
  qualificationStatuses,
  reminderStages,
  requestDecisions,
  requestStatuses,
  reviewOutcomes,
  reviewStatuses,
  subjectTypes,
  userRoles,
  warningCodes,
  witnessTypes,
} from '#domain/catalogues/enums.js';
import { plans } from '#domain/catalogues/plans.js';
import { envelopeTexts, envelopeTypes } from '#domain/envelopes/catalogue.js';
import {
  componentNames,
  monitorConditions,
  policyDirections,
  policyMetrics,
} from '#domain/envelopes/scoreEnvelopes.js';
import { transformNames } from '#domain/mapping/values.js';
import { riskLevels, riskSignalCodes, riskTexts } from '#domain/riskSignals/detectRisk.js';
import { scopeCatalogue, scopeText } from '#domain/scopes.js';
import { qualificationKinds } from '#domain/verifiedProfile.js';
import enumTexts from '../../../../data/enums.json' with { type: 'json' };

/**
 * The body of `GET /enums`: every closed set with its meanings. Sets and values may be added, never
 * removed. A value without a text does not compile.
 */
export const enumsCatalog = {
  eventType: eventTypes.map((value) => ({
    value,
    kind: eventKindOf(value),
    ingestible: isIngestible(value),
    effect: enumTexts.effects[value],
    description: enumTexts.eventType[value],
  })),
  stakeLevel: stakeLevels.map((value) => ({
    value,
    weight: model.stakeWeights[value],
    description: enumTexts.stakeLevel[value],
  })),
  scoreBand: model.bands.map(({ band, minimum }) => ({
    value: band,
    minimum,
    description: enumTexts.scoreBand[band],
  })),
  confidenceLabel: model.confidenceLabels.map(({ label, minimum }) => ({
    value: label,
    minimum,
    description: enumTexts.confidenceLabel[label],
  })),
  disputeStatus: disputeStatuses.map((value) => ({
    value,
    terminal: value !== 'OPEN',
    description: enumTexts.disputeStatus[value],
  })),
  confirmationRequestStatus: describeRequestStatuses('outcome event'),
  referenceRequestStatus: describeRequestStatuses('qualification'),
  subjectType: describe(subjectTypes, enumTexts.subjectType),
  platformTier: platformTiers.map((value) => ({
    value,
    trustMultiplier: model.tierMultipliers[value],
    description: enumTexts.platformTier[value],
  })),
  planTier: plans.map(({ key, name }) => ({ value: key, name, description: enumTexts.planTier[key] })),
  witnessType: witnessTypes,
  warningCode: describe(warningCodes, enumTexts.warningCode),
  importStatus: describe(jobStatuses, enumTexts.importStatus),
  screeningStatus: describe(jobStatuses, enumTexts.screeningStatus),
  deliveryStatus: describe(deliveryStatuses, enumTexts.deliveryStatus),
  disabledReason: describe(disabledReasons, enumTexts.disabledReason),
  itemStatus: describe(itemStatuses, enumTexts.itemStatus),
  disputeOutcome: describe(disputeOutcomes, enumTexts.disputeOutcome),
  reviewStatus: reviewStatuses.map((value) => ({
    value,
    terminal: value !== 'OPEN',
    description: enumTexts.reviewStatus[value],
  })),
  reviewOutcome: describe(reviewOutcomes, enumTexts.reviewOutcome),
  requestDecision: describe(requestDecisions, enumTexts.requestDecision),
  reminderStage: describe(reminderStages, enumTexts.reminderStage),
  answerChannel: describe(answerChannels, enumTexts.answerChannel),
  browserFamily: describe(browserFamilies, enumTexts.browserFamily),
  referenceKind: describe(qualificationKinds, enumTexts.referenceKind),
  qualificationStatus: describe(qualificationStatuses, enumTexts.qualificationStatus),
  monitorCondition: describe(monitorConditions, enumTexts.monitorCondition),
  policyMetric: describe(policyMetrics, enumTexts.policyMetric),
  policyDirection: describe(policyDirections, enumTexts.policyDirection),
  component: describe(componentNames, enumTexts.component),
  factor: describe(factorNames, enumTexts.factor),
  riskSignal: riskSignalCodes.map((value) => ({ value, ...riskTexts[value] })),
  riskLevel: describe(riskLevels, enumTexts.riskLevel),
  benchmarkDimension: describe(benchmarkDimensions, enumTexts.benchmarkDimension),
  notificationChannelType: describe(channelTypes, enumTexts.notificationChannelType),
  webhookEventType: envelopeTypes.map((value) => ({
    value,
    description: envelopeTexts[value].description,
  })),
  activityAction: describe(trailActions, activityTexts),
  mappingTransform: describe(transformNames, enumTexts.mappingTransform),
  keyMode: describe(keyModes, enumTexts.keyMode),
  userRole: describe(userRoles, enumTexts.userRole),
  scope: scopeCatalogue.map((value) => ({ value, description: scopeText(value) })),
};

function describe<Value extends string>(values: readonly Value[], texts: Readonly<Record<Value, string>>) {
  return values.map((value) => ({ value, description: texts[value] }));
}

/** Only a confirmed request writes something: `written`. */
function describeRequestStatuses(written: string) {
  return requestStatuses.map((value) => ({
    value,
    terminal: value !== 'PENDING',
    writes: value === 'CONFIRMED' ? written : null,
    description: enumTexts.requestStatus[value],
  }));
}
