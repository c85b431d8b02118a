import { gzipSync } from 'node:zlib';
import type { Credential } from '#ledger/issuing/forms.js';
import { CREDENTIALS_V2 } from '#ledger/issuing/forms.js';
import { type CredentialSigner, type Issuer, statusListUrl } from '#ledger/issuing/issuer.js';
import { type Lifetime, lifetimeOf } from '#ledger/issuing/lifetime.js';
import { findListRevision, findRevokedIndexes, LIST_BITS } from '#ledger/issuing/statusEntries.js';
import type { ServiceDeps } from '../../serviceDeps.js';

/** How long caches may keep a copy. A verifier can miss a revocation for this time. */
export const LIST_MAX_AGE_SECONDS = 300;

/** Lifetime of a signed list. */
const LIST_VALID_SECONDS = 86_400;

export type StatusListDeps = Pick<ServiceDeps, 'db' | 'clock' | 'config'> & { issuer: Issuer };

/** A signed status list, `vc+jwt`. Null for a list that does not exist. */
export type LoadStatusList = (list: number) => Promise<string | null>;

/** Signs a list again only when one of its bits is set, or when the hour or the key changes. */
export function createStatusLists({ db, clock, issuer, config }: StatusListDeps): LoadStatusList {
  const cache = new Map<number, { version: string; signed: Promise<string> }>();

  return async (list) => {
    const revision = await findListRevision(db, list);
    if (revision === null) return null;
    const signer = await issuer.signer();
    const lifetime = lifetimeOf(clock.now(), LIST_VALID_SECONDS);
    const version = [revision, lifetime.issuedAt.getTime(), signer.keyId].join(' ');
    const found = cache.get(list);
    if (found?.version === version) return found.signed;
    const signed = sign(list, signer, lifetime);
    cache.set(list, { version, signed });
    signed.catch(() => {
      if (cache.get(list)?.signed === signed) cache.delete(list);
    });
    return signed;
  };

  async function sign(list: number, signer: CredentialSigner, lifetime: Lifetime): Promise<string> {
    const url = statusListUrl(config.baseUrl, list);
    const credential = {
      '@context': [CREDENTIALS_V2],
      id: url,
      type: ['VerifiableCredential', 'BitstringStatusListCredential'],
      issuer: issuer.did,
      validFrom: lifetime.issuedAt,
      validUntil: lifetime.expiresAt,
      credentialSubject: {
        id: `${url}#list`,
        type: 'BitstringStatusList',
        statusPurpose: 'revocation',
        encodedList: encodedList(await findRevokedIndexes(db, list)),
        ttl: LIST_MAX_AGE_SECONDS * 1000,
      },
    } satisfies Credential;
    return signer.sign(credential);
  }
}

/**
 * Multibase base64url of the compressed bits; bit 0 is the highest of the first byte (Bitstring
 * Status List, 3.2 and 3.3).
 */
export function encodedList(setIndexes: readonly number[]): string {
  const bits = Buffer.alloc(LIST_BITS / 8);
  for (const index of setIndexes) {
    const byte = index >> 3;
    bits.writeUInt8(bits.readUInt8(byte) | (0x80 >> (index & 7)), byte);
  }
  return `u${gzipSync(bits).toString('base64url')}`;
}
