import { scoreBands } from '@reliability/scoring';
import { z } from 'zod';
import { PolicyTerms } from '../../../domain/envelopes/scoreEnvelopes.js';
import { externalId } from '../../../domain/externalId.js';
import { cursorParam, instant, pageLimit, storableText } from '../../../kit/http/query.js';
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
    userId: z.string().nullable().meta({ description: 'null: every subject of the book.' }),
    isActive: z.boolean(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({
    id: 'Policy',
    description:
      'A condition of your own. Each subject that comes to meet it is told of once, as `policy.threshold_crossed`.',
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
    userId: userId.meta({ description: 'Watch this subject alone. Left out or null: the whole book.' }),
    isActive: z.boolean().optional().meta({ description: 'Default: true.' }),
  })
  .meta({
    id: 'NewPolicy',
    description: 'The condition to watch for, over all subjects or one of them.',
    example: { name: POLICY_EXAMPLE.name, condition: CONDITION_EXAMPLE },
  });

export const PolicyChanges = z
  .object({
    name: name.optional(),
    condition: PolicyCondition.optional().meta({ description: 'The new condition as a whole.' }),
    userId: userId.meta({ description: 'null: the whole book from now on.' }),
    isActive: z.boolean().optional().meta({ description: 'Switching on again counts against the cap.' }),
  })
  .meta({
    id: 'PolicyChanges',
    description: 'What to change; what is left out stays.',
    example: { condition: { metric: 'band', direction: 'enter', band: 'High Risk' } },
  });

export const policyPath = z.object({
  id: z.string().meta({ description: 'Id of the policy.', example: POLICY_EXAMPLE.id }),
});

export const PreviewBody = z
  .object({
    condition: PolicyCondition,
    userId: userId.meta({ description: 'Try it on this subject alone.' }),
    cursor: z
      .string()
      .max(2048)
      .nullable()
      .optional()
      .meta({ description: 'The `nextCursor` of the page before, with the same condition.' }),
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
  isPast: z.boolean().meta({ description: 'Stands past the condition now.' }),
  observed: z
    .union([z.number(), z.enum(scoreBands)])
    .nullable()
    .meta({ description: 'The figure that the condition looks at, as it is now.' }),
  finalScore: z.number().min(0).max(100),
  scoreBand: z.enum(scoreBands),
  crossings: count('How often the policy would have fired for this subject within the window.'),
  lastCrossedAt: instant.nullable(),
});

export const PolicyPreview = z
  .object({
    condition: PolicyTerms,
    userId: z.string().nullable(),
    window: z.object({
      from: instant,
      to: instant,
      days: z.int().min(0),
      since: instant.nullable().meta({
        description:
          'Where the history of components begins, if that is later than the window: nothing is known of crossings before.',
      }),
    }),
    counts: z
      .object({
        scored: count('Subjects with a score.'),
        past: count('Those among them that stand past the condition now.'),
        crossed: count('Those among them that would have crossed it within the window.'),
        crossings: count('How often the policy would have fired in all.'),
      })
      .nullable()
      .meta({ description: 'Of the whole book; every page repeats those of the first.' }),
    aggregationSkipped: z
      .enum(['population_too_large'])
      .nullable()
      .meta({ description: 'Why there are no counts.' }),
    subjects: z
      .array(PreviewSubject)
      .meta({ description: 'Who stands past the condition or would have crossed it, by `userId`.' }),
    nextCursor: z
      .string()
      .nullable()
      .meta({ description: 'A page of a very large book may be short and yet have a next one.' }),
  })
  .meta({
    id: 'PolicyPreview',
    description: 'A dry run of a condition over the history that is kept.',
    example: {
      condition: TERMS_EXAMPLE,
      userId: null,
      window: { from: '2025-12-01T09:00:00.000Z', to: '2026-03-01T09:00:00.000Z', days: 90, since: null },
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
          lastCrossedAt: '2026-02-11T14:03:22.519Z',
        },
      ],
      nextCursor: null,
    },
  });
