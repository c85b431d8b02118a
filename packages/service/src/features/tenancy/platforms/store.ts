import { platformTiers, type StakeLevel } from '@reliability/scoring';
import { z } from 'zod';
import { keyModes } from '#domain/catalogues/enums.js';
import { limitNames, planKeys } from '#domain/catalogues/plans.js';
import { isHttpsUrl } from '#domain/parsedUrl.js';
import type { Queryable, Tx } from '#kit/db/database.js';
import { MAX_GROUP } from '#kit/db/groups.js';
import { insertRow, pick, updateRow } from '#kit/db/rows.js';
import { cursorParam, instant, pageLimit, pageSchema, storableText } from '#kit/http/query.js';
import { isUuid } from '#kit/ids.js';
import { pageById } from '#ledger/reads/ownedRows.js';
import { failUnknownPlatform, findLiveOwner } from '#ledger/requests/addressedSubject.js';

const maxKeyLifetimeDays = z.int().min(1).max(3650).nullable();
const confirmationsRequireWrite = z.boolean();
/** Whom its subjects ask: an address, or a name and a telephone number. On a public page. */
const contact = storableText(1, 500)
  .regex(/^[^\p{Cc}]*$/u, 'must be one line')
  .nullable();
const privacyUrl = z
  .string()
  .max(2048, { abort: true })
  .refine(isHttpsUrl, 'must be an https URL without user name and password')
  .meta({ format: 'uri' })
  .nullable();

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
    contact: z.string().nullable(),
    privacyUrl: z.string().nullable(),
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

export const PlatformPage = pageSchema('platforms', PlatformRecord).meta({ id: 'PlatformPage' });

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
    contact: z.string().nullable(),
    privacyUrl: z.string().nullable(),
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
    contact: contact.optional(),
    privacyUrl: privacyUrl.optional(),
  })
  .meta({ id: 'OwnPlatformChanges' });

const COLUMNS = `platform_id as id, name, trust_tier, plan, is_active,
  velocity_exempt, rate_limit_per_minute, monthly_quota,
  max_key_lifetime_days, confirmations_require_write, contact, privacy_url,
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
  'contact',
  'privacyUrl',
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

/** What the notice for the people of a platform says about it. */
export interface PlatformNotice extends Pick<Platform, 'name' | 'trustTier' | 'contact' | 'privacyUrl'> {
  /** Of its latest outcomes. */
  readonly stakeLevels: readonly StakeLevel[];
}

export const RECENT_EVENTS = 1000;

/** Public. Throws NOT_FOUND. */
export async function readNotice(db: Queryable, id: string): Promise<PlatformNotice> {
  const { group } = await findLiveOwner(db, id);
  const { name, trustTier, contact, privacyUrl } = await readPlatform(db, id);
  const rows = await db.ledgers.of(group).query<{ stakeLevel: StakeLevel }>(
    `select distinct stake_level from (
       select stake_level from event where platform_id = $1 and livemode = true
       order by event_id desc limit ${RECENT_EVENTS}
     ) as recent`,
    [id],
  );
  return { name, trustTier, contact, privacyUrl, stakeLevels: rows.map(({ stakeLevel }) => stakeLevel) };
}

export async function savePlatform(tx: Tx, platform: Platform): Promise<void> {
  await updateRow(tx, 'platform', { platformId: platform.id }, pick(platform, ...SETTINGS));
}

/** All platforms of the installation, newest first. */
export async function listPlatforms(db: Queryable, query: z.output<typeof PlatformQuery>) {
  const select = `select ${COLUMNS} from platform where true`;
  const page = await pageById<Platform>(db, select, 'platform_id', [], query);
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
