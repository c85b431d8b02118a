/**
 * Every error this service answers with: status, whether a retry can help, and the sentence sent when the place that
 * fails has nothing more precise to say. Served at `GET /errors` (RULES X1).
 */
export const errorCatalog = {
  ACTIVATION_NO_VALID_ROWS: {
    status: 400,
    retryable: false,
    message:
      'No row of the campaign can be used: each is invalid or repeats another row of the same call. Nothing was stored.',
  },
  ACTIVITY_ACTION_INVALID: {
    status: 400,
    retryable: false,
    message: '`action` names no action that the activity log records.',
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
  BAD_REQUEST: {
    status: 400,
    retryable: false,
    message: 'The request cannot be read as it stands.',
  },
  BOOK_FORMAT_INVALID: {
    status: 400,
    retryable: false,
    message: '`format` must be json or csv.',
  },
  BOOK_QUERY_INVALID: {
    status: 400,
    retryable: false,
    message: 'A filter, the sort, the order, the limit or the cursor of this listing is not usable.',
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
    message: 'This confirmation has been decided, cancelled or has expired, so it takes no further answer.',
  },
  CONFIRMATION_SELF: {
    status: 400,
    retryable: false,
    message:
      'The counterparty is the subject, who runs it, or your own platform, under some spelling. Name another party: nobody confirms their own outcome.',
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
    message: 'This key is valid, but may not do that to this resource.',
  },
  IDEMPOTENCY_KEY_IN_USE: {
    status: 409,
    retryable: true,
    message:
      'A request with this Idempotency-Key is still being worked on. Ask again in a moment for its answer.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    retryable: false,
    message:
      'This Idempotency-Key was used before for a different request. Take a new key, or send the first request again unchanged.',
  },
  IMPORT_CSV_INVALID: {
    status: 400,
    retryable: false,
    message: 'The file is not a CSV that can be imported.',
  },
  IMPORT_QUEUE_UNAVAILABLE: {
    status: 503,
    retryable: true,
    message: 'No worker is taking imports at the moment, and the file is too large to be done at once.',
  },
  IMPORT_TOO_MANY_ROWS: {
    status: 400,
    retryable: false,
    message: 'The file has more rows than one import takes. Split it.',
  },
  INGEST_MAPPING_INVALID: {
    status: 400,
    retryable: false,
    message: 'The mapping cannot be used.',
  },
  INTERNAL_ERROR: {
    status: 500,
    retryable: true,
    message: 'Something went wrong on our side. It has been logged under the requestId.',
  },
  LINK_TOKEN_INVALID: {
    status: 401,
    retryable: false,
    message: 'The link token is unknown, used up or expired. Ask the first platform for a new one.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    retryable: false,
    message: 'This address does not take that method; `Allow` lists those it takes.',
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
  NOT_FOUND: {
    status: 404,
    retryable: false,
    message: 'Nothing is here under that address or id, in this mode.',
  },
  OPERATOR_NOT_DECLARED: {
    status: 400,
    retryable: false,
    message: 'Another party runs this agent, so it has to be named: give `operator.name`.',
  },
  OVERLOADED: {
    status: 503,
    retryable: true,
    message: 'The service is taking in as much as it can and refused this request before starting it.',
  },
  PAYLOAD_NOT_RETAINED: {
    status: 409,
    retryable: false,
    message: 'The body of this delivery is no longer kept, so it cannot be sent again.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    retryable: false,
    message: 'The request body is larger than this address takes.',
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
    message: 'The monthly quota of this platform is spent.',
  },
  RATE_LIMIT_EXCEEDED: {
    status: 429,
    retryable: true,
    message: 'Too many requests within a minute.',
  },
  REFERENCE_NOT_PENDING: {
    status: 409,
    retryable: false,
    message: 'This reference has been decided, cancelled or has expired, so it takes no further answer.',
  },
  REFERENCE_SELF: {
    status: 400,
    retryable: false,
    message:
      'The counterparty is the subject, who runs it, or your own platform, under some spelling. Name another party as the reference.',
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
    message: 'A key cannot hand out more than it may do itself.',
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
    message: 'No worker is taking screenings at the moment, and the job is too large to be done at once.',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    retryable: true,
    message:
      'The database does not answer at the moment. Retry with the same Idempotency-Key, so that nothing is written twice.',
  },
  STREAM_LIMIT_REACHED: {
    status: 429,
    retryable: true,
    message: "The plan's number of open streams is used up.",
  },
  TEST_MODE_NOT_ALLOWED: {
    status: 403,
    retryable: false,
    message: 'Test data cannot become something that others rely on. Use a live key and a live subject.',
  },
  TEST_MODE_ONLY: {
    status: 403,
    retryable: false,
    message: 'Only a test key may do this.',
  },
  UNAUTHORIZED: {
    status: 401,
    retryable: false,
    message: 'The credentials are missing or not valid.',
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
      'No score is known for this id. Either no event was ever reported for it in this mode, or its first one is still being worked into a score.',
  },
  VALIDATION_ERROR: {
    status: 400,
    retryable: false,
    message: 'The request does not have the shape this operation takes.',
  },
} as const satisfies Record<string, CatalogEntry>;

export type ErrorCode = keyof typeof errorCatalog;

interface CatalogEntry {
  readonly status: number;
  readonly retryable: boolean;
  readonly message: string;
}
