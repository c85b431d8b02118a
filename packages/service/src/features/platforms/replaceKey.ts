import { fail } from '../../domain/errors.js';
import type { Tx } from '../../kit/db/database.js';
import type { IdSource } from '../../kit/ids.js';
import { recordActivity } from '../../ledger/activity.js';
import { newKey, storeKey } from './addKey.js';
import { isUsable } from './heldKeys.js';
import { announceKeyChange, type StoredKey, saveKey } from './keyStore.js';

interface Replacement {
  platformId: string;
  /** The key to be replaced, held by this transaction. */
  previous: StoredKey;
  /** How long both work side by side; brought into 0 to 168. */
  graceHours: number;
  /** As in Activity. */
  actor: string;
}

export const DEFAULT_GRACE_HOURS = 24;
const MAX_GRACE_HOURS = 168;
const HOUR_MS = 60 * 60 * 1000;

/**
 * Mints the successor of a key with the same label, scopes, mode and end, and ends the old one after the grace (INTERFACE
 * 4.7). An end only ever moves closer: neither a second rotation nor a long grace lets a key live longer than it would have.
 * Answers the body of the 201. Throws BAD_REQUEST for a key that is revoked or expired.
 */
export async function replaceKey(
  tx: Tx,
  ids: IdSource,
  now: Date,
  { platformId, previous, graceHours, actor }: Replacement,
): Promise<object> {
  if (!isUsable(previous, now)) {
    return fail('BAD_REQUEST', {
      message: 'This key is revoked or has expired, so there is nothing to take over. Mint a new one.',
    });
  }
  const { label, scopes, isTest, expiresAt } = previous;
  const key = newKey(isTest ? 'test' : 'live');
  const stored = await storeKey(tx, ids, now, { platformId, key, label, scopes, isTest, expiresAt });
  const previousExpiresAt = endOfGrace(previous, graceHours, now);
  // Without grace it is dead by its state, too: another process's clock may be a little behind.
  await saveKey(tx, platformId, {
    ...previous,
    expiresAt: previousExpiresAt,
    isActive: previousExpiresAt > now,
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
  return { ...stored, key, rotatedFrom: previous.id, previousExpiresAt };
}

function endOfGrace({ expiresAt }: StoredKey, graceHours: number, now: Date): Date {
  const hours = Math.min(Math.max(graceHours, 0), MAX_GRACE_HOURS);
  const end = new Date(now.getTime() + hours * HOUR_MS);
  return expiresAt && expiresAt < end ? expiresAt : end;
}
