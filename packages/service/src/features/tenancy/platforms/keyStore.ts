import { allowanceOf } from '#domain/catalogues/plans.js';
import { type Networks, parseNetworks } from '#kit/addressGuard.js';
import type { Queryable, Tx } from '#kit/db/database.js';
import { insertRow, pick, rowsOf, sql, updateRow } from '#kit/db/rows.js';
import { announce } from '#kit/db/wakes.js';
import type { KeyCaller } from '#kit/http/route.js';
import type { StoredKey } from './keySchemas.js';

/** A key and its platform as authentication needs them. */
export interface KnownKey {
  readonly caller: KeyCaller;
  readonly expiresAt: Date | null;
  /** Null: accepted from everywhere. */
  readonly allowedNetworks: Networks | null;
}

/** What a caller has of its platform. */
export interface PlatformTerms {
  keyId: string;
  platformId: string;
  name: string;
  trustTier: KeyCaller['trustTier'];
  plan: KeyCaller['plan'];
  velocityExempt: boolean;
  rateLimitPerMinute: number | null;
  monthlyQuota: number | null;
  maxKeyLifetimeDays: number | null;
  confirmationsRequireWrite: boolean;
  group: number;
}

interface KnownKeyRow extends PlatformTerms {
  livemode: boolean;
  scopes: string[];
  expiresAt: Date | null;
  allowedCidrs: string[];
}

export const PLATFORM_TERMS = `p.name, p.trust_tier, p.plan, p.velocity_exempt, p.rate_limit_per_minute,
    p.monthly_quota, p.max_key_lifetime_days, p.confirmations_require_write, p.group_id as "group"`;
const SELECT_KNOWN = `select k.key_id, k.platform_id, k.livemode, k.scopes, k.expires_at, k.allowed_cidrs, ${PLATFORM_TERMS}
  from api_key k join platform p using (platform_id)`;

/** Active keys of active platforms, by the SHA-256 of the key. */
export async function findActiveKey(db: Queryable, keyHash: Buffer): Promise<KnownKey | null> {
  const [row] = await db.query<KnownKeyRow>(
    `${SELECT_KNOWN} where k.key_hash = $1 and k.is_active and p.is_active`,
    [keyHash],
  );
  return row ? knownKeyOf(row) : null;
}

/** The same by the id of the key. */
export async function findActiveKeyById(db: Queryable, keyId: string): Promise<KnownKey | null> {
  const [row] = await db.query<KnownKeyRow>(
    `${SELECT_KNOWN} where k.key_id = $1 and k.is_active and p.is_active`,
    [keyId],
  );
  return row ? knownKeyOf(row) : null;
}

function knownKeyOf(row: KnownKeyRow): KnownKey {
  return {
    expiresAt: row.expiresAt,
    allowedNetworks: row.allowedCidrs.length === 0 ? null : parseNetworks(row.allowedCidrs.join()),
    caller: callerOf(row, { ...pick(row, 'livemode', 'scopes'), actor: `key:${row.keyId}` }),
  };
}

export function callerOf(
  { name, rateLimitPerMinute, monthlyQuota, ...row }: PlatformTerms,
  own: Pick<KeyCaller, 'actor' | 'livemode' | 'scopes' | 'isUser'>,
): KeyCaller {
  return {
    kind: 'key',
    platformName: name,
    ...pick(row, 'keyId', 'platformId', 'trustTier', 'plan', 'velocityExempt', 'group'),
    ...pick(row, 'maxKeyLifetimeDays', 'confirmationsRequireWrite'),
    ...allowanceOf(row.plan, { rateLimitPerMinute, monthlyQuota }),
    ...own,
  };
}

/**
 * Stores when keys were last used; a later time stored by another process is kept. Locks rows in
 * the order of their ids.
 */
export async function noteKeyUses(tx: Tx, uses: ReadonlyMap<string, Date>): Promise<void> {
  const sorted = [...uses].sort(([left], [right]) => (left < right ? -1 : 1));
  const keyIds = sorted.map(([keyId]) => keyId);
  await Promise.all([
    tx.query('select 1 from api_key where key_id = any($1::uuid[]) order by key_id for update', [keyIds]),
    sql`update api_key k set last_used_at = used_at from ${keyUses.as('used', sorted)}
      where k.key_id = used.key_id and (k.last_used_at is null or k.last_used_at < used_at)`.execute(tx),
  ]);
}

const keyUses = rowsOf<readonly [keyId: string, usedAt: Date]>(
  {},
  { keyId: ['uuid', ([keyId]) => keyId], usedAt: ['timestamptz', ([, usedAt]) => usedAt] },
);

