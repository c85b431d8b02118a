import type { Queryable, Tx } from '../../kit/db/database.js';
import type { KeyCaller } from '../../kit/http/route.js';

/** A key and its platform as authentication needs them. */
export interface KnownKey {
  readonly caller: KeyCaller;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
}

interface KnownKeyRow {
  key_id: string;
  platform_id: string;
  name: string;
  livemode: boolean;
  scopes: string[];
  trust_tier: KeyCaller['trustTier'];
  plan: KeyCaller['plan'];
  velocity_exempt: boolean;
  expires_at: Date | null;
  last_used_at: Date | null;
}

/** Active keys of active platforms, by the SHA-256 of the key. */
export async function findActiveKey(db: Queryable, keyHash: Buffer): Promise<KnownKey | null> {
  const [row] = await db.query<KnownKeyRow>(
    `select k.key_id, k.platform_id, p.name, k.livemode, k.scopes, p.trust_tier, p.plan, p.velocity_exempt, k.expires_at,
       k.last_used_at
     from api_key k join platform p using (platform_id)
     where k.key_hash = $1 and k.is_active and p.is_active`,
    [keyHash],
  );
  if (!row) return null;
  return {
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    caller: {
      kind: 'key',
      platformId: row.platform_id,
      platformName: row.name,
      keyId: row.key_id,
      livemode: row.livemode,
      scopes: row.scopes,
      trustTier: row.trust_tier,
      plan: row.plan,
      velocityExempt: row.velocity_exempt,
    },
  };
}

/** Notes that a key is in use, unless another process did so since `staleBefore`. */
export async function touchKey(db: Queryable, keyId: string, now: Date, staleBefore: Date): Promise<void> {
  await db.execute(
    'update api_key set last_used_at = $2 where key_id = $1 and (last_used_at is null or last_used_at < $3)',
    [keyId, now, staleBefore],
  );
}

/** What is kept of a key, as its owner reads it. */
export interface StoredKey {
  readonly id: string;
  readonly label: string | null;
  readonly scopes: readonly string[];
  readonly isTest: boolean;
  readonly isActive: boolean;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly createdAt: Date;
}

export async function insertKey(tx: Tx, platformId: string, key: StoredKey, keyHash: Buffer): Promise<void> {
  await tx.execute(
    `insert into api_key (key_id, platform_id, key_hash, label, scopes, livemode, is_active, expires_at, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      key.id,
      platformId,
      keyHash,
      key.label,
      key.scopes,
      !key.isTest,
      key.isActive,
      key.expiresAt,
      key.createdAt,
    ],
  );
}

/** Newest first, revoked and expired ones among them. */
export function findKeys(db: Queryable, platformId: string): Promise<StoredKey[]> {
  return db.query<StoredKey>(
    `select key_id as id, label, scopes, not livemode as "isTest", is_active as "isActive", expires_at as "expiresAt",
       last_used_at as "lastUsedAt", created_at as "createdAt"
     from api_key where platform_id = $1 order by key_id desc`,
    [platformId],
  );
}
