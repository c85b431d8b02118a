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

/** Adds a key to a platform, with an entry in the audit trail. */
export async function addKey(tx: Tx, ids: IdSource, now: Date, wanted: KeyToStore): Promise<StoredKey> {
  const stored = await storeKey(tx, ids, now, wanted);
  const { label, scopes, isTest, expiresAt, allowedCidrs } = stored;
  await recordActivity(tx, {
    id: ids.at(now),
    platformId: wanted.platformId,
    livemode: !isTest,
    action: 'API_KEY_GENERATED',
    actor: wanted.actor,
    target: stored.id,
    details: { label, scopes, expiresAt, ...(allowedCidrs.length > 0 && { allowedCidrs }) },
    at: now,
  });
  return stored;
}

/** Adds a key without an entry in the audit trail: the caller writes one. */
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
