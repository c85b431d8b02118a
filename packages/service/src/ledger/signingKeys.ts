import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { fail } from '#domain/errors.js';
import { DAY_MS } from '#domain/timestamp.js';
import type { Clock } from '#kit/clock.js';
import type { Vault } from '#kit/crypto.js';
import { type Database, isDatabaseUnavailable, type Queryable } from '#kit/db/database.js';
import { insertRow } from '#kit/db/rows.js';
import { LogInconsistent } from './log/heads.js';

/**
 * 'message' keys sign the service's requests, 'credential' keys sign credentials, 'log' keys sign
 * checkpoints of the transparency log, 'witness' keys cosign those of other installations. No key
 * serves two purposes (RULES H9).
 */
export const signingPurposes = ['message', 'credential', 'log', 'witness'] as const;
export type SigningPurpose = (typeof signingPurposes)[number];

export interface PublicJwk {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
}

export interface SigningKey {
  readonly keyId: string;
  readonly privateKey: KeyObject;
  readonly publicJwk: PublicJwk;
}

/** A key that verifies signatures; it may no longer sign. */
export interface PublishedKey extends SigningKey {
  readonly createdAt: Date;
  /** Published at least until then. For a key in use the date moves on by a day each day. */
  readonly publishedUntil: Date;
}

/** How long clients may cache the list of published keys. */
export const KEYS_CACHED_SECONDS = 86_400;

/** Credentials live at most 90 days. Receipts are kept for as long as somebody may doubt a score. */
const PUBLISHED_AFTER_MS: Readonly<Record<SigningPurpose, number>> = {
  message: 30 * DAY_MS,
  credential: 92 * DAY_MS,
  log: 100 * 365 * DAY_MS,
  witness: 100 * 365 * DAY_MS,
};

/** A new key is published this long before it signs, so that cached lists have expired by then. */
const ANNOUNCED_MS = KEYS_CACHED_SECONDS * 1000 + 60 * 60 * 1000;

/** The current signing key. The first call on a database creates it; concurrent calls create only one. */
export async function ensureSigningKey(
  db: Queryable,
  vault: Vault,
  clock: Clock,
  purpose: SigningPurpose,
): Promise<SigningKey> {
  const now = clock.now();
  const found = await findKeyInUse(db, vault, purpose, now);
  if (found) return found;
  if (purpose === 'log') await assertNoLog(db, () => findKeyInUse(db, vault, purpose, now));
  // Of several first uses one key wins, also on nodes that share no advisory locks.
  await insertNewKey(db, vault, purpose, now);
  const made = await findKeyInUse(db, vault, purpose, now);
  if (!made) throw new Error(`the database has no ${purpose} key after one was made`);
  return made;
}

/** If the key of a log was lost, a new one must not sign under its name unnoticed. */
async function assertNoLog(db: Queryable, findKey: () => Promise<SigningKey | null>): Promise<void> {
  const [log] = await db.query<{ hasBegun: boolean }>(
    `select exists (select 1 from log_note) or exists (select 1 from log_fact) or exists (select 1 from log_checkpoint)
       as has_begun`,
  );
  if (!log?.hasBegun || (await findKey())) return;
  fail('SERVICE_UNAVAILABLE', {
    message: 'The key of the transparency log is missing. The operator has to restore it.',
    cause: new LogInconsistent('the log has begun, and the table signing_key has no key that signs it'),
  });
}

/**
 * Creates and publishes a new key, which signs once the old one is retired. The old key stays
 * published as long as its signatures may be verified.
 * @param announcedMs time until the new key signs. Default: 25 hours. With 0 it signs at once, and
 * receivers with a cached list of keys cannot verify it until they refresh the list.
 */
export async function rotateSigningKey(
  db: Database,
  vault: Vault,
  clock: Clock,
  purpose: SigningPurpose,
  announcedMs: number = ANNOUNCED_MS,
): Promise<{ keyId: string; signsFrom: Date }> {
  const now = clock.now();
  const change = new Date(now.getTime() + announcedMs);
  const rotated = await db.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`signing key ${purpose}`]);
    // An earlier announced rotation keeps its time.
    const retired = await tx.execute(
      `update signing_key set retired_at = least(retired_at, $3::timestamptz)
       where purpose = $1 and (retired_at is null or retired_at > $2)`,
      [purpose, now, change],
    );
    const keyId = await insertNewKey(tx, vault, purpose, now);
    return keyId === null ? null : { keyId, signsFrom: retired === 0 ? now : change };
  });
  // The first key was made meanwhile: it is the one to retire.
  return rotated ?? rotateSigningKey(db, vault, clock, purpose, announcedMs);
}

/** Unpublishes retired keys at once, because they may be compromised. */
export async function forgetRetiredKeys(db: Queryable, purpose: SigningPurpose, now: Date): Promise<void> {
  await db.execute('delete from signing_key where purpose = $1 and retired_at <= $2', [purpose, now]);
}

