import { Oauth2ErrorCodes } from '@openid4vc/oauth2';
import { didOfKey } from './holderKeys.js';
import { type OpenedNonce, openNonce } from './nonces.js';
import { refuse, withRefusals } from './oauthErrors.js';
import type { WalletDeps } from './protocol.js';

/** Tolerance for the clock of a wallet. */
const MAX_SKEW_SECONDS = 300;

interface Proven {
  /** The DID of the key that signed the proof. */
  holder: string;
  /** The caller still has to spend it. */
  nonce: OpenedNonce;
}

/** The holder of the key in a proof of possession. Throws invalid_proof or invalid_nonce. */
export async function checkProof({ vault, protocol }: WalletDeps, jwt: string, now: Date): Promise<Proven> {
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
