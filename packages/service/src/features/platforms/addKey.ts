import { DAY_MS } from '../../domain/timestamp.js';
import { hashOfSecret, randomSecret } from '../../kit/crypto.js';
import type { Tx } from '../../kit/db/database.js';
import type { IdSource } from '../../kit/ids.js';
import { recordActivity } from '../../ledger/activity.js';
import { insertKey, type StoredKey } from './keyStore.js';

/** A new key of 256 random bits (DECISIONS 2). */
export function newKey(mode: 'live' | 'test'): string {
  return randomSecret(`crd_${mode}_`);
}

interface KeyToStore {
  platformId: string;
  /** The key itself; only its hash is kept. */
  key: string;
  label: string | null;
  scopes: readonly string[];
  isTest: boolean;
  expiresAt: Date | null;
}

interface KeyToAdd extends KeyToStore {
  /** As in Activity. */
  actor: string;
}

/** Gives a platform one more key, with its line in the audit trail. Answers what is kept of it. */
export async function addKey(
  tx: Tx,
  ids: IdSource,
  now: Date,
  { actor, ...wanted }: KeyToAdd,
): Promise<StoredKey> {
  const stored = await storeKey(tx, ids, now, wanted);
  const { label, scopes, isTest, expiresAt } = stored;
  await recordActivity(tx, {
    id: ids.at(now),
    platformId: wanted.platformId,
    livemode: !isTest,
    action: 'API_KEY_GENERATED',
    actor,
    target: stored.id,
    details: { label, scopes, expiresAt },
    at: now,
  });
  return stored;
}

/** The key alone, for a caller that tells the audit trail itself. */
export async function storeKey(
  tx: Tx,
  ids: IdSource,
  now: Date,
  { platformId, key, label, scopes, isTest, expiresAt }: KeyToStore,
): Promise<StoredKey> {
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
  return stored;
}

/** The end of a key that lives for some days, or null for one without end. */
export function endAfter(now: Date, days: number | null | undefined): Date | null {
  return days ? new Date(now.getTime() + days * DAY_MS) : null;
}
