import { hashOfSecret } from '../../../kit/crypto.js';
import type { Queryable } from '../../../kit/db/database.js';
import { API_PREFIX } from '../../../kit/http/route.js';
import type { AttestationKind, KindTypes } from './kind.js';
import { findPlatformOfToken } from './store.js';

/**
 * The platform whose request a presented token opens. Null for a wrong token and for an unknown
 * request, after the same query. The query is by hash, so its duration reveals nothing about the
 * token.
 */
export function platformOfToken<K extends KindTypes>(
  db: Queryable,
  { name }: AttestationKind<K>,
  id: string,
  presented: unknown,
): Promise<string | null> {
  const hash = hashOfSecret(typeof presented === 'string' ? presented : '');
  return findPlatformOfToken(db, name, id, hash);
}

/** The addresses that a platform hands on together with a token (RULES A6). */
export interface AttestationUrls {
  /** The hosted page. */
  readonly pageUrl: string;
  readonly previewUrl: string;
  readonly respondUrl: string;
}

/** @param token as it is, or a placeholder for it. */
export function attestationUrls<K extends KindTypes>(
  { path, pagePath }: AttestationKind<K>,
  baseUrl: string,
  id: string,
  token: string,
): AttestationUrls {
  const request = `${baseUrl}${API_PREFIX}${path}/${id}`;
  return {
    pageUrl: `${baseUrl}${pagePath}/${id}?token=${token}`,
    previewUrl: `${request}/preview?token=${token}`,
    respondUrl: `${request}/respond`,
  };
}
