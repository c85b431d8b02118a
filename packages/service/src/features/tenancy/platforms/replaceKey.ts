import { fail } from '../../../domain/errors.js';
import type { Tx } from '../../../kit/db/database.js';
import type { IdSource } from '../../../kit/ids.js';
import { recordActivity } from '../../../ledger/activity.js';
import { newKey, storeKey } from './addKey.js';
import { announceNewKey } from './announceKeys.js';
import { announceKeyChange, type StoredKey, saveKey } from './keyStore.js';
import { endOfKey, warningsOfScopes } from './keyTerms.js';
import { isUsable } from './lockKeys.js';
import type { Platform } from './store.js';

interface Replacement {
  /** Its settings held by this transaction. */
  platform: Platform;
  /** The key in use, held too; null: the operator acts. */
  own: StoredKey | null;
  /** The key to be replaced, held by this transaction. */
  previous: StoredKey;
  /** How long both work side by side; brought into 0 to 168. */
  graceHours: number;
}

export const DEFAULT_GRACE_HOURS = 24;
const MAX_GRACE_HOURS = 168;
const HOUR_MS = 60 * 60 * 1000;

/**
 * Mints the successor of a key with the same label, scopes, networks, mode and end, and ends the old one after the grace. An end only
 * ever moves closer: neither a second rotation nor a long grace lets a key live longer than it would have, and the successor
 * outlives neither the key that was used to make it nor the platform's limit.
 * Answers the body of the 201. Throws BAD_REQUEST for a key that is revoked or expired.
 */
export async function replaceKey(
  tx: Tx,
  ids: IdSource,
  now: Date,
  { platform, own, previous, graceHours }: Replacement,
): Promise<object> {
  if (!isUsable(previous, now)) {
    return fail('BAD_REQUEST', {
      message: 'This key is revoked or has expired, so there is nothing to take over. Mint a new one.',
    });
  }
  const { label, scopes, isTest, allowedCidrs } = previous;
  const platformId = platform.id;
  const actor = own === null ? 'operator' : `key:${own.id}`;
  const asked = { expiresAt: previous.expiresAt, isExplicit: true };
  const { expiresAt, warnings } = endOfKey(now, asked, own, platform);
  const key = newKey(isTest ? 'test' : 'live');
  const stored = await storeKey(tx, ids, now, {
    platformId,
    key,
    label,
    scopes,
    isTest,
    expiresAt,
    allowedCidrs,
    actor,
  });
  const previousExpiresAt = endOfGrace(previous, graceHours, now);
  // Without grace it is dead by its state, too: another process's clock may be a little behind.
  await saveKey(tx, platformId, {
    ...previous,
    expiresAt: previousExpiresAt,
    isActive: previousExpiresAt > now,
    replacedBy: stored.id,
  });
  await announceKeyChange(tx);
  await recordActivity(tx, {
    id: ids.at(now),
    platformId,
    livemode: !isTest,
    action: 'API_KEY_ROTATED',
    actor,
    target: previous.id,
    details: { replacedBy: stored.id, previousExpiresAt },
    at: now,
  });
  await announceNewKey(tx, ids, platformId, stored, previous.id);
  return {
    ...stored,
    key,
    rotatedFrom: previous.id,
    previousExpiresAt,
    warnings: [...warnings, ...warningsOfScopes(scopes, platform)],
  };
}

function endOfGrace({ expiresAt }: StoredKey, graceHours: number, now: Date): Date {
  const hours = Math.min(Math.max(graceHours, 0), MAX_GRACE_HOURS);
  const end = new Date(now.getTime() + hours * HOUR_MS);
  return expiresAt && expiresAt < end ? expiresAt : end;
}
