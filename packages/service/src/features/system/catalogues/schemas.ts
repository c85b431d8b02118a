import { eventTypes, stakeLevels } from '@reliability/scoring';
import { z } from 'zod';
import { planFeatures, planKeys } from '#domain/catalogues/plans.js';
import { outcomeTemplates } from './outcomeTemplates.js';

export const ErrorCatalogue = z
  .object({
    errors: z.array(
      z.object({
        code: z.string(),
        status: z.int().min(0).meta({ description: 'The HTTP status of the error.' }),
        retryable: z.boolean().meta({ description: 'Whether repeating the same request can succeed.' }),
        description: z.string(),
      }),
    ),
  })
  .meta({
    id: 'ErrorCatalogue',
    description: 'All error codes. Handle an unknown code by its status and `retryable`.',
    example: {
      errors: [
        {
          code: 'RATE_LIMIT_EXCEEDED',
          status: 429,
          retryable: true,
          description: 'Too many requests within a minute.',
        },
      ],
    },
  });

export const Changelog = z
  .object({
    entries: z.array(
      z.object({
        id: z.string(),
        date: z.iso.date(),
        category: z.enum(['added', 'changed', 'deprecated', 'fixed', 'security']),
        summary: z.string(),
        endpoints: z
          .array(z.string())
          .meta({ description: 'Affected endpoints; empty if it affects the whole API.' }),
        reference: z.string().meta({ description: 'Where the current rule is documented.' }),
      }),
    ),
  })
  .meta({
    id: 'Changelog',
    description: 'Additions, changes and announcements, newest first.',
    example: {
      entries: [
        {
          id: '2026-11-21-api-v1',
          date: '2026-11-21',
          category: 'added',
          summary: 'First release of v1.',
          endpoints: [],
          reference: '/openapi.json',
        },
      ],
    },
  });

export const PlanCatalogue = z
  .object({
    plans: z.array(
      z.object({
        key: z.enum(planKeys),
        name: z.string(),
        rateLimitPerMinute: z.int().min(0),
        monthlyQuota: z
          .int()
          .min(0)
          .nullable()
          .meta({ description: 'Calls per UTC calendar month; `null` means no quota.' }),
        limits: z.object({
          monitors: z.int().min(0).meta({ description: 'Active monitors.' }),
          policies: z.int().min(0).meta({ description: 'Active policies.' }),
          notificationChannels: z.int().min(0).meta({ description: 'Notification channels.' }),
          streams: z.int().min(0),
          webhookEndpoints: z.int().min(0),
        }),
        features: z
          .array(z.enum(planFeatures))
          .meta({ description: 'Features of the plan besides the basic ones.' }),
      }),
    ),
    anonymousRateLimitPerMinute: z
      .int()
      .min(0)
      .meta({ description: 'Limit per client address for requests without a valid key.' }),
    note: z.string(),
  })
  .meta({
    id: 'PlanCatalogue',
    description: 'The plans with their limits, smallest first.',
    example: {
      plans: [
        {
          key: 'growth',
          name: 'Growth',
          rateLimitPerMinute: 600,
          monthlyQuota: 1_000_000,
          limits: {
            monitors: 100,
            policies: 50,
            notificationChannels: 10,
            streams: 10,
            webhookEndpoints: 50,
          },
          features: ['campaigns'],
        },
      ],
      anonymousRateLimitPerMinute: 120,
      note: 'No plan and no payment moves a score.',
    },
  });

export const ReasonCodes = z
  .object({
    reasonCodesVersion: z.string(),
    formulaVersion: z.string(),
    keyFactorLimit: z.int().min(0).meta({
      description: 'Minimum number of adverse reasons to show. Show more if more of them apply.',
    }),
    disclosures: z.array(z.string()),
    codes: z.array(
      z.object({
        code: z.string(),
        factor: z.string(),
        direction: z.enum(['adverse', 'supporting']),
        title: z.string(),
        description: z.string(),
      }),
    ),
  })
  .meta({
    id: 'ReasonCodes',
    description: 'All reasons that a score can have.',
    example: {
      reasonCodesVersion: '1.0',
      formulaVersion: '5.3',
      keyFactorLimit: 4,
      disclosures: ['Reason codes explain a score. They are not a decision.'],
      codes: [
        {
          code: 'STRONG_ONTIME_RATE',
          factor: 'timeliness',
          direction: 'supporting',
          title: 'Usually on time',
          description: 'Most outcomes with a due date were completed by then.',
        },
      ],
    },
  });

export const IndustryQuery = z.object({
  industry: z
    .string()
    .max(255)
    .optional()
    .meta({
      enum: outcomeTemplates()?.industries.map(({ industry }) => industry),
      description: 'Returns the templates of one industry only. `industries` still lists all of them.',
      example: 'logistics_delivery',
    }),
});

export const OutcomeTemplates = z
  .object({
    version: z.string(),
    note: z.string(),
    industries: z.array(z.object({ industry: z.string(), label: z.string() })),
    witnessTypes: z.array(z.object({ value: z.string(), label: z.string(), description: z.string() })),
    fieldGuide: z.array(z.object({ field: z.string(), guidance: z.string() })).meta({
      description: 'How to fill each field of an event.',
    }),
    notTheWorkersOutcome: z
      .array(z.object({ key: z.string(), cause: z.string(), instead: z.string() }))
      .meta({ description: 'Causes that must not be recorded against a worker.' }),
    templates: z.array(
      z.object({
        industry: z.string(),
        label: z.string(),
        description: z.string(),
        templates: z.array(
          z.object({
            key: z.string(),
            label: z.string(),
            description: z.string(),
            eventType: z.enum(eventTypes),
            positive: z.boolean(),
            suggestedStake: z.enum(stakeLevels),
            witness: z.string(),
            witnessType: z.string(),
            confirmationHint: z.string(),
            timingBasis: z.string(),
          }),
        ),
      }),
    ),
    disclosures: z.array(z.string()),
  })
  .meta({
    id: 'OutcomeTemplates',
    description:
      'Suggestions for reporting work outcomes as events. Guidance only: templates are not scored.',
    example: {
      version: '1.2',
      note: 'Reading the templates writes nothing and verifies nothing.',
      industries: [{ industry: 'trades_home_services', label: 'Trades and home services' }],
      witnessTypes: [
        {
          value: 'customer_or_client',
          label: 'Customer or client',
          description: 'The party for whom the work was done.',
        },
      ],
      fieldGuide: [{ field: 'dueDate', guidance: 'When the outcome was due, as agreed before the work.' }],
      notTheWorkersOutcome: [
        {
          key: 'customer_absent',
          cause: 'The customer did not attend.',
          instead: 'Record nothing, or a cancelled type.',
        },
      ],
      templates: [
        {
          industry: 'trades_home_services',
          label: 'Trades and home services',
          description: 'Handypersons, painters, carpenters, tilers and appliance repairers.',
          templates: [
            {
              key: 'home_job_finished_as_quoted',
              label: 'Job finished as quoted',
              description: 'The work in the accepted quote was done and the customer accepted it.',
              eventType: 'TRANSACTION_COMPLETED',
              positive: true,
              suggestedStake: 'MEDIUM',
              witness: 'The householder who accepted the quote',
              witnessType: 'customer_or_client',
              confirmationHint: 'Ask whether everything listed in the quote has been done.',
              timingBasis: 'dueDate is the finishing date in the quote; completedAt the day of the handover.',
            },
          ],
        },
      ],
      disclosures: ['The templates are guidance.'],
    },
  });
