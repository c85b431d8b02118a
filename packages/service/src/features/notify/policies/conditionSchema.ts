import { scoreBands } from '@reliability/scoring';
import { z } from 'zod';
import { componentNames, type PolicyTerms, policyMetrics } from '../../../domain/envelopes/scoreEnvelopes.js';
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
export const PolicyCondition = z
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
