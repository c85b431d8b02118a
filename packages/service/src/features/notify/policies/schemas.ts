import { scoreBands } from '@reliability/scoring';
import { z } from 'zod';
import {
  attesterMetrics,
  componentNames,
  PolicyTerms,
  policyMetrics,
} from '#domain/envelopes/scoreEnvelopes.js';
import { externalId } from '#domain/externalId.js';
import { cursorParam, instant, pageLimit, pageSchema, pathText, storableText } from '#kit/http/query.js';
import { pointsThreshold } from '../threshold.js';

/**
 * Null is accepted in fields of other metrics, so that a condition can be sent back as it was read.
 */
const unused = (message: string) =>
  z
    .any()
    .refine((value) => value === null, message)
    .optional()
    .meta({ type: 'null', description: 'Leave it out or send null.' });

const crossesNumber = z.enum(['below', 'above']).meta({
  description:
    '`below`: falls from the threshold or above to below it. `above`: rises from the threshold or below to above it.',
});
const noBand = unused('belongs to the metric band only');
const noComponent = unused('belongs to the metric component only');

/** The metric of a condition decides which fields it has. */
const PolicyCondition = z
  .discriminatedUnion(
    'metric',
    [
      z.object({
        metric: z.literal('score'),
        direction: crossesNumber,
        threshold: pointsThreshold,
        component: noComponent,
        band: noBand,
      }),
      z.object({
        metric: z.literal('component'),
        direction: crossesNumber,
        component: z.enum(componentNames),
        threshold: pointsThreshold,
        band: noBand,
      }),
      z.object({
        metric: z.literal('verified_events'),
        direction: crossesNumber,
        threshold: z.int().min(0),
        component: noComponent,
        band: noBand,
      }),
      z.object({
        metric: z.literal('largest_attester_share'),
        direction: crossesNumber,
        threshold: z.number().min(0).max(1).meta({
          description:
            'A share, 0 to 1. With fewer than five verified outcomes the metric is 0, since a first attester always has the share 1.',
        }),
        component: noComponent,
        band: noBand,
      }),
      z.object({
        metric: z.literal('distinct_attesters'),
        direction: crossesNumber,
        threshold: z.int().min(0),
        component: noComponent,
        band: noBand,
      }),
      z.object({
        metric: z.literal('band'),
        direction: z.enum(['enter', 'leave']),
        band: z.enum(scoreBands),
        threshold: unused('does not belong to the metric band'),
        component: noComponent,
      }),
    ],
    { error: `must be one of ${policyMetrics.join(', ')}` },
  )
  .transform(
    ({ metric, direction, threshold, component, band }): PolicyTerms => ({
      metric,
      direction,
      threshold: threshold ?? null,
      component: component ?? null,
      band: band ?? null,
    }),
  );

export type Policy = z.output<typeof Policy>;
export const Policy = z
  .object({
    id: z.uuid(),
    name: z.string(),
    condition: PolicyTerms,
    userId: z.string().nullable(),
    isActive: z.boolean(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'Policy' });

export const PolicyPage = pageSchema('policies', Policy).meta({ id: 'PolicyPage' });

export const PolicyQuery = z.object({ limit: pageLimit(100, 25), cursor: cursorParam });

const name = storableText(1, 255);
const userId = externalId.nullable().optional();

export const PolicyBody = z
  .object({
    name,
    condition: PolicyCondition,
    userId,
    isActive: z.boolean().optional(),
  })
  .meta({ id: 'NewPolicy' });

export const PolicyChanges = z
  .object({
    name: name.optional(),
    condition: PolicyCondition.optional(),
    userId,
    isActive: z.boolean().optional(),
  })
  .meta({ id: 'PolicyChanges' });

export const policyPath = z.object({
  id: pathText(),
});

const isPreviewed = ({ metric }: PolicyTerms) => !attesterMetrics.includes(metric);

export const PreviewBody = z
  .object({
    condition: PolicyCondition.refine(isPreviewed, {
      path: ['metric'],
      message: `has no preview: ${attesterMetrics.join(' and ')} have no stored history. Create the policy instead`,
    }),
    userId,
    cursor: z.string().max(2048).nullable().optional(),
    limit: z.int().min(1).max(100).default(100),
  })
  .meta({ id: 'PolicyPreviewRequest' });

const count = z.int().min(0);

const PreviewSubject = z.object({
  userId: z.string(),
  isPast: z.boolean(),
  observed: z.union([z.number(), z.enum(scoreBands)]).nullable(),
  finalScore: z.number().min(0).max(100),
  scoreBand: z.enum(scoreBands),
  crossings: count,
  lastCrossedAt: instant.nullable(),
});

export type PolicyPreview = z.output<typeof PolicyPreview>;
export const PolicyPreview = z
  .object({
    condition: PolicyTerms,
    userId: z.string().nullable(),
    window: z.object({
      from: instant,
      to: instant,
      days: z.int().min(0),
    }),
    counts: z
      .object({
        scored: count,
        past: count,
        crossed: count,
        crossings: count,
      })
      .nullable(),
    aggregationSkipped: z.enum(['population_too_large']).nullable(),
    subjects: z.array(PreviewSubject),
    nextCursor: z.string().nullable(),
  })
  .meta({ id: 'PolicyPreview' });
