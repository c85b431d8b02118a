import { base58btc } from '../../../kit/crypto.js';
import type { Issuer } from '../../../ledger/issuing/issuer.js';
import type { PublishedKey } from '../../../ledger/signingKeys.js';

export const DID_CONTEXTS = [
  'https://www.w3.org/ns/did/v1',
  'https://w3id.org/security/jwk/v1',
  'https://w3id.org/security/multikey/v1',
];

/** Multicodec prefix of an Ed25519 public key. */
const ED25519_PREFIX = Buffer.from([0xed, 0x01]);

/**
 * The DID document of the issuer (W3C DID Core). It contains each key as JsonWebKey, which the
 * `kid` of credentials names, and as Multikey, because some verifiers know only one of the two. A
 * service names the key of the transparency log: as a verification method it could be mistaken for
 * a key of credentials.
 * @param logs their addresses, and their keys as C2SP signed-note writes keys
 */
export function didDocument(
  { did, keyUrl }: Issuer,
  keys: readonly PublishedKey[],
  logs: readonly { url: string; vkey: string }[],
): object {
  const methods = keys.flatMap(({ keyId, publicJwk }) => {
    const { kty, crv, x } = publicJwk;
    const multikey = `z${base58btc(Buffer.concat([ED25519_PREFIX, Buffer.from(x, 'base64url')]))}`;
    return [
      { id: keyUrl(keyId), type: 'JsonWebKey', controller: did, publicKeyJwk: { kty, crv, x } },
      { id: keyUrl(multikey), type: 'Multikey', controller: did, publicKeyMultibase: multikey },
    ];
  });
  return {
    '@context': DID_CONTEXTS,
    id: did,
    verificationMethod: methods,
    assertionMethod: methods.map(({ id }) => id),
    service: logs.map(({ url, vkey }, number) => ({
      id: number === 0 ? `${did}#log` : `${did}#log-g${number}`,
      type: 'TransparencyLog',
      serviceEndpoint: url,
      vkey,
    })),
  };
}
