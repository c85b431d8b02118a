import { fail } from '../../../domain/errors.js';
import type { Tx } from '../../../kit/db/database.js';
import type { IdSource } from '../../../kit/ids.js';
import { recordActivity } from '../../../ledger/activity.js';
import { newKey, storeKey } from './addKey.js';
import { announceNewKey } from './announceKeys.js';
import type { KeyRotated, StoredKey } from './keySchemas.js';
import { announceKeyChange, saveKey } from './keyStore.js';
import { endOfKey, warningsOfScopes } from './keyTerms.js';
import { isUsable } from './lockKeys.js';
import type { Platform } from './schemas.js';

export interface Replacement {
  /** Its settings are locked by the transaction. */
  platform: Platform;
  /** The key in use, locked too; null: the operator acts. */
  own: StoredKey | null;
  /** The key to replace, locked by this transaction. */
  previous: StoredKey;
  /** Hours for which both keys work; clamped to 0 to 168. */
  graceHours: number;
}

const MAX_GRACE_HOURS = 168;
const HOUR_MS = 60 * 60 * 1000;

/**
 * Creates the successor of a key with the same label, scopes, networks, mode and end, and ends the
 * old key after the grace period. A rotation never extends a life: neither a second rotation nor a
 * long grace period does, and the successor outlives neither the key in use nor the platform's
 * limit. Throws BAD_REQUEST for a key that is revoked or expired.
 */
export async function replaceKey(
  tx: Tx,
  ids: IdSource,
  now: Date,
  locked: (shared: Tx) => Promise<Replacement>,
): Promise<KeyRotated> {
  const { platform, actor, previous, stored, ...rotated } = await tx.inShared(async (shared) =>
    storeSuccessor(shared, ids, now, await locked(shared)),
  );
  const { previousExpiresAt } = rotated;
  await recordActivity(tx, {
    id: ids.at(now),
    platformId: platform.id,
    livemode: !previous.isTest,
    action: 'API_KEY_ROTATED',
    actor,
    target: previous.id,
    details: { replacedBy: stored.id, previousExpiresAt },
    at: now,
  });
  await announceNewKey(tx, ids, platform.id, stored, previous.id);
  return { ...stored, ...rotated, rotatedFrom: previous.id };
}

async function storeSuccessor(
  tx: Tx,
  ids: IdSource,
  now: Date,
  { platform, own, previous, graceHours }: Replacement,
) {
  if (!isUsable(previous, now)) {
    return fail('BAD_REQUEST', {
      message: 'This key is revoked or has expired, so it cannot be rotated. Mint a new key.',
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
  // Without a grace period the key is also made inactive: the clock of another process may be
  // behind.
  await saveKey(tx, platformId, {
    ...previous,
    expiresAt: previousExpiresAt,
    isActive: previousExpiresAt > now,
    replacedBy: stored.id,
  });
  await announceKeyChange(tx);
  const all = [...warnings, ...warningsOfScopes(scopes, platform)];
  return { platform, actor, previous, stored, key, previousExpiresAt, warnings: all };
}

function endOfGrace({ expiresAt }: StoredKey, graceHours: number, now: Date): Date {
  const hours = Math.min(Math.max(graceHours, 0), MAX_GRACE_HOURS);
  const end = new Date(now.getTime() + hours * HOUR_MS);
  return expiresAt && expiresAt < end ? expiresAt : end;
}
