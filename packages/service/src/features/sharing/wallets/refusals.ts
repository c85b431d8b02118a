import { Oauth2ErrorCodes, Oauth2ServerErrorResponseError } from '@openid4vc/oauth2';
import { type ServiceError, serviceError } from '#domain/errors.js';

/** Throws an error of OAuth (RFC 6749, 6750) or OpenID4VCI. The answer contains the description. */
export function refuse(error: Oauth2ErrorCodes, description: string): never {
  throw asServiceError(new Oauth2ServerErrorResponseError({ error, error_description: description }));
}

/**
 * Throws for a missing or invalid access token. For a missing one the challenge names no error (RFC
 * 6750, 3.1).
 */
export function refuseToken(description: string, isPresented: boolean): never {
  const refusal = new Oauth2ServerErrorResponseError({
    error: Oauth2ErrorCodes.InvalidToken,
    error_description: description,
  });
  const challenge = isPresented
    ? `Bearer error="invalid_token", error_description="${description}"`
    : 'Bearer';
  throw serviceError('UNAUTHORIZED', {
    message: description,
    headers: { 'WWW-Authenticate': challenge },
    cause: refusal,
  });
}

/** Turns errors of the protocol library into answers. */
export async function withRefusals<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Oauth2ServerErrorResponseError ? asServiceError(error) : error;
  }
}

/** A protocol error as the cause of a ServiceError. */
export function asServiceError(refusal: Oauth2ServerErrorResponseError): ServiceError {
  const isScope = refusal.errorResponse.error === Oauth2ErrorCodes.InsufficientScope;
  return serviceError(isScope ? 'FORBIDDEN' : 'BAD_REQUEST', {
    message: refusal.errorResponse.error_description,
    ...(isScope && { headers: { 'WWW-Authenticate': 'Bearer error="insufficient_scope"' } }),
    cause: refusal,
  });
}
