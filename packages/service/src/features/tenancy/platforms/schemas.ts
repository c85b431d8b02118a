import { platformTiers } from '@reliability/scoring';
import { z } from 'zod';
import { keyModes } from '../../../domain/catalogues/enums.js';
import { limitNames, planKeys } from '../../../domain/catalogues/plans.js';
import { MAX_GROUP } from '../../../kit/db/groups.js';
import { cursorParam, instant, pageLimit, storableText } from '../../../kit/http/query.js';

const maxKeyLifetimeDays = z.int().min(1).max(3650).nullable();
const confirmationsRequireWrite = z.boolean();

export type Platform = z.output<typeof PlatformRecord>;

export const PlatformRecord = z
  .object({
    id: z.uuid(),
    name: z.string(),
    trustTier: z.enum(platformTiers),
    plan: z.enum(planKeys),
    isActive: z.boolean(),
    velocityExempt: z.boolean(),
    rateLimitPerMinute: z.int().min(0).nullable(),
    monthlyQuota: z.int().min(0).nullable(),
    maxKeyLifetimeDays,
    confirmationsRequireWrite,
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'PlatformRecord' });

export const PlatformBody = z
  .object({
    name: storableText(1, 255),
    trustTier: z.enum(platformTiers).optional(),
    plan: z.enum(planKeys).optional(),
    group: z.int().min(0).max(MAX_GROUP).optional(),
  })
  .meta({ id: 'NewPlatform' });

const NewKey = z.object({ id: z.uuid(), key: z.string() });

export const PlatformCreated = z
  .object({ platform: PlatformRecord, keys: z.object({ live: NewKey, test: NewKey }) })
  .meta({ id: 'PlatformCreated' });

export const PlatformChanges = z
  .object({
    name: storableText(1, 255).optional(),
    trustTier: z.enum(platformTiers).optional(),
    plan: z.enum(planKeys).optional(),
    isActive: z.boolean().optional(),
    velocityExempt: z.boolean().optional(),
    rateLimitPerMinute: z.int().min(0).max(1_000_000_000).nullable().optional(),
    monthlyQuota: z.int().min(0).nullable().optional(),
    maxKeyLifetimeDays: maxKeyLifetimeDays.optional(),
    confirmationsRequireWrite: confirmationsRequireWrite.optional(),
  })
  .meta({ id: 'PlatformChanges' });

export const PlatformPage = z
  .object({ platforms: z.array(PlatformRecord), nextCursor: z.string().nullable() })
  .meta({ id: 'PlatformPage' });

export const PlatformQuery = z.object({ limit: pageLimit(100, 25), cursor: cursorParam });

export type OwnPlatform = z.output<typeof OwnPlatform>;

export const OwnPlatform = z
  .object({
    id: z.uuid(),
    name: z.string(),
    tier: z.enum(planKeys),
    trustTier: z.enum(platformTiers),
    rateLimitPerMinute: z.int().min(0),
    overLimits: z.array(z.object({ limit: z.enum(limitNames), cap: z.int().min(0), used: z.int().min(0) })),
    maxKeyLifetimeDays,
    confirmationsRequireWrite,
    mode: z.enum(keyModes),
    scopes: z.array(z.string()),
    keyId: z.uuid(),
    scopeCatalogue: z.array(z.string()),
  })
  .meta({ id: 'OwnPlatform' });

export const OwnPlatformChanges = z
  .object({
    maxKeyLifetimeDays: maxKeyLifetimeDays.optional(),
    confirmationsRequireWrite: confirmationsRequireWrite.optional(),
  })
  .meta({ id: 'OwnPlatformChanges' });
