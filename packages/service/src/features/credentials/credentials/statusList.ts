import { gzipSync } from 'node:zlib';
import type { Clock } from '../../../kit/clock.js';
import type { Database } from '../../../kit/db/database.js';
import type { Credential } from '../issuing/forms.js';
import { type CredentialSigner, type Issuer, statusListUrl } from '../issuing/issuer.js';
import { type Lifetime, lifetimeOf } from '../issuing/lifetime.js';
import { findListRevision, findRevokedIndexes, LIST_BITS } from '../issuing/statusEntries.js';
import { CREDENTIALS_V2 } from '../issuing/vocabulary.js';

/** How long a copy may be kept: so long a withdrawal can stay unnoticed by who checks a credential. */
export const LIST_KEPT_SECONDS = 300;

/** An older copy is not to be believed, whoever shows it. */
const LIST_VALID_SECONDS = 86_400;

interface StatusListDeps {
  db: Database;
  clock: Clock;
  issuer: Issuer;
  config: { baseUrl: string };
}

/** A signed status list, `vc+jwt`; null for one that was never opened. */
export type LoadStatusList = (list: number) => Promise<string | null>;

/** A list is signed anew when a bit of it is set, when the hour or the key changes, and not for each who asks. */
export function createStatusLists({ db, clock, issuer, config }: StatusListDeps): LoadStatusList {
  const kept = new Map<number, { mark: string; signed: Promise<string> }>();

  return async (list) => {
    const revision = await findListRevision(db, list);
    if (revision === null) return null;
    const signer = await issuer.signer();
    const lifetime = lifetimeOf(clock.now(), LIST_VALID_SECONDS);
    const mark = [revision, lifetime.issuedAt.getTime(), signer.keyId].join(' ');
    const found = kept.get(list);
    if (found?.mark === mark) return found.signed;
    const signed = sign(list, signer, lifetime);
    kept.set(list, { mark, signed });
    signed.catch(() => {
      if (kept.get(list)?.signed === signed) kept.delete(list);
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
        ttl: LIST_KEPT_SECONDS * 1000,
      },
    } satisfies Credential;
    return signer.sign(credential);
  }
}

/** Multibase base64url of the compressed bits; bit 0 is the highest of the first byte (Bitstring Status List, 3.2 and 3.3). */
export function encodedList(setIndexes: readonly number[]): string {
  const bits = Buffer.alloc(LIST_BITS / 8);
  for (const index of setIndexes) {
    const byte = index >> 3;
    bits.writeUInt8(bits.readUInt8(byte) | (0x80 >> (index & 7)), byte);
  }
  return `u${gzipSync(bits).toString('base64url')}`;
}
