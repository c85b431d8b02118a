import { replayBys, scoreBands } from '@reliability/scoring';
import { z } from 'zod';
import { attesterMetrics, PolicyTerms } from '../../../domain/envelopes/scoreEnvelopes.js';
import { externalId } from '../../../domain/externalId.js';
import { cursorParam, instant, pageLimit, pathText, storableText } from '../../../kit/http/query.js';
import { PolicyCondition } from './conditionSchema.js';

const CONDITION_EXAMPLE = { metric: 'score', direction: 'below', threshold: 60 } as const;
const TERMS_EXAMPLE = { ...CONDITION_EXAMPLE, component: null, band: null } as const;

const POLICY_EXAMPLE = {
  id: '0199a3c2-9d12-7a10-9c42-4f6a8b0c2d3e',
  name: 'Ask for references',
  condition: TERMS_EXAMPLE,
  userId: null,
  isActive: true,
  createdAt: '2026-03-01T09:00:00.000Z',
  updatedAt: '2026-03-01T09:00:00.000Z',
};

export type Policy = z.output<typeof Policy>;
export const Policy = z
  .object({
    id: z.uuid(),
    name: z.string(),
    condition: PolicyTerms,
    userId: z.string().nullable().meta({ description: 'null: every subject of yours.' }),
    isActive: z.boolean(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({
    id: 'Policy',
    description:
      'Your own condition. Each time a subject begins to meet it, `policy.threshold_crossed` is sent once.',
    example: POLICY_EXAMPLE,
  });

export const PolicyPage = z.object({ policies: z.array(Policy), nextCursor: z.string().nullable() }).meta({
  id: 'PolicyPage',
  description: 'A page of policies, newest first.',
  example: { policies: [POLICY_EXAMPLE], nextCursor: null },
});

export const PolicyQuery = z.object({ limit: pageLimit(100, 25), cursor: cursorParam });

const name = storableText(1, 255);
const userId = externalId.nullable().optional();

export const PolicyBody = z
  .object({
    name,
    condition: PolicyCondition,
    userId: userId.meta({ description: 'Watch only this subject. Default: all subjects.' }),
    isActive: z.boolean().optional().meta({ description: 'Default: true.' }),
  })
  .meta({
    id: 'NewPolicy',
    description: 'The condition to watch for, for all subjects or one.',
    example: { name: POLICY_EXAMPLE.name, condition: CONDITION_EXAMPLE },
  });

export const PolicyChanges = z
  .object({
    name: name.optional(),
    condition: PolicyCondition.optional().meta({ description: 'The complete new condition.' }),
    userId: userId.meta({ description: 'null: all subjects from now on.' }),
    isActive: z.boolean().optional().meta({ description: 'An active policy counts against the cap.' }),
  })
  .meta({
    id: 'PolicyChanges',
    description: 'The fields to change; fields left out stay as they are.',
    example: { condition: { metric: 'band', direction: 'enter', band: 'High Risk' } },
  });

export const policyPath = z.object({
  id: pathText('Id of the policy.', POLICY_EXAMPLE.id),
});

const isPreviewed = ({ metric }: PolicyTerms) => !attesterMetrics.includes(metric);

const previewBy = z.enum(replayBys);

export const PreviewBody = z
  .object({
    condition: PolicyCondition.refine(isPreviewed, {
      path: ['metric'],
      message: `has no preview: ${attesterMetrics.join(' and ')} have no stored history. Create the policy instead`,
    }),
    by: previewBy.default('outcome').meta({
      description:
        '`outcome`: as if each outcome had counted from the UTC day on which it happened. `recorded`: by the scores that were ' +
        'published. After an import those show the order of the import.',
    }),
    userId: userId.meta({ description: 'Try it on this subject only.' }),
    cursor: z.string().max(2048).nullable().optional().meta({
      description: 'The `nextCursor` of the previous page. `condition`, `by` and `userId` must be the same.',
    }),
    limit: z.int().min(1).max(100).default(100).meta({ description: 'Subjects per page.' }),
  })
  .meta({
    id: 'PolicyPreviewRequest',
    description: 'The condition to try.',
    example: { condition: CONDITION_EXAMPLE },
  });

const count = (description: string) => z.int().min(0).meta({ description });

const PreviewSubject = z.object({
  userId: z.string(),
  isPast: z.boolean().meta({ description: 'Whether the subject meets the condition now.' }),
  observed: z
    .union([z.number(), z.enum(scoreBands)])
    .nullable()
    .meta({ description: 'The current value of the metric.' }),
  finalScore: z.number().min(0).max(100),
  scoreBand: z.enum(scoreBands),
  crossings: count('How often the policy would have fired for this subject within the window.'),
  lastCrossedAt: instant.nullable().meta({
    description: 'By outcome the start of the UTC day of the last crossing, else its moment.',
  }),
});

export type PolicyPreview = z.output<typeof PolicyPreview>;
export const PolicyPreview = z
  .object({
    condition: PolicyTerms,
    by: previewBy.meta({ description: 'How crossings were found.' }),
    userId: z.string().nullable(),
    window: z.object({
      from: instant.meta({ description: 'By outcome the start of a UTC day.' }),
      to: instant,
      days: z.int().min(0),
    }),
    counts: z
      .object({
        scored: count('Subjects with a score.'),
        past: count('Those of them that meet the condition now.'),
        crossed: count('Those of them that would have crossed it within the window.'),
        crossings: count('How often the policy would have fired in total.'),
      })
      .nullable()
      .meta({ description: 'Counts of all subjects; every page repeats those of the first.' }),
    aggregationSkipped: z.enum(['population_too_large']).nullable().meta({
      description:
        'Why there are no counts; null: there are. By outcome they need at most 50 000 subjects with 500 000 events.',
    }),
    subjects: z
      .array(PreviewSubject)
      .meta({ description: 'Subjects that meet the condition or would have crossed it, by `userId`.' }),
    nextCursor: z
      .string()
      .nullable()
      .meta({ description: 'With very many subjects a page can be short although there is a next one.' }),
  })
  .meta({
    id: 'PolicyPreview',
    description: 'A dry run of a condition over the last 90 days.',
    example: {
      condition: TERMS_EXAMPLE,
      by: 'outcome',
      userId: null,
      window: { from: '2025-12-02T00:00:00.000Z', to: '2026-03-01T09:00:00.000Z', days: 90 },
      counts: { scored: 5210, past: 702, crossed: 41, crossings: 47 },
      aggregationSkipped: null,
      subjects: [
        {
          userId: 'worker-4711',
          isPast: true,
          observed: 58.4,
          finalScore: 58.4,
          scoreBand: 'Fair',
          crossings: 1,
          lastCrossedAt: '2026-02-11T00:00:00.000Z',
        },
      ],
      nextCursor: null,
    },
  });
