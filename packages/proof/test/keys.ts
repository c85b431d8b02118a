import { generateKeyPairSync, sign } from 'node:crypto';
import {
  type Ed25519Sign,
  type SignatureType,
  signatureTypes,
  type VerifierKey,
  verifierKey,
} from '../src/index.js';

export interface TestSigner {
  key: VerifierKey;
  sign: Ed25519Sign;
}

/** A new key pair under this name. */
export function testSigner(name: string, type: SignatureType = signatureTypes.ed25519): TestSigner {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  return {
    key: verifierKey(name, Uint8Array.from(Buffer.from(x, 'base64url')), type),
    sign: (message) => Uint8Array.from(sign(null, message, privateKey)),
  };
}