/** All published keys: current, announced and recently retired, ordered by retirement. */
export async function publishedKeys(
  db: Queryable,
  vault: Vault,
  purpose: SigningPurpose,
  now: Date,
): Promise<PublishedKey[]> {
  return (await selectPublished(db, purpose, now)).map((row) => ({
    ...openKey(vault, row),
    createdAt: row.createdAt,
    publishedUntil: publishedUntil(row, purpose, now),
  }));
}

/** Delay until this process sees another process's rotation. */
const KNOWN_FOR_MS = 30_000;

export type KeyRing = ReturnType<typeof createKeyRing>;

/** Reads the keys at most twice a minute. While the database is unavailable, cached keys keep signing. */
export function createKeyRing(db: Queryable, vault: Vault, clock: Clock, purpose: SigningPurpose) {
  let known: { current: SigningKey; published: readonly PublishedKey[] } | null = null;
  let checkedAt = 0;
  let reading: Promise<void> | null = null;

  async function read(): Promise<void> {
    const now = clock.now();
    const shared = db.shared;
    try {
      const current = await ensureSigningKey(shared, vault, clock, purpose);
      known = { current, published: await publishedKeys(shared, vault, purpose, now) };
    } catch (error) {
      if (!known || !isDatabaseUnavailable(error)) throw error;
    }
    checkedAt = now.getTime();
  }

  async function keys() {
    const age = clock.now().getTime() - checkedAt;
    if (known && age >= 0 && age < KNOWN_FOR_MS) return known;
    reading ??= read().finally(() => {
      reading = null;
    });
    await reading;
    if (!known) throw new Error('no signing key in the database after creating one');
    return known;
  }

  return {
    current: async () => (await keys()).current,
    published: async () => (await keys()).published,
    /** The current key first, then those that were announced to follow it. */
    async unretired(): Promise<readonly SigningKey[]> {
      const { current, published } = await keys();
      // They are ordered by retirement.
      return published.slice(published.findIndex(({ keyId }) => keyId === current.keyId));
    },
  };
}

/** The JWK thumbprint (RFC 7638) of an Ed25519 key (RFC 8037, appendix A.3): base64url of a SHA-256. */
export function thumbprintOf({ crv, kty, x }: PublicJwk): string {
  // RFC 7638 fixes these members, their order and the absence of spaces.
  return createHash('sha256').update(JSON.stringify({ crv, kty, x })).digest('base64url');
}

interface KeyRow {
  keyId: string;
  publicJwk: PublicJwk;
  sealedPrivate: Buffer;
  createdAt: Date;
  retiredAt: Date | null;
}

/** The unretired key that retires first: a new key signs only after the old one is retired. */
async function findKeyInUse(
  db: Queryable,
  vault: Vault,
  purpose: SigningPurpose,
  now: Date,
): Promise<SigningKey | null> {
  const rows = await selectPublished(db, purpose, now);
  const row = rows.find(({ retiredAt }) => retiredAt === null || retiredAt > now);
  return row ? openKey(vault, row) : null;
}

function selectPublished(db: Queryable, purpose: SigningPurpose, now: Date): Promise<KeyRow[]> {
  return db.query<KeyRow>(
    `select key_id, public_jwk, sealed_private, created_at, retired_at from signing_key where purpose = $1 and (retired_at is null or retired_at > $2)
     order by retired_at nulls last, key_id`,
    [purpose, new Date(now.getTime() - PUBLISHED_AFTER_MS[purpose])],
  );
}

// Rounded to the day, so that cached copies of the list stay valid.
function publishedUntil({ retiredAt }: KeyRow, purpose: SigningPurpose, now: Date): Date {
  const from = retiredAt?.getTime() ?? Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  return new Date(from + PUBLISHED_AFTER_MS[purpose]);
}

/** Returns the id of the new key. Null: there is one that is not to be retired. */
async function insertNewKey(
  db: Queryable,
  vault: Vault,
  purpose: SigningPurpose,
  now: Date,
): Promise<string | null> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const { x } = publicKey.export({ format: 'jwk' });
  if (x === undefined) throw new Error('the exported Ed25519 key has no public part `x`');
  const publicJwk: PublicJwk = { kty: 'OKP', crv: 'Ed25519', x };
  const keyId = thumbprintOf(publicJwk);
  const secret = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const sealedPrivate = vault.seal(secret, signingKeyContext(keyId));
  const row = { keyId, purpose, publicJwk, sealedPrivate, createdAt: now };
  const unlessKnown = 'on conflict (purpose) where retired_at is null do nothing';
  const inserted = await insertRow(db, 'signing_key', row, unlessKnown);
  return inserted === 0 ? null : keyId;
}

function openKey(vault: Vault, { keyId, publicJwk, sealedPrivate }: KeyRow): SigningKey {
  const privateKey = createPrivateKey(vault.open(sealedPrivate, signingKeyContext(keyId)));
  return { keyId, privateKey, publicJwk };
}

export function signingKeyContext(keyId: string): string {
  return `signing key ${keyId}`;
}
