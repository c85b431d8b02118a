import { hashOfSecret, randomSecret } from '../../kit/crypto.js';
import type { Tx } from '../../kit/db/database.js';
import type { IdSource } from '../../kit/ids.js';
import { recordActivity } from '../../ledger/activity.js';
import { insertKey, type StoredKey } from './keyStore.js';

/** A new key of 256 random bits (DECISIONS 2). */
export function newKey(mode: 'live' | 'test'): string {
  return randomSecret(`crd_${mode}_`);
}

interface KeyToAdd {
  platformId: string;
  /** The key itself; only its hash is kept. */
  key: string;
  label: string | null;
  scopes: readonly string[];
  isTest: boolean;
  expiresAt: Date | null;
  /** As in Activity. */
  actor: string;
}

/** Gives a platform one more key, with its line in the audit trail. Answers what is kept of it. */
export async function addKey(tx: Tx, ids: IdSource, now: Date, wanted: KeyToAdd): Promise<StoredKey> {
  const { platformId, key, label, scopes, isTest, expiresAt, actor } = wanted;
  const stored: StoredKey = {
    id: ids.at(now),
    label,
    scopes,
    isTest,
    isActive: true,
    expiresAt,
    lastUsedAt: null,
    createdAt: now,
  };
  await insertKey(tx, platformId, stored, hashOfSecret(key));
  await recordActivity(tx, {
    id: ids.at(now),
    platformId,
    livemode: !isTest,
    action: 'API_KEY_GENERATED',
    actor,
    target: stored.id,
    details: { label, scopes, expiresAt },
    at: now,
  });
  return stored;
}
