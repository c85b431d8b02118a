import { confidenceLabels, eventTypes, factorNames, stakeLevels } from '@reliability/scoring';
import { z } from 'zod';
import {
  disputeStatuses,
  requestStatuses,
  reviewOutcomes,
  reviewStatuses,
  subjectTypes,
} from '#domain/catalogues/enums.js';
import { LogReceipt } from '#domain/logProofs.js';
import { HistoryEntry, scoreFields } from '#domain/scoreFields.js';
import { qualificationEventTypes, qualificationKinds } from '#domain/verifiedProfile.js';
import { instant } from '#kit/http/query.js';

/** Where the service has the JSON Schema of the file. */
export const HELD_SCHEMA_PATH = '/schemas/held-data.json';

const text = z.string().nullable();
const moment = instant.nullable();
const id = z.uuid();

const HeldOutcome = z.object({
  eventId: id,
  eventType: z.enum(eventTypes),
  occurredAt: instant,
  stakeLevel: z.enum(stakeLevels),
  isVerified: z.boolean(),
  confirmedBy: text,
  transactionValue: z.number().nullable(),
  dueDate: moment,
  completedAt: moment,
  recordedAt: instant,
  imported: z.boolean(),
  disputeId: id.nullable(),
});

/** What a request for confirmation and one for a reference have in common. */
const request = {
  status: z.enum(requestStatuses),
  confirmedBy: text,
  createdAt: instant,
  expiresAt: instant,
  respondedAt: moment,
};

/** The lists of a file, in its order. Each element is a row of the store. */
export const heldLists = {
  outcomes: HeldOutcome,
  history: HistoryEntry,
  disputes: z.object({
    disputeId: id,
    eventId: id,
    status: z.enum(disputeStatuses),
    lapsed: z.boolean(),
    openedAt: instant,
    respondBy: instant,
    resolvedAt: moment,
    outcomeEventId: id.nullable(),
  }),
  reviews: z.object({
    reviewId: id,
    eventId: id.nullable(),
    status: z.enum(reviewStatuses),
    text,
    outcome: z.enum(reviewOutcomes).nullable(),
    answer: text,
    reviewer: text,
    openedAt: instant,
    respondBy: instant,
    answeredAt: moment,
  }),
  confirmations: z.object({
    confirmationId: id,
    eventType: z.enum(eventTypes),
    stakeLevel: z.enum(stakeLevels),
    transactionValue: z.number().nullable(),
    dueDate: moment,
    completedAt: moment,
    eventId: id.nullable(),
    ...request,
  }),
  references: z.object({
    referenceId: id,
    kind: z.enum(qualificationKinds),
    title: z.string(),
    organization: text,
    startDate: text,
    endDate: text,
    qualificationId: id.nullable(),
    ...request,
  }),
  qualifications: z.object({
    qualificationId: id,
    eventType: z.enum(qualificationEventTypes),
    title: z.string(),
    issuer: text,
    startDate: text,
    endDate: text,
    issuedAt: moment,
    expiresAt: moment,
    url: text,
    isVerified: z.boolean(),
    confirmedBy: text,
    createdAt: instant,
  }),
  projects: z.object({
    projectId: id,
    title: z.string(),
    url: z.string(),
    description: text,
    startedAt: moment,
    completedAt: moment,
    createdAt: instant,
  }),
  declarations: z.object({ facts: z.record(z.string(), z.unknown()).nullable(), declaredAt: instant }),
  links: z.object({ action: z.enum(['linked', 'unlinked']), at: instant }),
  freezes: z.object({ action: z.enum(['set', 'cleared']), at: instant }),
  monitors: z.object({
    belowScore: z.number().nullable(),
    aboveScore: z.number().nullable(),
    onBandChange: z.boolean(),
    isActive: z.boolean(),
    createdAt: instant,
  }),
  shareTokens: z.object({ includeProfile: z.boolean(), createdAt: instant, withdrawnAt: moment }),
  recordLinks: z.object({ createdAt: instant, expiresAt: instant, withdrawnAt: moment }),
  activity: z.object({ action: z.string(), at: instant }),
};

export type ListName = keyof typeof heldLists;
export type ListRow<Name extends ListName> = z.output<(typeof heldLists)[Name]>;

export type LinkedShare = z.output<typeof LinkedShare>;
const LinkedShare = z.object({
  platforms: z.int().min(1),
  outcomes: z.int().min(0),
  since: z.iso.date().nullable(),
  points: z.number().nullable(),
});

const { finalScore, scoreBand, confidence, behavioralQuality, totalEvents, verifiedEvents } = scoreFields;
const { frozen, formulaVersion, computedAt } = scoreFields;

const headShape = {
  schema: z.url(),
  generatedAt: instant,
  service: z.url(),
  platform: z.object({ id, name: z.string(), contact: text, privacyUrl: text }),
  livemode: z.boolean(),
  userId: z.string(),
  displayName: text,
  subjectType: z.enum(subjectTypes),
  registeredAt: instant,
  score: z
    .object({
      ...{ finalScore, scoreBand, confidence, behavioralQuality, totalEvents, verifiedEvents },
      ...{ frozen, formulaVersion, computedAt },
      confidenceLabel: z.enum(confidenceLabels),
      factors: z.array(z.object({ name: z.enum(factorNames), contribution: z.number() })),
      adverse: z.array(z.string()),
      supporting: z.array(z.string()),
    })
    .nullable(),
  linked: LinkedShare.nullable(),
  leftOut: z.array(z.string()),
  log: z
    .object({ origins: z.array(z.string()), keys: z.array(z.string()), witnesses: z.array(z.string()) })
    .nullable(),
};

export type HeldHead = z.output<z.ZodObject<typeof headShape>>;

const lists = Object.fromEntries(Object.entries(heldLists).map(([name, row]) => [name, z.array(row)])) as {
  [Name in ListName]: z.ZodArray<(typeof heldLists)[Name]>;
};

/**
 * Everything held about a subject (RULES Z11). In the file the head comes first, so that a reader knows
 * the logs before their proofs.
 */
export const HeldData = z
  .object({
    ...headShape,
    ...lists,
    // As the answer of `GET /users/{id}/score/proof`, which another room describes.
    scoreProof: z.record(z.string(), z.unknown()).nullable(),
    receipts: z.array(LogReceipt),
  })
  .meta({ id: 'HeldData' });
