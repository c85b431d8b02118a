/**
 * Every error of the service: status, whether a retry can help, and the default message. Served at
 * `GET /errors` (RULES X1).
 */
export const errorCatalog = {
  ACTIVATION_NO_VALID_ROWS: {
    status: 400,
    retryable: false,
    message:
      'The campaign has no valid row: each is invalid or repeats another row of the call. Nothing was stored.',
  },
  ACTIVITY_ACTION_INVALID: {
    status: 400,
    retryable: false,
    message: 'Unknown `action`.',
  },
  ACTIVITY_FORMAT_INVALID: {
    status: 400,
    retryable: false,
    message: '`format` must be json or csv.',
  },
  ACTIVITY_RANGE_INVALID: {
    status: 400,
    retryable: false,
    message: '`from` and `to` must be dates or timestamps, with `from` not after `to`.',
  },
  ANALYTICS_RANGE_INVALID: {
    status: 400,
    retryable: false,
    message:
      'The window is not usable: give `days` as a whole number, or both `from` and `to` as YYYY-MM-DD with `from` not after `to`.',
  },
  ANALYTICS_WINDOW_CONFLICT: {
    status: 400,
    retryable: false,
    message: 'Give either `days` or `from` and `to`, not both.',
  },
  BACKTEST_QUEUE_UNAVAILABLE: {
    status: 503,
    retryable: true,
    message: 'No worker is running to process the backtest.',
  },
  BAD_REQUEST: {
    status: 400,
    retryable: false,
    message: 'The request is malformed.',
  },
  BOOK_FORMAT_INVALID: {
    status: 400,
    retryable: false,
    message: '`format` must be json or csv.',
  },
  BOOK_QUERY_INVALID: {
    status: 400,
    retryable: false,
    message: 'A filter, sort, order, limit or cursor of this list is invalid.',
  },
  BUSINESS_IDENTITY_NOT_DECLARED: {
    status: 400,
    retryable: false,
    message: 'Declare at least one identity of the business: legal name, trading name, homepage or DID.',
  },
  CAREER_FORMAT_INVALID: {
    status: 400,
    retryable: false,
    message: '`format` must be jsonresume or jsonld.',
  },
  CONFIRMATION_NOT_PENDING: {
    status: 409,
    retryable: false,
    message:
      'This confirmation was already decided or cancelled, or has expired. It accepts no further answer.',
  },
  CONFIRMATION_SELF: {
    status: 400,
    retryable: false,
    message:
      'The counterparty is the subject, its operator or your own platform, possibly in another spelling. Name another party: nobody can confirm their own outcome.',
  },
  CONFIRMATION_TOKEN_INVALID: {
    status: 401,
    retryable: false,
    message: 'The confirmation token is missing or does not belong to this request.',
  },
  CONFLICT: {
    status: 409,
    retryable: false,
    message: 'The resource is in a state that does not allow this.',
  },
  DISPATCH_CONTEXT_INVALID: {
    status: 400,
    retryable: false,
    message: '`context` knows one value: dispatch.',
  },
  EXPORT_FORMAT_INVALID: {
    status: 400,
    retryable: false,
    message: '`format` must be json or csv.',
  },
  EXPORT_RANGE_INVALID: {
    status: 400,
    retryable: false,
    message: '`from` and `to` must be dates or timestamps, with `from` not after `to`.',
  },
  FORBIDDEN: {
    status: 403,
    retryable: false,
    message: 'This key is valid but has no permission for this operation on this resource.',
  },
  IDEMPOTENCY_KEY_IN_USE: {
    status: 409,
    retryable: true,
    message: 'A request with this Idempotency-Key is still in progress. Retry to get its answer.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    retryable: false,
    message:
      'This Idempotency-Key was already used for another method, address or body. Use a new key, or repeat the first request with the same bytes.',
  },
  IMPORT_CSV_INVALID: {
    status: 400,
    retryable: false,
    message: 'The file is not a valid CSV file.',
  },
  IMPORT_QUEUE_UNAVAILABLE: {
    status: 503,
    retryable: true,
    message:
      'No worker is running to process the import, and the file is too large to import within the request.',
  },
  IMPORT_TOO_MANY_ROWS: {
    status: 400,
    retryable: false,
    message: 'The file has more rows than one import accepts. Split it.',
  },
  INGEST_MAPPING_INVALID: {
    status: 400,
    retryable: false,
    message: 'The mapping is invalid.',
  },
  INTERNAL_ERROR: {
    status: 500,
    retryable: true,
    message: 'Internal error. It was logged under the requestId.',
  },
  LINK_TOKEN_INVALID: {
    status: 401,
    retryable: false,
    message: 'The link token is unknown, already used or expired. Ask the first platform for a new one.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    retryable: false,
    message: 'This address does not support the method. `Allow` lists the supported ones.',
  },
  MONITOR_LIMIT_REACHED: {
    status: 409,
    retryable: false,
    message: "The plan's number of active monitors is used up.",
  },
  NOTIFICATION_CHANNEL_INVALID: {
    status: 400,
    retryable: false,
    message: "The channel's `type` or `target` is not usable.",
  },
  NOTIFICATION_CHANNEL_LIMIT_REACHED: {
    status: 409,
    retryable: false,
    message: "The plan's number of notification channels is used up.",
  },
  NOT_LOGGED_YET: {
    status: 503,
    retryable: true,
    message:
      'The transparency log does not cover this yet. Facts are logged and signed within seconds: retry after the seconds in `Retry-After`.',
  },
  NOT_FOUND: {
    status: 404,
    retryable: false,
    message: 'No resource has this address or id in this mode.',
  },
  OPERATOR_NOT_DECLARED: {
    status: 400,
    retryable: false,
    message: 'Another party runs this agent, so it has to be named: give `operator.name`.',
  },
  OVERLOADED: {
    status: 503,
    retryable: true,
    message:
      'The service is overloaded and did not start this request. Retry after the seconds in `Retry-After`.',
  },
  PAYLOAD_NOT_RETAINED: {
    status: 409,
    retryable: false,
    message: 'The body of this delivery is no longer stored, so it cannot be sent again.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    retryable: false,
    message: 'The request body is too large for this address.',
  },
  PLAN_REQUIRED: {
    status: 402,
    retryable: false,
    message: "The platform's plan does not include this.",
  },
  POLICY_LIMIT_REACHED: {
    status: 409,
    retryable: false,
    message: "The plan's number of active policies is used up.",
  },
  QUOTA_EXCEEDED: {
    status: 429,
    retryable: true,
    message: 'The monthly quota of this platform is used up.',
  },
  RATE_LIMIT_EXCEEDED: {
    status: 429,
    retryable: true,
    message: 'Too many requests within a minute.',
  },
  REFERENCE_NOT_PENDING: {
    status: 409,
    retryable: false,
    message: 'This reference was already decided or cancelled, or has expired. It accepts no further answer.',
  },
  REFERENCE_SELF: {
    status: 400,
    retryable: false,
    message:
      'The counterparty is the subject, its operator or your own platform, possibly in another spelling. Name another party as the reference.',
  },
  REFERENCE_TOKEN_INVALID: {
    status: 401,
    retryable: false,
    message: 'The reference token is missing or does not belong to this request.',
  },
  RESERVED_EXTERNAL_ID: {
    status: 400,
    retryable: false,
    message: 'In live mode an id may not start with `test:`. Use a test key for test subjects.',
  },
  SCOPE_CEILING_EXCEEDED: {
    status: 403,
    retryable: false,
    message: 'A key cannot grant scopes that it does not have.',
  },
  SCOPE_INSUFFICIENT: {
    status: 403,
    retryable: false,
    message: 'This key lacks the scope that the operation needs.',
  },
  SCREENING_NOT_COMPLETED: {
    status: 409,
    retryable: false,
    message: 'The screening has no results: it is not finished, or it failed.',
  },
  SCREENING_QUEUE_UNAVAILABLE: {
    status: 503,
    retryable: true,
    message: 'No worker is running to process the screening, and it is too large to run within the request.',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    retryable: true,
    message:
      'The database is unavailable. Retry with the same Idempotency-Key, so that nothing is written twice.',
  },
  STREAM_LIMIT_REACHED: {
    status: 429,
    retryable: true,
    message: "The plan's number of open streams is used up.",
  },
  SUBJECT_ERASED: {
    status: 410,
    retryable: false,
    message: 'The subject was erased. The service keeps nothing under this id and records nothing about it.',
  },
  TEST_MODE_NOT_ALLOWED: {
    status: 403,
    retryable: false,
    message: 'This operation is not available for test data. Use a live key and a live subject.',
  },
  TEST_MODE_ONLY: {
    status: 403,
    retryable: false,
    message: 'Only a test key may do this.',
  },
  UNAUTHORIZED: {
    status: 401,
    retryable: false,
    message: 'The credentials are missing or invalid.',
  },
  UNSUPPORTED_CONTENT_ENCODING: {
    status: 415,
    retryable: false,
    message:
      'A body is taken as it is or packed with gzip. Send it with `Content-Encoding: gzip`, or without one.',
  },
  USAGE_FORMAT_INVALID: {
    status: 400,
    retryable: false,
    message: '`format` must be json or csv.',
  },
  USAGE_RANGE_INVALID: {
    status: 400,
    retryable: false,
    message:
      'The window is not usable: give `days` as a whole number, or both `from` and `to` as dates with `from` not after `to`.',
  },
  USAGE_WINDOW_CONFLICT: {
    status: 400,
    retryable: false,
    message: 'Give either `days` or `from` and `to`, not both.',
  },
  USER_NOT_FOUND: {
    status: 404,
    retryable: false,
    message:
      'No score exists for this id. Either no event was reported for it in this mode, or its first score is still being computed.',
  },
  VALIDATION_ERROR: {
    status: 400,
    retryable: false,
    message: 'The request does not match the schema of this operation.',
  },
} as const satisfies Record<string, CatalogEntry>;

export type ErrorCode = keyof typeof errorCatalog;

interface CatalogEntry {
  readonly status: number;
  readonly retryable: boolean;
  readonly message: string;
}
