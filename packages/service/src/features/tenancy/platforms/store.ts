import { z } from 'zod';
import type { Queryable, Tx } from '../../../kit/db/database.js';
import { insertRow, pick, updateRow } from '../../../kit/db/rows.js';
import { pageOf, positionOf } from '../../../kit/http/cursor.js';
import { isUuid } from '../../../kit/ids.js';
import { failUnknownPlatform } from '../../../ledger/requests/addressedSubject.js';
import type { Platform, PlatformQuery } from './schemas.js';

const COLUMNS = `platform_id as id, name, trust_tier, plan, is_active,
  velocity_exempt, rate_limit_per_minute, monthly_quota,
  max_key_lifetime_days, confirmations_require_write,
  created_at, updated_at`;

const SETTINGS = [
  'name',
  'trustTier',
  'plan',
  'isActive',
  'velocityExempt',
  'rateLimitPerMinute',
  'monthlyQuota',
  'maxKeyLifetimeDays',
  'confirmationsRequireWrite',
  'updatedAt',
] as const;

export async function insertPlatform(tx: Tx, platform: Platform, group: number): Promise<void> {
  await insertRow(tx, 'platform', {
    ...pick(platform, ...SETTINGS),
    platformId: platform.id,
    createdAt: platform.createdAt,
    groupId: group,
  });
}

/** Throws NOT_FOUND. */
export async function readPlatform(db: Queryable, id: string): Promise<Platform> {
  return (await findPlatform(db.shared, id)) ?? failUnknownPlatform();
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
  await updateRow(tx, 'platform', { platformId: platform.id }, pick(platform, ...SETTINGS));
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
