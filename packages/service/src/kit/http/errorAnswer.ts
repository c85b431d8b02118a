import type { FastifyError, FastifyRequest } from 'fastify';
import { type ErrorCode, errorCatalog } from '../../domain/errorCatalog.js';
import { ServiceError, serviceError } from '../../domain/errors.js';
import { isDatabaseBusy, isDatabaseUnavailable } from '../db/database.js';

/** The body of every error (RULES X1). */
export interface ErrorBody {
  error: string;
  code: ErrorCode;
  requestId: string;
  retryable: boolean;
  details?: unknown;
}

export function errorBody(error: ServiceError, requestId: string): ErrorBody {
  const body: ErrorBody = {
    error: error.message,
    code: error.code,
    requestId,
    retryable: error.retryable,
  };
  if (error.details !== undefined) body.details = error.details;
  return body;
}

/**
 * Every refusal and every failure is logged once, where it is answered: the route's pattern, and nothing that was sent. Failed log-ins
 * have their line already, or were left out of the log.
 */
export function logError(error: ServiceError, request: FastifyRequest): void {
  const facts = {
    code: error.code,
    status: error.status,
    method: request.method,
    route: request.routeOptions?.url,
  };
  if (error.status >= 500) request.log.error({ err: error.cause ?? error, ...facts }, 'request failed');
  else if (!request.isFailedLogin) request.log.info(facts, 'request refused');
}

/** An error of the catalogue for anything thrown. An unforeseen one is INTERNAL_ERROR, with its cause for the log. */
export function toServiceError(thrown: unknown): ServiceError {
  return withRetryAfter(thrown instanceof ServiceError ? thrown : errorOf(thrown));
}

function errorOf(thrown: unknown): ServiceError {
  if (isDatabaseBusy(thrown)) {
    return overloaded('The database is overloaded. Nothing of this request was done.', thrown);
  }
  if (isDatabaseUnavailable(thrown)) {
    return serviceError('SERVICE_UNAVAILABLE', { cause: thrown });
  }
  const refusal = refusalOfServer(thrown);
  return refusal ?? serviceError('INTERNAL_ERROR', { cause: thrown });
}

/** Load that passes within seconds. `message` says what is overloaded. */
export function overloaded(message: string, cause?: unknown): ServiceError {
  return serviceError('OVERLOADED', {
    message: `${message} Retry after 2 s.`,
    headers: { 'Retry-After': '2' },
    cause,
  });
}

/** A retryable refusal always says when to retry: after 1 s unless it knows better. */
function withRetryAfter(error: ServiceError): ServiceError {
  if (!errorCatalog[error.code].retryable || error.status === 500 || 'Retry-After' in error.headers)
    return error;
  return serviceError(error.code, {
    message: error.message,
    details: error.details,
    headers: { ...error.headers, 'Retry-After': '1' },
    cause: error.cause,
  });
}

/** The web server's own refusals: body too large, not JSON, no such content type, malformed URL. */
function refusalOfServer(thrown: unknown): ServiceError | null {
  if (!(thrown instanceof Error) || !('statusCode' in thrown)) return null;
  const { code, statusCode } = thrown as FastifyError;
  if (statusCode === undefined || statusCode < 400 || statusCode > 499) return null;
  if (statusCode === 413) return serviceError('PAYLOAD_TOO_LARGE', { cause: thrown });
  return serviceError('BAD_REQUEST', { message: sentences[code] ?? unreadable, cause: thrown });
}

const unreadable = 'The request cannot be read as HTTP with a JSON body.';

const sentences: Readonly<Record<string, string>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'This address does not take that content type. Send application/json.',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'The body is empty although the content type announces JSON.',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'The body is shorter or longer than Content-Length says.',
  FST_ERR_BAD_URL: 'The address holds a malformed percent-encoding.',
  FST_ERR_MAX_PARAM_LENGTH: 'A part of the path is too long.',
};
