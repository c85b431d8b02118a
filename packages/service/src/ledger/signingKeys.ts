import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { DAY_MS } from '../domain/timestamp.js';
import type { Clock } from '../kit/clock.js';
import { type Database, isDatabaseUnavailable, type Queryable, type Tx } from '../kit/db/database.js';
import type { Vault } from '../kit/vault.js';

/**
 * What a key signs: 'message' are the requests this service sends, 'credential' what it attests. No key serves two purposes
 * (RULES H9).
 */
export const signingPurposes = ['message', 'credential'] as const;
export type SigningPurpose = (typeof signingPurposes)[number];

/** The public half as it is published. */
export interface PublicJwk {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
}

export interface SigningKey {
  /** The thumbprint of the public half. */
  readonly keyId: string;
  readonly privateKey: KeyObject;
  readonly publicJwk: PublicJwk;
}

/** A key that others may check signatures with, whether or not it still signs. */
export interface PublishedKey extends SigningKey {
  readonly createdAt: Date;
  /** It stays published at least so long. A key without an end gets further by a day each day. */
  readonly publishedUntil: Date;
}

/** How long others may keep a list of published keys before they ask again. */
export const KEYS_CACHED_SECONDS = 86_400;

/** A retired key stays published so long: with credentials the longest life of one, 90 days, and two more. */
const PUBLISHED_AFTER_MS: Readonly<Record<SigningPurpose, number>> = {
  message: 30 * DAY_MS,
  credential: 92 * DAY_MS,
};

/** A new key is published this long before it signs: whoever keeps the list has asked again by then. */
const ANNOUNCED_MS = KEYS_CACHED_SECONDS * 1000 + 60 * 60 * 1000;

/** The key that signs now. The first call on a database makes it, one key however many processes call at once. */
export async function ensureSigningKey(
  db: Database,
  vault: Vault,
  clock: Clock,
  purpose: SigningPurpose,
): Promise<SigningKey> {
  const now = clock.now();
  const found = await findKeyInUse(db, vault, purpose, now);
  if (found) return found;
  return db.transaction(async (tx) => {
    await lockKeys(tx, purpose);
    return (await findKeyInUse(tx, vault, purpose, now)) ?? insertNewKey(tx, vault, purpose, now);
  });
}

/**
 * Makes a new key, published from now on, which signs once the old one is retired; the old one stays published as long as
 * somebody may check by it.
 * @param announcedMs until the change, 25 hours unless told; 0 changes at once, and receivers that keep the list of keys for
 * a day will not know the new one before they ask again.
 */
export function rotateSigningKey(
  db: Database,
  vault: Vault,
  clock: Clock,
  purpose: SigningPurpose,
  announcedMs: number = ANNOUNCED_MS,
): Promise<{ keyId: string; signsFrom: Date }> {
  const now = clock.now();
  const change = new Date(now.getTime() + announcedMs);
  return db.transaction(async (tx) => {
    await lockKeys(tx, purpose);
    // A change announced before is not put off by the next.
    const retired = await tx.execute(
      `update signing_key set retired_at = least(retired_at, $3::timestamptz)
       where purpose = $1 and (retired_at is null or retired_at > $2)`,
      [purpose, now, change],
    );
    const { keyId } = await insertNewKey(tx, vault, purpose, now);
    return { keyId, signsFrom: retired === 0 ? now : change };
  });
}

/** Takes keys that sign no more off the list at once: somebody else may have them. */
export async function forgetRetiredKeys(db: Queryable, purpose: SigningPurpose, now: Date): Promise<void> {
  await db.execute('delete from signing_key where purpose = $1 and retired_at <= $2', [purpose, now]);
}

/** All keys to be published: those that sign, will sign, or did so not long ago. The first to end comes first. */
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

/** A process's memory of the keys of one purpose. */
export interface KeyRing {
  /** The key that signs now; the first one is made when there is none. */
  current(): Promise<SigningKey>;
  published(): Promise<readonly PublishedKey[]>;
}

/** Another process's rotation is known here after so long. */
const KNOWN_FOR_MS = 30_000;

/** Reads the keys at most twice a minute. While the database is away, those known last go on signing. */
export function createKeyRing(db: Database, vault: Vault, clock: Clock, purpose: SigningPurpose): KeyRing {
  let known: { current: SigningKey; published: PublishedKey[] } | null = null;
  let checkedAt = 0;
  let reading: Promise<void> | null = null;

  async function read(): Promise<void> {
    const now = clock.now();
    try {
      const current = await ensureSigningKey(db, vault, clock, purpose);
      known = { current, published: await publishedKeys(db, vault, purpose, now) };
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
    if (!known) throw new Error('the signing keys were read, and there are none');
    return known;
  }

  return {
    current: async () => (await keys()).current,
    published: async () => (await keys()).published,
  };
}

/** The JWK thumbprint (RFC 7638) of an Ed25519 key (RFC 8037, appendix A.3): base64url of a SHA-256. */
export function thumbprintOf({ crv, kty, x }: PublicJwk): string {
  // The members, their order and the lack of spaces are what the RFC says; other members do not count.
  return createHash('sha256').update(JSON.stringify({ crv, kty, x })).digest('base64url');
}

interface KeyRow {
  keyId: string;
  publicJwk: PublicJwk;
  sealedPrivate: Buffer;
  createdAt: Date;
  retiredAt: Date | null;
}

/** Of the keys that are not retired yet the one that will be first: a new key waits for the end of the old. */
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
    `select key_id, public_jwk, sealed_private,
       created_at, retired_at
     from signing_key where purpose = $1 and (retired_at is null or retired_at > $2)
     order by retired_at nulls last, key_id`,
    [purpose, new Date(now.getTime() - PUBLISHED_AFTER_MS[purpose])],
  );
}

// By the day, so that the published list is the same all day and copies of it stay valid.
function publishedUntil({ retiredAt }: KeyRow, purpose: SigningPurpose, now: Date): Date {
  const from = retiredAt?.getTime() ?? Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  return new Date(from + PUBLISHED_AFTER_MS[purpose]);
}

async function lockKeys(tx: Tx, purpose: SigningPurpose): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`signing key ${purpose}`]);
}

async function insertNewKey(tx: Tx, vault: Vault, purpose: SigningPurpose, now: Date): Promise<SigningKey> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const { x } = publicKey.export({ format: 'jwk' });
  if (x === undefined) throw new Error('an Ed25519 key came without its public half');
  const publicJwk: PublicJwk = { kty: 'OKP', crv: 'Ed25519', x };
  const keyId = thumbprintOf(publicJwk);
  const secret = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  await tx.execute(
    `insert into signing_key (key_id, purpose, public_jwk, sealed_private, created_at) values ($1, $2, $3, $4, $5)`,
    [keyId, purpose, publicJwk, vault.seal(secret, sealContext(keyId)), now],
  );
  return { keyId, privateKey, publicJwk };
}

function openKey(vault: Vault, { keyId, publicJwk, sealedPrivate }: KeyRow): SigningKey {
  const privateKey = createPrivateKey(vault.open(sealedPrivate, sealContext(keyId)));
  return { keyId, privateKey, publicJwk };
}

function sealContext(keyId: string): string {
  return `signing key ${keyId}`;
}
