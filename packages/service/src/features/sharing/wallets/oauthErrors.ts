import { z } from 'zod';
import type { ErrorCode } from '#domain/errorCatalog.js';
import type { ErrorShape } from '#kit/http/route.js';

/**
 * Errors in the format of OAuth.
 * @param malformed code for a request that cannot be parsed.
 */
export function oauthErrors(malformed: 'invalid_request' | 'invalid_credential_request'): ErrorShape {
  return {
    schema: OauthError,
    answer({ status, code, cause, message }) {
      const error = errorOfRefusal(cause) ?? errorOf(code, malformed);
      return {
        status,
        body: { error, error_description: printable(message) },
        headers: { 'Content-Type': 'application/json; charset=utf-8' },
      };
    },
  };
}

/** Of the protocol's library, which is not loaded here. */
function errorOfRefusal(cause: unknown): string | undefined {
  return (cause as { errorResponse?: { error: string } } | undefined)?.errorResponse?.error;
}

function errorOf(code: ErrorCode, malformed: string): string {
  switch (code) {
    case 'INTERNAL_ERROR':
      return 'server_error';
    case 'RATE_LIMIT_EXCEEDED':
    case 'SERVICE_UNAVAILABLE':
    case 'OVERLOADED':
      return 'temporarily_unavailable';
    default:
      return malformed;
  }
}

/** RFC 6749, 5.2: ASCII without quotation marks and backslashes. */
function printable(text: string): string {
  return text
    .replace(/["\\]/g, "'")
    .replace(/[^\x20-\x7e]+/g, ' ')
    .trim();
}

const OauthError = z
  .object({
    error: z.string(),
    error_description: z.string(),
  })
  .meta({ id: 'OauthError' });
