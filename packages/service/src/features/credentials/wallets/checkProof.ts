import { Oauth2ErrorCodes } from '@openid4vc/oauth2';
import type { WalletDeps } from './deps.js';
import { didOfKey } from './holderKeys.js';
import { type OpenedNonce, openNonce } from './nonces.js';
import { refuse, withRefusals } from './oauthFaults.js';

/** How far the clock of a wallet may be off. */
const MAX_SKEW_SECONDS = 300;

interface Proven {
  /** The DID of the key that signed the proof. */
  holder: string;
  /** Not known to be used before. */
  nonce: OpenedNonce;
}

/** Who holds the key that a proof of possession names; throws invalid_proof or invalid_nonce. */
export async function checkProof({ vault, protocol }: WalletDeps, jwt: string, now: Date): Promise<Proven> {
  const { payload, signer } = await withRefusals(() =>
    protocol.issuer.verifyCredentialRequestJwtProof({ issuerMetadata: protocol.metadata, jwt, now }),
  );
  const holder = signer.method === 'did' ? signer.didUrl.split('#', 1)[0] : didOfKey(signer.publicJwk);
  if (!holder) return refuse(Oauth2ErrorCodes.InvalidProof, 'The proof names no key that can be held.');
  if (Math.abs(now.getTime() / 1000 - payload.iat) > MAX_SKEW_SECONDS) {
    refuse(
      Oauth2ErrorCodes.InvalidProof,
      'The proof was not made now: its iat is more than five minutes away.',
    );
  }
  if (payload.nonce === undefined) return refuse(Oauth2ErrorCodes.InvalidProof, 'The proof holds no nonce.');
  const nonce = openNonce(vault, payload.nonce, now);
  return nonce
    ? { holder, nonce }
    : refuse(Oauth2ErrorCodes.InvalidNonce, 'The nonce is unknown or has ended.');
}
