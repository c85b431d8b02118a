import { replayBys, scoreBands } from '@reliability/scoring';
import { z } from 'zod';
import { attesterMetrics, PolicyTerms } from '../../../domain/envelopes/scoreEnvelopes.js';
import { externalId } from '../../../domain/externalId.js';
import { cursorParam, instant, pageLimit, pathText, storableText } from '../../../kit/http/query.js';
import { PolicyCondition } from './conditionSchema.js';

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

export const PolicyPage = z
  .object({ policies: z.array(Policy), nextCursor: z.string().nullable() })
  .meta({ id: 'PolicyPage' });

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

const previewBy = z.enum(replayBys);

export const PreviewBody = z
  .object({
    condition: PolicyCondition.refine(isPreviewed, {
      path: ['metric'],
      message: `has no preview: ${attesterMetrics.join(' and ')} have no stored history. Create the policy instead`,
    }),
    by: previewBy.default('outcome'),
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
    by: previewBy,
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
