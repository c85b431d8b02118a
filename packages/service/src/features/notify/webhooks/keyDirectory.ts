import type { Answer } from '../../../kit/http/answer.js';
import { fixedText } from '../../../kit/http/fixedDocument.js';
import { KEYS_CACHED_SECONDS, type PublishedKey } from '../../../ledger/signingKeys.js';
import { contentDigest, signMessage } from './messageSignature.js';

export const DIRECTORY_MEDIA_TYPE = 'application/http-message-signatures-directory+json';

interface Directory {
  /** Of BASE_URL: host, and port where it is not the scheme's own. */
  readonly authority: string;
  readonly keys: readonly PublishedKey[];
  readonly now: Date;
}

/**
 * The directory of the keys that sign what this installation sends (RULES H9), and with it each key's proof that it is
 * in our hands: a signature over the body and the authority that the directory is asked of.
 *
 * That authority is always BASE_URL's, never the request's Host. The proof is there to keep the same list from being served
 * under another name (draft-ietf-webbotauth-httpsig-protocol, "Possession Proof on the Directory Response"); signing
 * any Host would make one for whoever forwards a request to us. Behind a proxy that rewrites Host, BASE_URL's is what the reader
 * asked for anyway.
 */
export function answerWithDirectory(
  { authority, keys, now }: Directory,
  context: { header(name: string): string | undefined },
): Answer {
  const text = JSON.stringify({ keys: keys.map(entryOf) });
  const bytes = Buffer.from(text);
  const proof = proofOf(keys, authority, contentDigest(bytes), secondsOf(now));
  // 304 too carries a fresh proof: it takes the place of the one that the reader's copy came with.
  const answer = fixedText(DIRECTORY_MEDIA_TYPE, text, proof)(context);
  return {
    ...answer,
    // As bytes: to a text Fastify would add a charset, which this media type does not have.
    body: answer.body === null ? null : bytes,
    headers: { ...answer.headers, 'Cache-Control': `max-age=${KEYS_CACHED_SECONDS}` },
  };
}

/** Written member by member: nothing else of a key can get out. */
function entryOf({ keyId, publicJwk, createdAt, publishedUntil }: PublishedKey): object {
  return {
    kty: publicJwk.kty,
    crv: publicJwk.crv,
    x: publicJwk.x,
    kid: keyId,
    use: 'sig',
    nbf: secondsOf(createdAt),
    exp: secondsOf(publishedUntil),
  };
}

function proofOf(
  keys: readonly PublishedKey[],
  authority: string,
  digest: string,
  created: number,
): Record<string, string> {
  const signatures = keys.map(({ keyId, privateKey }, index) =>
    signMessage(
      privateKey,
      `binding${index}`,
      [
        ['"@authority";req', authority],
        ['"content-digest"', digest],
      ],
      {
        created,
        // As long as a copy may be kept.
        expires: created + KEYS_CACHED_SECONDS,
        keyid: keyId,
        tag: 'http-message-signatures-directory',
      },
    ),
  );
  return {
    'Content-Digest': digest,
    'Signature-Input': signatures.map(({ input }) => input).join(', '),
    Signature: signatures.map(({ signature }) => signature).join(', '),
  };
}

function secondsOf(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}