export async function insertKey(tx: Tx, platformId: string, key: StoredKey, keyHash: Buffer): Promise<void> {
  await insertRow(tx, 'api_key', {
    ...pick(key, 'label', 'scopes', 'isActive', 'expiresAt', 'createdAt', 'createdBy', 'allowedCidrs'),
    keyId: key.id,
    platformId,
    keyHash,
    livemode: !key.isTest,
  });
}

const COLUMNS = `key_id as id, label, scopes, not livemode as "isTest", is_active, expires_at,
  last_used_at, created_at, created_by, replaced_by,
  allowed_cidrs`;

/** Newest first, revoked and expired ones among them. */
export function findKeys(db: Queryable, platformId: string): Promise<StoredKey[]> {
  return db.query<StoredKey>(`select ${COLUMNS} from api_key where platform_id = $1 order by key_id desc`, [
    platformId,
  ]);
}

/**
 * The keys with these ids that belong to the platform, locked in the order of their ids: two keys
 * that change each other at the same moment cannot deadlock.
 */
export function lockKeys(tx: Tx, platformId: string, keyIds: readonly string[]): Promise<StoredKey[]> {
  return tx.query<StoredKey>(
    `select ${COLUMNS} from api_key where platform_id = $1 and key_id = any($2::uuid[]) order by key_id for update`,
    [platformId, keyIds],
  );
}

/** Saves what can change: scopes, expiry, successor, and whether the key is revoked. */
export async function saveKey(tx: Tx, platformId: string, key: StoredKey): Promise<void> {
  const changes = pick(key, 'scopes', 'isActive', 'expiresAt', 'replacedBy');
  await updateRow(tx, 'api_key', { platformId, keyId: key.id }, changes);
}

/**
 * Ids of all keys and console users created with this key, directly or through other keys and users.
 * The caller has locked the platform, so no key is created meanwhile.
 */
export async function findDescendants(
  tx: Tx,
  platformId: string,
  keyId: string,
): Promise<{ keyIds: string[]; userIds: string[] }> {
  const rows = await tx.query<{ id: string; isUser: boolean }>(
    `with recursive maker as (
       select key_id as id, key_id::text as name, created_by, false as is_user from api_key where platform_id = $1
       union all
       select user_id, 'user:' || email, created_by, true from console_user where platform_id = $1
     ), made as (
       select id, name, is_user from maker where created_by = $2
       union
       select maker.id, maker.name, maker.is_user from made join maker on maker.created_by = made.name
     )
     select id, is_user from made`,
    [platformId, keyId],
  );
  const idsOf = (wanted: boolean) => rows.filter(({ isUser }) => isUser === wanted).map(({ id }) => id);
  return { keyIds: idsOf(false), userIds: idsOf(true) };
}

/** The key that replaced this one, the key that replaced that one, and so on. */
export async function findSuccessors(tx: Tx, platformId: string, keyId: string): Promise<string[]> {
  const rows = await tx.query<{ keyId: string }>(
    `with recursive next as (
       select replaced_by as key_id from api_key where platform_id = $1 and key_id = $2
       union
       select k.replaced_by from next join api_key k on k.platform_id = $1 and k.key_id = next.key_id
     )
     select key_id from next where key_id is not null`,
    [platformId, keyId],
  );
  return rows.map((row) => row.keyId);
}

/** A key that is about to expire. */
export interface EndingKey extends StoredKey {
  readonly platformId: string;
  readonly expiresAt: Date;
}

/**
 * Marks up to `limit` keys that expire after `now` and by `by` as announced, and returns them.
 * Of the platforms of a ledger group. Leaves out keys of an inactive platform, and replaced keys, whose end was announced with their
 * successor.
 */
export function markEnding(tx: Tx, group: number, now: Date, by: Date, limit: number): Promise<EndingKey[]> {
  return tx.query<EndingKey>(
    `with due as (
       select k.key_id from api_key k join platform p using (platform_id)
       where k.is_active and k.expires_at > $1 and k.expires_at <= $2 and k.expiry_announced_at is null
         and k.replaced_by is null and p.is_active and p.group_id = $4
       order by k.key_id limit $3 for update of k
     )
     update api_key set expiry_announced_at = $1 where key_id in (select key_id from due)
     returning ${COLUMNS}, platform_id`,
    [now, by, limit, group],
  );
}

/** Every process clears its key cache at the commit. */
export function announceKeyChange(tx: Tx): Promise<void> {
  return announce(tx, 'keys', 0);
}
