import { fail } from '#domain/errors.js';
import { hashOfSecret, randomSecret } from '#kit/crypto.js';
import type { Database, Tx } from '#kit/db/database.js';
import type { Wakes } from '#kit/db/wakes.js';
import type { IdSource } from '#kit/ids.js';
import { recordActivity } from '#ledger/activity.js';
import { inSlices, SLICE_ROWS, type Slice, type Sweep } from '#ledger/sweep.js';
import { type EnvelopeDraft, writeEnvelopes } from '#outbox/envelopes.js';
import type { KeyRotated, StoredKey } from './keySchemas.js';
import { announceKeyChange, type EndingKey, insertKey, markEnding, saveKey } from './keyStore.js';
import { endOfKey, isUsable, warningsOfScopes } from './keyTerms.js';
import type { Platform } from './store.js';

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

/** The creator of a key or user: the id of the key in use, `user:<email>`, `operator` or `bootstrap`. */
export function makerOf(actor: string): string {
  return actor === 'service' ? 'bootstrap' : actor.replace(/^key:/, '');
}

export interface Replacement {
  /** Its settings are locked by the transaction. */
  platform: Platform;
  /** The key in use, locked too; null: the operator acts. */
  own: StoredKey | null;
  /** As in Activity. */
  actor: string;
  /** The key to replace, locked by this transaction. */
  previous: StoredKey;
  /** Hours for which both keys work; clamped to 0 to 168. */
  graceHours: number;
}

const MAX_GRACE_HOURS = 168;

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
  { platform, own, actor, previous, graceHours }: Replacement,
) {
  if (!isUsable(previous, now)) {
    return fail('BAD_REQUEST', {
      message: 'This key is revoked or has expired, so it cannot be rotated. Mint a new key.',
    });
  }
  const { label, scopes, isTest, allowedCidrs } = previous;
  const platformId = platform.id;
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

/** Sends key.created. It reveals keys that were minted with a leaked one. */
export async function announceNewKey(
  tx: Tx,
  ids: IdSource,
  platformId: string,
  key: StoredKey,
  rotatedFrom: string | null,
): Promise<void> {
  const data = {
    ...factsOf(key),
    expiresAt: key.expiresAt?.toISOString() ?? null,
    rotatedFrom,
    allowedCidrs: [...key.allowedCidrs],
  };
  const draft = { type: 'key.created', platformId, livemode: !key.isTest, subjectId: null, data } as const;
  await writeEnvelopes(tx, ids, key.createdAt, [draft]);
}

interface EndingDeps {
  db: Database;
  ids: IdSource;
  wakes: Pick<Wakes, 'raise'>;
}

const ANNOUNCED_AHEAD_MS = 7 * 24 * 60 * 60 * 1000;
const HOUR_MS = 60 * 60 * 1000;

/** Sweep: sends key.expiring once for each key that expires within seven days. */
export function announceEndingKeys({ db, ids, wakes }: EndingDeps): Sweep {
  return async (now, until) => {
    const by = new Date(now.getTime() + ANNOUNCED_AHEAD_MS);
    const announced = await inSlices(db, 'ending keys', until, (tx) => announce(tx, ids, now, by));
    if (announced > 0) wakes.raise('deliveries');
    return announced;
  };
}

async function announce(tx: Tx, ids: IdSource, now: Date, by: Date): Promise<Slice> {
  const ending = await tx.inShared((shared) => markEnding(shared, tx.ledgers.own, now, by, SLICE_ROWS));
  await writeEnvelopes(
    tx,
    ids,
    now,
    ending.map((key) => draftOf(key, now)),
  );
  return { affected: ending.length, isLast: ending.length < SLICE_ROWS };
}

function draftOf(key: EndingKey, now: Date): EnvelopeDraft {
  const msLeft = key.expiresAt.getTime() - now.getTime();
  return {
    type: 'key.expiring',
    platformId: key.platformId,
    livemode: !key.isTest,
    subjectId: null,
    data: {
      ...factsOf(key),
      expiresAt: key.expiresAt.toISOString(),
      lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
      hoursUntilExpiry: Math.round(msLeft / (HOUR_MS / 10)) / 10,
    },
  };
}

/** Never the key itself. */
function factsOf({ id, label, scopes, isTest, createdBy, createdAt }: StoredKey) {
  return { keyId: id, label, scopes: [...scopes], isTest, createdBy, createdAt: createdAt.toISOString() };
}
