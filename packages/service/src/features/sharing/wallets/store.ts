import type { Queryable, Tx } from '#kit/db/database.js';
import { insertRow, pick, updateRow } from '#kit/db/rows.js';

export interface Offer {
  readonly subjectId: string;
  readonly shareTokenId: string;
  readonly credentialType: string;
  /** Lifetime of the credential. */
  readonly ttlSeconds: number;
}

export interface NewOffer extends Offer {
  readonly offerHash: Buffer;
  readonly codeHash: Buffer;
  readonly sealedGrant: Buffer;
  readonly expiresAt: Date;
}

export async function insertOffer(tx: Tx, offer: NewOffer): Promise<void> {
  await insertRow(tx, 'credential_offer', {
    ...pick(offer, 'offerHash', 'codeHash', 'subjectId', 'shareTokenId', 'credentialType', 'ttlSeconds'),
    ...pick(offer, 'sealedGrant', 'expiresAt'),
  });
}

/** An offer whose code is unused and has not been guessed at too often. */
export interface OpenOffer extends Offer {
  readonly offerHash: Buffer;
  readonly sealedGrant: Buffer;
}

const OFFER = 'subject_id, share_token_id, credential_type, ttl_seconds';
const OPEN = `select ${OFFER}, offer_hash, sealed_grant from credential_offer
   where sealed_grant is not null and expires_at > $1`;

/** An offer as its page shows it. `sealedGrant` is null after its use, and after too many wrong codes. */
export interface PagedOffer extends Offer {
  readonly sealedGrant: Buffer | null;
  readonly wrongTxCodes: number;
  readonly expiresAt: Date;
  readonly platformId: string;
}

export async function findPagedOffer(db: Queryable, offerHash: Buffer): Promise<PagedOffer | null> {
  const [offer] = await db.query<PagedOffer>(
    `select ${OFFER}, sealed_grant, wrong_tx_codes, expires_at, platform_id
     from credential_offer join subject using (subject_id)
     where offer_hash = $1`,
    [offerHash],
  );
  return offer ?? null;
}

/** Null for an unknown, expired, used or blocked offer. */
export async function findOpenOffer(db: Queryable, offerHash: Buffer, now: Date): Promise<OpenOffer | null> {
  const [offer] = await db.query<OpenOffer>(`${OPEN} and offer_hash = $2`, [now, offerHash]);
  return offer ?? null;
}

/** The same by its code, locked until the transaction ends. */
export async function lockOpenOffer(tx: Tx, codeHash: Buffer, now: Date): Promise<OpenOffer | null> {
  const [offer] = await tx.query<OpenOffer>(`${OPEN} and code_hash = $2 for update`, [now, codeHash]);
  return offer ?? null;
}

/** Marks the code as used and stores the access token. */
export async function spendCode(
  tx: Tx,
  offerHash: Buffer,
  access: { hash: Buffer; expiresAt: Date },
): Promise<void> {
  const changes = { sealedGrant: null, accessHash: access.hash, accessExpiresAt: access.expiresAt };
  await updateRow(tx, 'credential_offer', { offerHash }, changes);
}

/** Counts a wrong tx_code. After `limit` of them the code is blocked. */
export async function countWrongTxCode(tx: Tx, offerHash: Buffer, limit: number): Promise<void> {
  await tx.execute(
    `update credential_offer set wrong_tx_codes = wrong_tx_codes + 1,
       sealed_grant = case when wrong_tx_codes + 1 < $2 then sealed_grant end
     where offer_hash = $1`,
    [offerHash, limit],
  );
}

/** The offer of an access token. Null if the token is unknown or expired. */
export async function findAccess(db: Queryable, accessHash: Buffer, now: Date): Promise<Offer | null> {
  const [offer] = await db.query<Offer>(
    `select ${OFFER} from credential_offer where access_hash = $1 and access_expires_at > $2`,
    [accessHash, now],
  );
  return offer ?? null;
}

/** False if the access token was used before. Waits for a concurrent request that uses it. */
export async function spendAccess(tx: Tx, accessHash: Buffer): Promise<boolean> {
  const spent = { accessHash: null, accessExpiresAt: null };
  return (await updateRow(tx, 'credential_offer', { accessHash }, spent)) === 1;
}

/**
 * False if the nonce was used before. Waits for a concurrent request that uses it. A nonce may be used
 * in any ledger group, so it is a row of the first one, in a transaction of its own before the one that
 * issues: if that fails, the wallet gets another nonce.
 */
export async function spendNonce(db: Queryable, nonceHash: Buffer, expiresAt: Date): Promise<boolean> {
  const unlessSpent = 'on conflict (nonce_hash) do nothing';
  return (await insertRow(db.shared, 'wallet_nonce', { nonceHash, expiresAt }, unlessSpent)) === 1;
}
