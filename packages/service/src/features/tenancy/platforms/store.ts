import { z } from 'zod';
import type { Queryable, Tx } from '../../../kit/db/database.js';
import { pageOf, positionOf } from '../../../kit/http/cursor.js';
import { isUuid } from '../../../kit/ids.js';
import { failUnknownPlatform } from '../../../ledger/requests/knownPlatform.js';
import type { Platform, PlatformQuery } from './schemas.js';

const COLUMNS = `platform_id as id, name, trust_tier, plan, is_active,
  velocity_exempt, rate_limit_per_minute, monthly_quota,
  max_key_lifetime_days, confirmations_require_write,
  created_at, updated_at`;

export async function insertPlatform(tx: Tx, platform: Platform, group: number): Promise<void> {
  await tx.execute(
    `insert into platform (platform_id, name, trust_tier, plan, is_active, velocity_exempt, rate_limit_per_minute,
       monthly_quota, max_key_lifetime_days, confirmations_require_write, created_at, updated_at, group_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
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
      group,
    ],
  );
}

/** Throws NOT_FOUND. */
export async function readPlatform(db: Queryable, id: string): Promise<Platform> {
  return (await findPlatform(db.ofGroup(0), id)) ?? failUnknownPlatform();
}

/** The platform, locked so that two changes of it do not overwrite each other. Throws NOT_FOUND. */
export async function lockPlatform(tx: Tx, id: string): Promise<Platform> {
  return (await findPlatform(tx, id, 'for update')) ?? failUnknownPlatform();
}

/**
 * The platform, locked for reading while keys are made for it: its settings stay as they are, and
 * nobody revokes the keys that the new ones descend from. Throws NOT_FOUND.
 */
export async function lockSettings(tx: Tx, id: string): Promise<Platform> {
  return (await findPlatform(tx, id, 'for share')) ?? failUnknownPlatform();
}

export async function findPlatform(
  db: Queryable,
  id: string,
  lock: '' | 'for update' | 'for share' = '',
): Promise<Platform | null> {
  if (!isUuid(id)) return null;
  const [row] = await db.query<Platform>(`select ${COLUMNS} from platform where platform_id = $1 ${lock}`, [
    id,
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

const PlatformCursor = z.tuple([z.uuid()]);

/** All platforms of the installation, newest first. */
export async function listPlatforms(db: Queryable, { cursor, limit }: z.output<typeof PlatformQuery>) {
  const [beforeId] = positionOf(cursor, PlatformCursor) ?? [null];
  const rows = await db.query<Platform>(
    `select ${COLUMNS} from platform where $1::uuid is null or platform_id < $1 order by platform_id desc limit $2`,
    [beforeId, limit + 1],
  );
  const page = pageOf(rows, limit, (platform) => [platform.id]);
  return { platforms: page.rows, nextCursor: page.nextCursor };
}

/**
 * Serialises first starts: until it commits, only this transaction decides what an empty database
 * gets.
 */
export async function takeFirstStartTurn(tx: Tx): Promise<void> {
  await tx.execute("select pg_advisory_xact_lock(hashtextextended('first start', 0))");
}

/** False also between the migration and the grants of its owner. */
export async function hasPlatformTable(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ isReadable: boolean | null }>(
    `select has_table_privilege(to_regclass('platform'), 'select') as is_readable`,
  );
  return row?.isReadable === true;
}

export async function hasAnyPlatform(db: Queryable): Promise<boolean> {
  return (await db.query('select 1 from platform limit 1')).length > 0;
}
