import { hashOfSecret, randomSecret } from '../../../kit/crypto.js';
import type { Tx } from '../../../kit/db/database.js';
import type { IdSource } from '../../../kit/ids.js';
import { recordActivity } from '../../../ledger/activity.js';
import type { StoredKey } from './keySchemas.js';
import { insertKey } from './keyStore.js';

/** A new key of 256 random bits (RULES K1). */
export function newKey(mode: 'live' | 'test'): string {
  return randomSecret(`crd_${mode}_`);
}

interface KeyToStore {
  platformId: string;
  /** The key itself; only its hash is stored. */
  key: string;
  label: string | null;
  scopes: readonly string[];
  isTest: boolean;
  expiresAt: Date | null;
  allowedCidrs: readonly string[];
  /** As in Activity. */
  actor: string;
}

/** The entry in the audit trail of the platform's group about a key that was stored. */
export function recordNewKey(
  tx: Tx,
  ids: IdSource,
  platformId: string,
  { id, label, scopes, isTest, expiresAt, allowedCidrs, createdAt: at }: StoredKey,
  actor: string,
): Promise<void> {
  return recordActivity(tx, {
    id: ids.at(at),
    platformId,
    livemode: !isTest,
    action: 'API_KEY_GENERATED',
    actor,
    target: id,
    details: { label, scopes, expiresAt, ...(allowedCidrs.length > 0 && { allowedCidrs }) },
    at,
  });
}

/** Adds a key to the shared tables. The caller writes the entry in the audit trail. */
export async function storeKey(
  tx: Tx,
  ids: IdSource,
  now: Date,
  { platformId, key, label, scopes, isTest, expiresAt, allowedCidrs, actor }: KeyToStore,
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
    createdBy: makerOf(actor),
    replacedBy: null,
    allowedCidrs,
  };
  await insertKey(tx, platformId, stored, hashOfSecret(key));
  return stored;
}

/** The creator of a key: the id of the key in use, `operator` or `bootstrap`. */
function makerOf(actor: string): string {
  return actor === 'service' ? 'bootstrap' : actor.replace(/^key:/, '');
}
