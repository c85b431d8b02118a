import type { ErrorCode } from './generated/operations.js';
import type { components } from './generated/schema.js';

type ErrorBody = components['schemas']['Error'];

/** The service refused a request, or failed. */
export class ReliabilityError extends Error {
  override readonly name = 'ReliabilityError';
  /** HTTP status. */
  readonly status: number;
  /** Versions of the service that are newer than this client may have further codes. */
  readonly code: ErrorCode | (string & {});
  /** Whether the same request can succeed later. The client has retried already. */
  readonly retryable: boolean;
  /** Seconds to wait before the next try, as the service asked for. */
  readonly retryAfter: number | undefined;
  /** Quote it when you ask the operator for help. */
  readonly requestId: string | undefined;
  /** For `VALIDATION_ERROR`: the invalid fields. */
  readonly details: ErrorBody['details'];

  constructor(response: Response, body: unknown) {
    const known = isErrorBody(body) ? body : undefined;
    super(known?.error ?? `The server answered ${response.status} without an error of the service.`);
    this.status = response.status;
    this.code = known?.code ?? 'UNKNOWN';
    this.retryable = known?.retryable ?? false;
    this.retryAfter = retryAfterOf(response);
    this.requestId = known?.requestId ?? response.headers.get('x-request-id') ?? undefined;
    this.details = known?.details;
  }
}

/** No complete answer arrived: the connection failed, or the time was up. */
export class ReliabilityConnectionError extends Error {
  override readonly name = 'ReliabilityConnectionError';
}

/** Seconds in `Retry-After`, also if it is a date; undefined without one. */
export function retryAfterOf(response: Response): number | undefined {
  const value = response.headers.get('retry-after');
  if (!value) return undefined;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}

export function isErrorBody(body: unknown): body is ErrorBody {
  return typeof body === 'object' && body !== null && 'code' in body && 'error' in body;
}
