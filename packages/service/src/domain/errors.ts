import { type ErrorCode, errorCatalog } from './errorCatalog.js';

/** `message` is for the caller. Details for the operator go into `cause`, which is logged and never sent. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly status: number;
  readonly retryable: boolean;

  readonly details: unknown;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    readonly code: ErrorCode,
    { message = errorCatalog[code].message, details, headers = {}, cause }: FailOptions = {},
  ) {
    super(message, { cause });
    this.status = errorCatalog[code].status;
    this.retryable = errorCatalog[code].retryable;
    this.details = details;
    this.headers = headers;
  }
}

interface FailOptions {
  message?: string;
  details?: unknown;
  headers?: Record<string, string>;
  cause?: unknown;
}

export function fail(code: ErrorCode, options?: FailOptions): never {
  throw serviceError(code, options);
}

export function serviceError(code: ErrorCode, options?: FailOptions): ServiceError {
  return new ServiceError(code, options);
}

/** One entry of `VALIDATION_ERROR.details` (RULES X2): `path` is dotted, `code` one of eight. */
export interface ValidationDetail {
  path: string;
  message: string;
  code: ValidationCode;
  expected?: unknown;
  received?: unknown;
}

export type ValidationCode =
  | 'required'
  | 'invalid_type'
  | 'invalid_value'
  | 'too_small'
  | 'too_big'
  | 'invalid_format'
  | 'unrecognized'
  | 'custom';

export function failValidation(details: ValidationDetail[], message?: string): never {
  throw validationError(details, message);
}

export function validationError(
  details: readonly ValidationDetail[],
  message = sentenceOf(details),
): ServiceError {
  return serviceError('VALIDATION_ERROR', { details, message });
}

export function sentenceOf(details: readonly ValidationDetail[]): string {
  const [first, ...others] = details;
  if (!first) return errorCatalog.VALIDATION_ERROR.message;
  const path = first.path === '' ? '' : `${first.path}: `;
  const rest = others.length === 0 ? '' : ` (and ${others.length} more, see details)`;
  return `${path}${first.message}${rest}`;
}

export function assertNever(value: never): never {
  throw new Error(`Unhandled case: ${JSON.stringify(value)}`);
}
