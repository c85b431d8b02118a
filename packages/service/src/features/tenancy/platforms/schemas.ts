import { platformTiers } from '@reliability/scoring';
import { z } from 'zod';
import { keyModes } from '../../../domain/catalogues/enums.js';
import { limitNames, planKeys } from '../../../domain/catalogues/plans.js';
import { scopeCatalogue } from '../../../domain/scopes.js';
import { MAX_GROUP } from '../../../kit/db/groups.js';
import { cursorParam, instant, pageLimit, storableText } from '../../../kit/http/query.js';
import { NEW_LIVE_KEY, NEW_TEST_KEY } from './keySchemas.js';

const maxKeyLifetimeDays = z.int().min(1).max(3650).nullable().meta({
  description: 'The longest life of a key minted or rotated from now on, in days; null: no limit.',
});
const confirmationsRequireWrite = z.boolean().meta({
  description:
    'True: only keys with a write action open or cancel confirmations and references. False: any valid key may.',
});

const PLATFORM_EXAMPLE = {
  id: '0199a3c2-7b1e-7c40-8d21-5f0c9b7a1e34',
  name: 'Riverside Staffing',
  trustTier: 'GROWTH',
  plan: 'growth',
  isActive: true,
  velocityExempt: false,
  rateLimitPerMinute: null,
  monthlyQuota: null,
  maxKeyLifetimeDays: null,
  confirmationsRequireWrite: false,
  createdAt: '2026-03-01T09:00:00.000Z',
  updatedAt: '2026-03-01T09:00:00.000Z',
} as const;

export type Platform = z.output<typeof PlatformRecord>;

export const PlatformRecord = z
  .object({
    id: z.uuid(),
    name: z.string(),
    trustTier: z.enum(platformTiers).meta({ description: 'The weight of reports by this platform.' }),
    plan: z.enum(planKeys).meta({ description: 'Limits and features. No plan changes a score.' }),
    isActive: z.boolean().meta({ description: 'While false, all its keys are refused.' }),
    velocityExempt: z
      .boolean()
      .meta({ description: 'True: the velocity guard does not apply to its subjects.' }),
    rateLimitPerMinute: z
      .int()
      .min(0)
      .nullable()
      .meta({ description: "null: the plan's limit; 0: no limit." }),
    monthlyQuota: z.int().min(0).nullable().meta({ description: "null: the plan's quota; 0: unlimited." }),
    maxKeyLifetimeDays,
    confirmationsRequireWrite,
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({
    id: 'PlatformRecord',
    description: 'A platform as the operator sees it.',
    example: PLATFORM_EXAMPLE,
  });

export const PlatformBody = z
  .object({
    name: storableText(1, 255),
    trustTier: z.enum(platformTiers).optional().meta({ description: 'Default: STARTER.' }),
    plan: z.enum(planKeys).optional().meta({ description: 'Default: starter.' }),
    group: z.int().min(0).max(MAX_GROUP).optional().meta({
      description: 'The ledger group that stores its data. Default: the one with the fewest platforms.',
    }),
  })
  .meta({
    id: 'NewPlatform',
    description: 'A platform to create.',
    example: { name: 'Riverside Staffing', trustTier: 'GROWTH', plan: 'growth' },
  });

const NewKey = z.object({ id: z.uuid(), key: z.string() });

export const PlatformCreated = z
  .object({ platform: PlatformRecord, keys: z.object({ live: NewKey, test: NewKey }) })
  .meta({
    id: 'PlatformCreated',
    description: 'The new platform with its first two keys. The keys are not shown again.',
    example: { platform: PLATFORM_EXAMPLE, keys: { live: NEW_LIVE_KEY, test: NEW_TEST_KEY } },
  });

export const PlatformChanges = z
  .object({
    name: storableText(1, 255).optional(),
    trustTier: z
      .enum(platformTiers)
      .optional()
      .meta({ description: 'Applies to events reported from now on.' }),
    plan: z.enum(planKeys).optional(),
    isActive: z.boolean().optional(),
    velocityExempt: z.boolean().optional(),
    rateLimitPerMinute: z.int().min(0).max(1_000_000_000).nullable().optional(),
    monthlyQuota: z.int().min(0).nullable().optional(),
    maxKeyLifetimeDays: maxKeyLifetimeDays.optional(),
    confirmationsRequireWrite: confirmationsRequireWrite.optional(),
  })
  .meta({
    id: 'PlatformChanges',
    description: 'Fields to change; fields left out keep their value.',
    example: { trustTier: 'ENTERPRISE', monthlyQuota: 0 },
  });

export const PlatformPage = z
  .object({ platforms: z.array(PlatformRecord), nextCursor: z.string().nullable() })
  .meta({
    id: 'PlatformPage',
    description: 'A page of the platforms of this installation, newest first.',
    example: { platforms: [PLATFORM_EXAMPLE], nextCursor: null },
  });

export const PlatformQuery = z.object({ limit: pageLimit(100, 25), cursor: cursorParam });

export type OwnPlatform = z.output<typeof OwnPlatform>;

export const OwnPlatform = z
  .object({
    id: z.uuid(),
    name: z.string(),
    tier: z.enum(planKeys).meta({ description: 'The plan: limits and features. Set by the operator.' }),
    trustTier: z
      .enum(platformTiers)
      .meta({ description: 'The weight of reports by this platform. Set by the operator.' }),
    rateLimitPerMinute: z
      .int()
      .min(0)
      .meta({ description: 'Requests per minute of the platform; 0: no limit.' }),
    overLimits: z
      .array(z.object({ limit: z.enum(limitNames), cap: z.int().min(0), used: z.int().min(0) }))
      .meta({
        description:
          'What there is beyond the plan in the mode of the key, after a smaller plan. It keeps working. ' +
          'Nothing is added until `used` is below `cap`.',
      }),
    maxKeyLifetimeDays,
    confirmationsRequireWrite,
    mode: z.enum(keyModes).meta({ description: 'The mode of the key in use.' }),
    scopes: z.array(z.string()).meta({ description: 'Scopes of the key in use. Empty: full access.' }),
    keyId: z.uuid().meta({ description: 'The key in use.' }),
    scopeCatalogue: z.array(z.string()).meta({ description: 'All scopes that exist.' }),
  })
  .meta({
    id: 'OwnPlatform',
    description: 'The platform of the key in use, and the scopes of the key.',
    example: {
      id: PLATFORM_EXAMPLE.id,
      name: PLATFORM_EXAMPLE.name,
      tier: PLATFORM_EXAMPLE.plan,
      trustTier: PLATFORM_EXAMPLE.trustTier,
      rateLimitPerMinute: 600,
      overLimits: [{ limit: 'monitors', cap: 10, used: 14 }],
      maxKeyLifetimeDays: null,
      confirmationsRequireWrite: false,
      mode: 'live',
      scopes: [],
      keyId: '0199a3c2-7b1f-7d02-9a11-0c4de8f7b215',
      scopeCatalogue: [...scopeCatalogue],
    },
  });

export const OwnPlatformChanges = z
  .object({
    maxKeyLifetimeDays: maxKeyLifetimeDays.optional(),
    confirmationsRequireWrite: confirmationsRequireWrite.optional(),
  })
  .meta({
    id: 'OwnPlatformChanges',
    description: 'Fields to change; fields left out keep their value.',
    example: { confirmationsRequireWrite: true, maxKeyLifetimeDays: 90 },
  });
