import { FORMULA_VERSION, factorNames, scoreBands } from '@reliability/scoring';
import { z } from 'zod';
import { disputeOutcomes, disputeStatuses } from '../catalogues/enums.js';

const points = z.number().min(0).max(100);
const band = z.enum(scoreBands);
export const count = z.int().min(0);
export const at = z.iso.datetime();
export const id = z.uuid();
/** The platform's own id of the subject. */
export const subjectRef = z.object({ externalId: z.string() });
const formulaVersion = z.string().meta({ description: 'Version of the scoring formula.' });
export const finalStatus = z.enum(['COMPLETED', 'FAILED']);

export const SAMPLE = {
  externalId: 'worker-4711',
  at: '2026-03-01T15:45:02.161Z',
  later: '2026-03-15T15:45:02.161Z',
  formulaVersion: FORMULA_VERSION,
  id: (last: number) => `0199a3c2-9d10-7b44-8c2e-${String(last).padStart(12, '0')}`,
};

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
  /** The same evidence, flat, for a rules engine to take as its input. */
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

/** Part of each crossing, to explain its limits (RULES S4). */
export const POLICY_NOTE =
  'Evidence that a condition of your own was met, not a decision. What follows from it, and any notice that it calls for, is up to you.';

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

const SCORE_CHANGE_EXAMPLE: ScoreChange = {
  user: { externalId: SAMPLE.externalId },
  score: 66.1,
  band: 'Good',
  previousScore: 63.87,
  previousBand: 'Fair',
  confidence: 0.7412,
  totalEvents: 23,
  verifiedEvents: 19,
  behavioralQuality: 90.67,
  formulaVersion: SAMPLE.formulaVersion,
  computedAt: SAMPLE.at,
  reason: null,
};

export const scoreEnvelopes = {
  'score.updated': {
    description: 'A score has moved, or there is a first one.',
    schema: ScoreChange,
    example: SCORE_CHANGE_EXAMPLE,
  },
  'score.band_changed': {
    description: 'A score has moved into another band.',
    schema: ScoreChange,
    example: SCORE_CHANGE_EXAMPLE,
  },
  'dispute.resolved': {
    description: 'A dispute about one of your events is over, by resolution or by lapse.',
    schema: DisputeResolved,
    example: {
      disputeId: SAMPLE.id(3),
      eventId: SAMPLE.id(4),
      user: { externalId: SAMPLE.externalId },
      outcome: 'FOR_USER',
      status: 'RESOLVED_FOR_USER',
      lapsed: false,
      resolvedAt: SAMPLE.at,
    },
  },
  'monitor.triggered': {
    description:
      'A score has crossed a threshold of one of your monitors, or changed its band. Once per crossing.',
    schema: MonitorTriggered,
    example: {
      monitorId: SAMPLE.id(1),
      userId: SAMPLE.externalId,
      previousScore: 66.1,
      newScore: 58.4,
      previousBand: 'Good',
      newBand: 'Fair',
      condition: 'below_score',
      threshold: 60,
      formulaVersion: SAMPLE.formulaVersion,
    },
  },
  'policy.threshold_crossed': {
    description: 'A subject has come to meet the condition of one of your policies. Once per crossing.',
    schema: PolicyCrossed,
    example: {
      policyId: SAMPLE.id(2),
      policyName: 'Ask for references',
      subject: { externalId: SAMPLE.externalId },
      metric: 'score',
      condition: { metric: 'score', direction: 'below', threshold: 60, component: null, band: null },
      observed: { previous: 66.1, current: 58.4 },
      score: 58.4,
      previousScore: 66.1,
      band: 'Fair',
      previousBand: 'Good',
      reason: {
        scoreBefore: 66.1,
        scoreAfter: 58.4,
        scoreDelta: -7.7,
        direction: 'down',
        topDriver: { factor: 'completion', delta: -6.2 },
      },
      decision_input: {
        subject_external_id: SAMPLE.externalId,
        metric: 'score',
        direction: 'below',
        threshold: 60,
        component: null,
        band: null,
        observed_previous: 66.1,
        observed_current: 58.4,
        score: 58.4,
        previous_score: 66.1,
        score_band: 'Fair',
        previous_band: 'Good',
        components: {
          reliability: 82.5,
          timeliness: 91.2,
          trustworthiness: 100,
          verification: 71.4,
          consistency: 88,
          momentum: 44.1,
        },
        verified_events: 20,
        confidence: 0.7511,
        formula_version: SAMPLE.formulaVersion,
        computed_at: SAMPLE.at,
        crossed_at: SAMPLE.at,
      },
      note: POLICY_NOTE,
      formulaVersion: SAMPLE.formulaVersion,
      computedAt: SAMPLE.at,
    },
  },
} as const;
