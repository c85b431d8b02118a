import type { FastifyBaseLogger, FastifyError, FastifyInstance, FastifyRequest } from 'fastify';
import { type ErrorCode, errorCatalog } from '#domain/errorCatalog.js';
import { ServiceError, serviceError } from '#domain/errors.js';
import { isDatabaseBusy, isDatabaseUnavailable } from '../db/database.js';

export function errorBody(error: ServiceError, requestId: string) {
  const { message, code, retryable, details } = error;
  return { error: message, code, requestId, retryable, ...(details !== undefined && { details }) };
}

/** The log of a request: its lines have the request's id. Making it takes 4 µs, and most requests log nothing. */
export function logOf({ server, id }: FastifyRequest): FastifyBaseLogger {
  return server.log.child({ requestId: id });
}

/** Once, with nothing that was sent. Failed log-ins are already logged; refusals for load are counted. */
export function logError(error: ServiceError, request: FastifyRequest): void {
  const { code, status } = error;
  if (status === 429 || code === 'OVERLOADED') {
    request.server.refusals.note(error);
    return;
  }
  const facts = { code, status, method: request.method, route: request.routeOptions?.url };
  if (status >= 500) logOf(request).error({ err: error.cause ?? error, ...facts }, 'request failed');
  else if (!request.isFailedLogin) logOf(request).info(facts, 'request refused');
}

/** An unexpected error becomes INTERNAL_ERROR, with its cause for the log. */
export function toServiceError(thrown: unknown): ServiceError {
  return withRetryAfter(thrown instanceof ServiceError ? thrown : errorOf(thrown));
}

function errorOf(thrown: unknown): ServiceError {
  if (isDatabaseBusy(thrown))
    return overloaded('The database is overloaded. The request was not executed.', thrown);
  if (isDatabaseUnavailable(thrown)) return serviceError('SERVICE_UNAVAILABLE', { cause: thrown });
  return refusalOfServer(thrown) ?? serviceError('INTERNAL_ERROR', { cause: thrown });
}

/** For load that passes within seconds. The message says what is overloaded. */
export function overloaded(message: string, cause?: unknown): ServiceError {
  return serviceError('OVERLOADED', {
    message: `${message} Retry after 2 s.`,
    headers: { 'Retry-After': '2' },
    cause,
  });
}

/** Every retryable error has Retry-After, 1 s by default. */
function withRetryAfter(error: ServiceError): ServiceError {
  if (!errorCatalog[error.code].retryable || error.status === 500 || 'Retry-After' in error.headers)
    return error;
  const { code, message, details, cause } = error;
  return serviceError(code, { message, details, headers: { ...error.headers, 'Retry-After': '1' }, cause });
}

/** Errors of the web server: body too large, not JSON, unknown content type, malformed URL. */
function refusalOfServer(thrown: unknown): ServiceError | null {
  if (!(thrown instanceof Error) || !('statusCode' in thrown)) return null;
  const { code, statusCode } = thrown as FastifyError;
  if (statusCode === undefined || statusCode < 400 || statusCode > 499) return null;
  if (statusCode === 413) return serviceError('PAYLOAD_TOO_LARGE', { cause: thrown });
  return serviceError('BAD_REQUEST', { message: sentences[code] ?? unreadable, cause: thrown });
}

const unreadable = 'The request cannot be read as HTTP with a JSON body.';
const sentences: Readonly<Record<string, string>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'This address does not accept that content type. Send application/json.',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'The body is empty, but the content type is JSON.',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'The body does not have the length that Content-Length says.',
  FST_ERR_BAD_URL: 'The address contains a malformed percent-encoding.',
  FST_ERR_MAX_PARAM_LENGTH: 'A segment of the path is too long.',
};

declare module 'fastify' {
  interface FastifyInstance {
    /** For load: 429 and OVERLOADED. */
    refusals: { note(error: ServiceError): void };
  }
}

const MINUTE_MS = 60_000;

/** One line a minute: a line for each would cost more than the refusal, and fill the disk. */
export function countRefusals(app: FastifyInstance, log: FastifyBaseLogger): void {
  let refused: Partial<Record<ErrorCode, number>> = {};
  let cause: unknown;
  let timer: NodeJS.Timeout | undefined;
  app.decorate('refusals', {
    note(error) {
      refused[error.code] = (refused[error.code] ?? 0) + 1;
      cause ??= error.cause;
      timer ??= setTimeout(write, MINUTE_MS).unref();
    },
  });
  app.addHook('onClose', (_, done) => {
    if (timer) write();
    done();
  });

  function write(): void {
    clearTimeout(timer);
    timer = undefined;
    // Of the causes one is enough: the database that did not answer in time.
    log.warn(cause === undefined ? { refused } : { refused, err: cause }, 'requests were refused for load');
    refused = {};
    cause = undefined;
  }
}
