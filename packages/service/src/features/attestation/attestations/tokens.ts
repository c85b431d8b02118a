import { API_PREFIX } from '#kit/http/route.js';
import type { AttestationKind, KindTypes } from './kind.js';

/**
 * The addresses that a platform hands on together with a token (RULES A6).
 * @param token as it is, or a placeholder for it.
 */
export function attestationUrls(
  { path, pagePath }: Pick<AttestationKind<KindTypes>, 'path' | 'pagePath'>,
  baseUrl: string,
  id: string,
  token: string,
) {
  const request = `${baseUrl}${API_PREFIX}${path}/${id}`;
  return {
    pageUrl: `${baseUrl}${pagePath}/${id}?token=${token}`,
    previewUrl: `${request}/preview?token=${token}`,
    respondUrl: `${request}/respond`,
  };
}
