import type { PlatformTier } from '@reliability/scoring';
import type { PlanKey } from '../../../domain/catalogues/plans.js';
import type { Queryable, Tx } from '../../../kit/db/database.js';

/** A platform as it is stored and as the operator reads it. */
export interface Platform {
  readonly id: string;
  readonly name: string;
  readonly trustTier: PlatformTier;
  readonly plan: PlanKey;
  readonly isActive: boolean;
  readonly velocityExempt: boolean;
  readonly rateLimitPerMinute: number | null;
  readonly monthlyQuota: number | null;
  readonly maxKeyLifetimeDays: number | null;
  readonly confirmationsRequireWrite: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const COLUMNS = `platform_id as id, name, trust_tier, plan, is_active,
  velocity_exempt, rate_limit_per_minute, monthly_quota,
  max_key_lifetime_days, confirmations_require_write,
  created_at, updated_at`;

export async function insertPlatform(tx: Tx, platform: Platform): Promise<void> {
  await tx.execute(
    `insert into platform (platform_id, name, trust_tier, plan, is_active, velocity_exempt, rate_limit_per_minute,
       monthly_quota, max_key_lifetime_days, confirmations_require_write, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      platform.id,
      platform.name,
      platform.trustTier,
      platform.plan,
      platform.isActive,
      platform.velocityExempt,
      platform.rateLimitPerMinute,
      platform.monthlyQuota,
      platform.maxKeyLifetimeDays,
      platform.confirmationsRequireWrite,
      platform.createdAt,
      platform.updatedAt,
    ],
  );
}

export async function findPlatform(db: Queryable, platformId: string): Promise<Platform | null> {
  const [row] = await db.query<Platform>(`select ${COLUMNS} from platform where platform_id = $1`, [
    platformId,
  ]);
  return row ?? null;
}

/** The platform, held until the transaction ends so that two changes of it do not overwrite each other. */
export async function lockPlatform(tx: Tx, platformId: string): Promise<Platform | null> {
  const [row] = await tx.query<Platform>(
    `select ${COLUMNS} from platform where platform_id = $1 for update`,
    [platformId],
  );
  return row ?? null;
}

/** The platform, its settings held as they are until the transaction ends; transactions that only read them share the hold. */
export async function lockSettings(tx: Tx, platformId: string): Promise<Platform | null> {
  const [row] = await tx.query<Platform>(`select ${COLUMNS} from platform where platform_id = $1 for share`, [
    platformId,
  ]);
  return row ?? null;
}

export async function savePlatform(tx: Tx, platform: Platform): Promise<void> {
  await tx.execute(
    `update platform set name = $2, trust_tier = $3, plan = $4, is_active = $5, velocity_exempt = $6,
       rate_limit_per_minute = $7, monthly_quota = $8, max_key_lifetime_days = $9, confirmations_require_write = $10,
       updated_at = $11
     where platform_id = $1`,
    [
      platform.id,
      platform.name,
      platform.trustTier,
      platform.plan,
      platform.isActive,
      platform.velocityExempt,
      platform.rateLimitPerMinute,
      platform.monthlyQuota,
      platform.maxKeyLifetimeDays,
      platform.confirmationsRequireWrite,
      platform.updatedAt,
    ],
  );
}

/** Newest first, from behind `beforeId`. */
export function findPlatforms(db: Queryable, beforeId: string | null, limit: number): Promise<Platform[]> {
  return db.query<Platform>(
    `select ${COLUMNS} from platform where $1::uuid is null or platform_id < $1 order by platform_id desc limit $2`,
    [beforeId, limit],
  );
}

/** Makes first starts take turns: whoever holds this until its commit is alone in deciding what an empty database gets. */
export async function takeFirstStartTurn(tx: Tx): Promise<void> {
  await tx.execute("select pg_advisory_xact_lock(hashtextextended('first start', 0))");
}

export async function hasPlatformTable(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ exists: boolean }>(`select to_regclass('platform') is not null as exists`);
  return row?.exists === true;
}

export async function hasAnyPlatform(db: Queryable): Promise<boolean> {
  return (await db.query('select 1 from platform limit 1')).length > 0;
}
