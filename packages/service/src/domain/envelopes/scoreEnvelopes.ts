import { factorNames, scoreBands } from '@reliability/scoring';
import { z } from 'zod';
import texts from '../../../data/envelopes.json' with { type: 'json' };
import { disputeOutcomes, disputeStatuses } from '../catalogues/enums.js';

const points = z.number().min(0).max(100);
const band = z.enum(scoreBands);
export const count = z.int().min(0);
export const at = z.iso.datetime();
export const id = z.uuid();
export const subjectRef = z.object({ externalId: z.string() });
const formulaVersion = z.string().meta({ description: 'Version of the scoring formula.' });
export const finalStatus = z.enum(['COMPLETED', 'FAILED']);

/** The keys of a component, as policies and their evidence name them. */
export const componentNames = [
  'reliability',
  'timeliness',
  'trustworthiness',
  'verification',
  'consistency',
  'momentum',
] as const;
const component = z.enum(componentNames);

export const ScoreChange = z.object({
  user: subjectRef,
  score: points,
  band,
  previousScore: points.nullable().meta({ description: 'Null: this is the first score.' }),
  previousBand: band.nullable(),
  confidence: z.number().min(0).max(1),
  totalEvents: count,
  verifiedEvents: count,
  behavioralQuality: points,
  formulaVersion,
  computedAt: at,
  reason: z
    .string()
    .nullable()
    .meta({
      description:
        'Null: new events. `decay`: time alone. `velocity_cleared`: after a review. `linked`, `unlinked`: a subject of another ' +
        'platform joined the record or left it.',
    }),
});
export type ScoreChange = z.output<typeof ScoreChange>;

export const monitorConditions = ['below_score', 'above_score', 'band_change'] as const;
export type MonitorCondition = (typeof monitorConditions)[number];

export const MonitorTriggered = z.object({
  monitorId: id,
  userId: z.string(),
  previousScore: points.nullable(),
  newScore: points,
  previousBand: band.nullable(),
  newBand: band,
  condition: z.enum(monitorConditions),
  threshold: points.nullable().meta({ description: 'Null for a change of band.' }),
  formulaVersion,
});
export type MonitorTriggered = z.output<typeof MonitorTriggered>;

export const policyMetrics = [
  'score',
  'component',
  'verified_events',
  'band',
  'largest_attester_share',
  'distinct_attesters',
] as const;

/** Metrics of the parties that confirm. They are read only where a policy watches them. */
export const attesterMetrics: readonly (typeof policyMetrics)[number][] = [
  'largest_attester_share',
  'distinct_attesters',
];
export const policyDirections = ['below', 'above', 'enter', 'leave'] as const;

/** The terms of a policy; terms that its metric does not use are null. */
export const PolicyTerms = z.object({
  metric: z.enum(policyMetrics),
  direction: z.enum(policyDirections),
  threshold: z.number().nullable(),
  component: component.nullable(),
  band: band.nullable(),
});
export type PolicyTerms = z.output<typeof PolicyTerms>;

const observedValue = z.union([z.number(), band]).nullable();
const componentValues = z.object({
  reliability: points.nullable(),
  timeliness: points.nullable(),
  trustworthiness: points.nullable(),
  verification: points.nullable(),
  consistency: points.nullable(),
  momentum: points.nullable(),
});

export const PolicyCrossed = z.object({
  policyId: id,
  policyName: z.string(),
  subject: subjectRef,
  metric: z.enum(policyMetrics),
  condition: PolicyTerms,
  observed: z.object({ previous: observedValue, current: observedValue }),
  score: points,
  previousScore: points.nullable(),
  band,
  previousBand: band.nullable(),
  reason: z.object({
    scoreBefore: points.nullable(),
    scoreAfter: points,
    scoreDelta: z.number().nullable(),
    direction: z.enum(['up', 'down', 'unchanged']),
    topDriver: z.object({ factor: z.enum(factorNames), delta: z.number() }).nullable(),
  }),
  decision_input: z.object({
    subject_external_id: z.string(),
    metric: z.enum(policyMetrics),
    direction: z.enum(policyDirections),
    threshold: z.number().nullable(),
    component: component.nullable(),
    band: band.nullable(),
    observed_previous: observedValue,
    observed_current: observedValue,
    score: points,
    previous_score: points.nullable(),
    score_band: band,
    previous_band: band.nullable(),
    components: componentValues,
    verified_events: count,
    confidence: z.number().min(0).max(1),
    formula_version: z.string(),
    computed_at: at,
    crossed_at: at,
  }),
  note: z.string(),
  formulaVersion,
  computedAt: at,
});
export type PolicyCrossed = z.output<typeof PolicyCrossed>;

/** Part of each crossing, to explain its limits (RULES S4). The example has it word for word, as it is sent. */
export const POLICY_NOTE = texts['policy.threshold_crossed'].example.note;

export const DisputeResolved = z.object({
  disputeId: id,
  eventId: id,
  user: subjectRef,
  outcome: z.enum(disputeOutcomes),
  status: z.enum(disputeStatuses),
  lapsed: z.boolean().meta({ description: 'True: nobody resolved it before the window ended.' }),
  resolvedAt: at,
});
export type DisputeResolved = z.output<typeof DisputeResolved>;

export const scoreEnvelopes = {
  'score.updated': ScoreChange,
  'score.band_changed': ScoreChange,
  'dispute.resolved': DisputeResolved,
  'monitor.triggered': MonitorTriggered,
  'policy.threshold_crossed': PolicyCrossed,
};
