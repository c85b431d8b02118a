import { Oauth2ErrorCodes } from '@openid4vc/oauth2';
import { z } from 'zod';
import { ServiceError } from '#domain/errors.js';
import { hashOfSecret, SEAL_BYTES, type Vault } from '#kit/crypto.js';
import type { Attested } from '#ledger/issuing/issuer.js';
import { findSnapshotInclusion } from '#ledger/log/inclusion.js';
import { accessTokenOf } from './accessToken.js';
import { didOfKey } from './holderKeys.js';
import { shareOf } from './offers.js';
import type { WalletDeps } from './protocol.js';
import { refuse, refuseToken, withRefusals } from './refusals.js';
import type { WalletCredential } from './schemas.js';
import { findAccess, type Offer, spendAccess, spendNonce } from './store.js';

/**
 * POST /oid4vci/credential: the offered credential, bound to the key that the wallet has proved to
 * hold.
 */
export async function issueToWallet(
  deps: WalletDeps,
  authorization: string | undefined,
  body: Readonly<Record<string, unknown>>,
): Promise<WalletCredential> {
  const { db, clock, issuer, shareTokens } = deps;
  const now = clock.now();
  const { accessHash, ...offer } = await accessOf(deps, authorization, now);
  const proof = await proofOf(deps, offer, body);
  const { holder, nonce } = await checkProof(deps, proof, now);
  const [signer, attested, inclusion] = await Promise.all([
    issuer.signer(),
    attestedOf(deps, offer, now),
    findSnapshotInclusion(db, offer.subjectId),
  ]);
  if (!(await spendNonce(db, nonce.hash, nonce.expiresAt))) {
    return refuse(Oauth2ErrorCodes.InvalidNonce, 'The nonce has been used before.');
  }
  const { credential } = await db.transaction(async (tx) => {
    // One credential for each offer, so an access token that leaks later is worthless.
    if (!(await spendAccess(tx, accessHash))) return refuseToken(NO_ACCESS, true);
    const share = await shareOf(tx, shareTokens, offer);
    if (!share || !attested)
      return refuse(Oauth2ErrorCodes.CredentialRequestDenied, 'The offer was withdrawn.');
    const { ttlSeconds } = offer;
    return signer.issue({ ...attested, form: 'vc1', holder, share, inclusion, now, ttlSeconds });
  });
  return { credentials: [{ credential }] };
}

async function accessOf(
  { db }: WalletDeps,
  authorization: string | undefined,
  now: Date,
): Promise<Offer & { accessHash: Buffer }> {
  const token = accessTokenOf(authorization);
  if (token === undefined)
    return refuseToken(
      'Send the access token of an offer as Authorization: Bearer.',
      authorization !== undefined,
    );
  const accessHash = hashOfSecret(token);
  const offer = await findAccess(db, accessHash, now);
  return offer ? { ...offer, accessHash } : refuseToken(NO_ACCESS, true);
}

const NO_ACCESS = 'The access token is unknown, expired or already used.';

/** The only proof of a request, which must match the access token. */
async function proofOf(
  { protocol, claimSources }: WalletDeps,
  offer: Offer,
  { proofs, proof: _, ...wanted }: Readonly<Record<string, unknown>>,
): Promise<string> {
  const { credential_configuration_id: type, credential_identifier: identifier } = wanted;
  if (typeof type === 'string' && identifier === undefined && !claimSources.some((it) => it.type === type)) {
    refuse(Oauth2ErrorCodes.UnknownCredentialConfiguration, 'There is no such credential configuration.');
  }
  // Proofs are checked below, because their errors have their own code.
  const request = await withRefusals(() =>
    protocol.issuer.parseCredentialRequest({ issuerMetadata: protocol.metadata, credentialRequest: wanted }),
  );
  if (request.credentialIdentifier !== undefined) {
    refuse(
      Oauth2ErrorCodes.UnknownCredentialIdentifier,
      'This issuer does not use credential identifiers. Send credential_configuration_id.',
    );
  }
  if (request.credentialConfigurationId === undefined) {
    refuse(Oauth2ErrorCodes.InvalidCredentialRequest, 'The credential_configuration_id is missing.');
  }
  if (request.credentialConfigurationId !== offer.credentialType) {
    refuse(Oauth2ErrorCodes.InsufficientScope, 'The access token is for another credential.');
  }
  if (wanted.credential_response_encryption !== undefined) {
    refuse(Oauth2ErrorCodes.InvalidEncryptionParameters, 'This issuer does not encrypt answers.');
  }
  const parsed = Proofs.safeParse(proofs);
  const [first, ...more] = parsed.data?.jwt ?? [];
  if (first === undefined)
    return refuse(Oauth2ErrorCodes.InvalidProof, 'A proof is missing: proofs.jwt, a list of one.');
  if (more.length > 0) refuse(Oauth2ErrorCodes.InvalidCredentialRequest, 'Send exactly one proof.');
  return first;
}

