import type { Queryable } from '../../kit/db/database.js';
import type { KeyCaller } from '../../kit/http/route.js';

/** A key and its platform as authentication needs them. */
export interface KnownKey {
  readonly caller: KeyCaller;
  readonly expiresAt: Date | null;
}

interface KeyRow {
  key_id: string;
  platform_id: string;
  name: string;
  livemode: boolean;
  scopes: string[];
  trust_tier: KeyCaller['trustTier'];
  plan: KeyCaller['plan'];
  velocity_exempt: boolean;
  expires_at: Date | null;
}

/** Active keys of active platforms, by the SHA-256 of the key. */
export async function findActiveKey(db: Queryable, keyHash: Buffer): Promise<KnownKey | null> {
  const [row] = await db.query<KeyRow>(
    `select k.key_id, k.platform_id, p.name, k.livemode, k.scopes, p.trust_tier, p.plan, p.velocity_exempt, k.expires_at
     from api_key k join platform p using (platform_id)
     where k.key_hash = $1 and k.is_active and p.is_active`,
    [keyHash],
  );
  if (!row) return null;
  return {
    expiresAt: row.expires_at,
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
