/** Lifetime of an access token. */
export const ACCESS_MS = 600_000;

/** RFC 6750, 2.1. */
export function accessTokenOf(authorization: string | undefined): string | undefined {
  return /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(authorization ?? '')?.[1];
}
