import { hashOfSecret, randomSecret } from '../../../kit/crypto.js';
import type { Tx } from '../../../kit/db/database.js';
import type { IdSource } from '../../../kit/ids.js';
import { recordActivity } from '../../../ledger/activity.js';
import { insertKey, type StoredKey } from './keyStore.js';

/** A new key of 256 random bits (RULES K1). */
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
  allowedCidrs: readonly string[];
  /** As in Activity. */
  actor: string;
}

/** Gives a platform one more key, with its line in the audit trail. Answers what is kept of it. */
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

/** The key alone, for a caller that tells the audit trail itself. */
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

/** Who made a key, as its list says it: the id of the key in use, `operator` or `bootstrap`. */
function makerOf(actor: string): string {
  return actor === 'service' ? 'bootstrap' : actor.replace(/^key:/, '');
}