const Proofs = z.strictObject({ jwt: z.array(z.string()) });

/** Null if there is no longer anything to attest. */
async function attestedOf(
  { db, claimSources }: WalletDeps,
  { credentialType, subjectId }: Offer,
  now: Date,
): Promise<Attested | null> {
  const source = claimSources.find(({ type }) => type === credentialType);
  try {
    return (await source?.attest(db, subjectId, now)) ?? null;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'USER_NOT_FOUND') return null;
    throw error;
  }
}

/** Tolerance for the clock of a wallet. */
const MAX_SKEW_SECONDS = 300;

interface Proven {
  /** The DID of the key that signed the proof. */
  holder: string;
  /** The caller still has to spend it. */
  nonce: OpenedNonce;
}

/** The holder of the key in a proof of possession. Throws invalid_proof or invalid_nonce. */
async function checkProof({ vault, protocol }: WalletDeps, jwt: string, now: Date): Promise<Proven> {
  const { payload, signer } = await withRefusals(() =>
    protocol.issuer.verifyCredentialRequestJwtProof({ issuerMetadata: protocol.metadata, jwt, now }),
  );
  const holder = signer.method === 'did' ? signer.didUrl.split('#', 1)[0] : didOfKey(signer.publicJwk);
  if (!holder) return refuse(Oauth2ErrorCodes.InvalidProof, 'The proof does not name a usable key.');
  if (Math.abs(now.getTime() / 1000 - payload.iat) > MAX_SKEW_SECONDS) {
    refuse(Oauth2ErrorCodes.InvalidProof, 'The iat of the proof is more than five minutes from now.');
  }
  if (payload.nonce === undefined) return refuse(Oauth2ErrorCodes.InvalidProof, 'The proof has no nonce.');
  const nonce = openNonce(vault, payload.nonce, now);
  return nonce
    ? { holder, nonce }
    : refuse(Oauth2ErrorCodes.InvalidNonce, 'The nonce is unknown or has expired.');
}

const NONCE_SECONDS = 300;
const CONTEXT = 'wallet nonce';

/** A valid nonce of this service. Used nonces are stored by their hash. */
interface OpenedNonce {
  readonly hash: Buffer;
  readonly expiresAt: Date;
}

/**
 * The nonce is its own expiry, sealed. So unused nonces need no storage, and every process can read
 * them.
 */
export function makeNonce(vault: Vault, now: Date): string {
  return vault.seal(digitsOf(now.getTime() + NONCE_SECONDS * 1000), CONTEXT).toString('base64url');
}

/** Milliseconds since 1970, with a fixed number of digits. */
function digitsOf(ms: number): string {
  return String(ms).padStart(EXPIRY_DIGITS, '0');
}

const EXPIRY_DIGITS = 15;

/** Null for a nonce that is not from this service or has expired. */
function openNonce(vault: Vault, nonce: string, now: Date): OpenedNonce | null {
  const sealed = Buffer.from(nonce, 'base64url');
  // Each nonce has one text: another encoding of the same bytes would count as unused.
  if (sealed.length !== SEAL_BYTES + EXPIRY_DIGITS || sealed.toString('base64url') !== nonce) return null;
  const expiresAt = expiryOf(vault, sealed);
  return expiresAt && expiresAt > now ? { hash: hashOfSecret(nonce), expiresAt } : null;
}

function expiryOf(vault: Vault, sealed: Buffer): Date | null {
  try {
    return new Date(Number(vault.open(sealed, CONTEXT)));
  } catch {
    return null;
  }
}
