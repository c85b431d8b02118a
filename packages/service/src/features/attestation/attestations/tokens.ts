import { hashOfSecret, randomSecret } from '../../../kit/crypto.js';
import type { Queryable, Tx } from '../../../kit/db/database.js';
import { API_PREFIX } from '../../../kit/http/route.js';
import { isUuid } from '../../../kit/ids.js';

/** What a counterparty can be asked for; its token opens that one request and nothing else. */
export type AttestationKind = 'confirmation' | 'reference';

const facts = {
  confirmation: { prefix: 'cft_', path: '/confirmations', page: '/confirm' },
  reference: { prefix: 'rft_', path: '/references', page: '/reference' },
} as const;

export interface AttestationToken {
  /** Shown once, to the platform that asks. */
  readonly token: string;
  /** All that is kept of it. */
  readonly hash: Buffer;
}

/** A new token (RULES A5): 256 random bits behind the prefix of its kind. */
export function mintAttestationToken(kind: AttestationKind): AttestationToken {
  const token = randomSecret(facts[kind].prefix);
  return { token, hash: hashOfSecret(token) };
}

/** Where the token of a request leads. */
export interface StoredToken {
  readonly hash: Buffer;
  readonly platformId: string;
  readonly requestId: string;
}

/** Keeps tokens of new requests, in the transaction that writes these. */
export async function keepTokens(
  tx: Tx,
  kind: AttestationKind,
  tokens: readonly StoredToken[],
): Promise<void> {
  await tx.execute(
    `insert into witness_token (token_hash, kind, platform_id, request_id)
     select hash, $1, platform_id, request_id from unnest($2::bytea[], $3::uuid[], $4::uuid[])
       as kept (hash, platform_id, request_id)`,
    [
      kind,
      tokens.map(({ hash }) => hash),
      tokens.map(({ platformId }) => platformId),
      tokens.map(({ requestId }) => requestId),
    ],
  );
}

/**
 * The platform whose request a presented token opens; null for a wrong token and an unknown request alike, after the same look-up.
 * It is by hash, so how long it takes says nothing about the token; no part of one is ever compared.
 */
export async function platformOfToken(
  db: Queryable,
  kind: AttestationKind,
  id: string,
  presented: unknown,
): Promise<string | null> {
  const hash = hashOfSecret(typeof presented === 'string' ? presented : '');
  const [row] = await db.query<{ platformId: string; requestId: string }>(
    'select platform_id, request_id from witness_token where token_hash = $1 and kind = $2',
    [hash, kind],
  );
  return row && isUuid(id) && row.requestId === id.toLowerCase() ? row.platformId : null;
}

/** The addresses that a platform hands on together with a token (RULES A6). */
export interface AttestationUrls {
  /** The hosted page. */
  readonly pageUrl: string;
  readonly previewUrl: string;
  readonly respondUrl: string;
}

/** @param token as it is, or a placeholder for it. */
export function attestationUrls(
  kind: AttestationKind,
  baseUrl: string,
  id: string,
  token: string,
): AttestationUrls {
  const { path, page } = facts[kind];
  const request = `${baseUrl}${API_PREFIX}${path}/${id}`;
  return {
    pageUrl: `${baseUrl}${page}/${id}?token=${token}`,
    previewUrl: `${request}/preview?token=${token}`,
    respondUrl: `${request}/respond`,
  };
}
