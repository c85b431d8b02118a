interface CatalogEntry {
  readonly status: number;
  readonly retryable: boolean;
  /** For callers, unless the place that throws has a more specific one. */
  readonly message: string;
}

function withStatus<Code extends string>(status: number, retryable: boolean, messages: Record<Code, string>) {
  const entries = Object.entries<string>(messages).map(([code, message]) => [
    code,
    { status, retryable, message },
  ]);
  return Object.fromEntries(entries) as Record<Code, CatalogEntry>;
}

const entries = {
  ...withStatus(400, false, {
    ACTIVATION_NO_VALID_ROWS:
      'The campaign has no valid row: each is invalid or repeats another row of the call. Nothing was stored.',
    ACTIVITY_ACTION_INVALID: 'Unknown `action`.',
    ACTIVITY_FORMAT_INVALID: '`format` must be json or csv.',
    ACTIVITY_RANGE_INVALID: '`from` and `to` must be dates or timestamps, with `from` not after `to`.',
    ANALYTICS_RANGE_INVALID:
      'The window is not usable: give `days` as a whole number, or both `from` and `to` as YYYY-MM-DD with `from` not after `to`.',
    ANALYTICS_WINDOW_CONFLICT: 'Give either `days` or `from` and `to`, not both.',
    BAD_REQUEST: 'The request is malformed.',
    BOOK_FORMAT_INVALID: '`format` must be json or csv.',
    BOOK_QUERY_INVALID: 'A filter, sort, order, limit or cursor of this list is invalid.',
    BUSINESS_IDENTITY_NOT_DECLARED:
      'Declare at least one identity of the business: legal name, trading name, homepage or DID.',
    CAREER_FORMAT_INVALID: '`format` must be jsonresume or jsonld.',
    CONFIRMATION_SELF:
      'The counterparty is the subject, its operator or your own platform, possibly in another spelling. Name another party: nobody can confirm their own outcome.',
    DISPATCH_CONTEXT_INVALID: '`context` knows one value: dispatch.',
    EXPORT_FORMAT_INVALID: '`format` must be json or csv.',
    EXPORT_RANGE_INVALID: '`from` and `to` must be dates or timestamps, with `from` not after `to`.',
    IMPORT_CSV_INVALID: 'The file is not a valid CSV file.',
    IMPORT_TOO_MANY_ROWS: 'The file has more rows than one import accepts. Split it.',
    INGEST_MAPPING_INVALID: 'The mapping is invalid.',
    NOTIFICATION_CHANNEL_INVALID: "The channel's `type` or `target` is not usable.",
    OPERATOR_NOT_DECLARED: 'Another party runs this agent, so it has to be named: give `operator.name`.',
    REFERENCE_SELF:
      'The counterparty is the subject, its operator or your own platform, possibly in another spelling. Name another party as the reference.',
    RESERVED_EXTERNAL_ID: 'In live mode an id may not start with `test:`. Use a test key for test subjects.',
    USAGE_FORMAT_INVALID: '`format` must be json or csv.',
    USAGE_RANGE_INVALID:
      'The window is not usable: give `days` as a whole number, or both `from` and `to` as dates with `from` not after `to`.',
    USAGE_WINDOW_CONFLICT: 'Give either `days` or `from` and `to`, not both.',
    VALIDATION_ERROR: 'The request does not match the schema of this operation.',
  }),
  ...withStatus(401, false, {
    CONFIRMATION_TOKEN_INVALID: 'The confirmation token is missing or does not belong to this request.',
    LINK_TOKEN_INVALID:
      'The link token is unknown, already used or expired. Ask the first platform for a new one.',
    REFERENCE_TOKEN_INVALID: 'The reference token is missing or does not belong to this request.',
    UNAUTHORIZED: 'The credentials are missing or invalid.',
  }),
  ...withStatus(402, false, {
    PLAN_REQUIRED: "The platform's plan does not include this.",
  }),
  ...withStatus(403, false, {
    FORBIDDEN: 'This key is valid but has no permission for this operation on this resource.',
    SCOPE_CEILING_EXCEEDED: 'A key cannot grant scopes that it does not have.',
    SCOPE_INSUFFICIENT: 'This key lacks the scope that the operation needs.',
    TEST_MODE_NOT_ALLOWED:
      'This operation is not available for test data. Use a live key and a live subject.',
    TEST_MODE_ONLY: 'Only a test key may do this.',
  }),
  ...withStatus(404, false, {
    NOT_FOUND: 'No resource has this address or id in this mode.',
    USER_NOT_FOUND:
      'No score exists for this id. Either no event was reported for it in this mode, or its first score is still being computed.',
  }),
  ...withStatus(405, false, {
    METHOD_NOT_ALLOWED: 'This address does not support the method. `Allow` lists the supported ones.',
  }),
  ...withStatus(409, false, {
    CONFIRMATION_NOT_PENDING:
      'This confirmation was already decided or cancelled, or has expired. It accepts no further answer.',
    CONFLICT: 'The resource is in a state that does not allow this.',
    MONITOR_LIMIT_REACHED: "The plan's number of active monitors is used up.",
    NOTIFICATION_CHANNEL_LIMIT_REACHED: "The plan's number of notification channels is used up.",
    PAYLOAD_NOT_RETAINED: 'The body of this delivery is no longer stored, so it cannot be sent again.',
    POLICY_LIMIT_REACHED: "The plan's number of active policies is used up.",
    REFERENCE_NOT_PENDING:
      'This reference was already decided or cancelled, or has expired. It accepts no further answer.',
    SCREENING_NOT_COMPLETED: 'The screening has no results: it is not finished, or it failed.',
  }),
  ...withStatus(409, true, {
    IDEMPOTENCY_KEY_IN_USE:
      'A request with this Idempotency-Key is still in progress. Retry to get its answer.',
  }),
  ...withStatus(410, false, {
    SUBJECT_ERASED:
      'The subject was erased. The service keeps nothing under this id and records nothing about it.',
  }),
  ...withStatus(413, false, {
    PAYLOAD_TOO_LARGE: 'The request body is too large for this address.',
  }),
  ...withStatus(415, false, {
    UNSUPPORTED_CONTENT_ENCODING:
      'A body is taken as it is or packed with gzip. Send it with `Content-Encoding: gzip`, or without one.',
  }),
  ...withStatus(422, false, {
    IDEMPOTENCY_KEY_REUSED:
      'This Idempotency-Key was already used for another method, address or body. Use a new key, or repeat the first request with the same bytes.',
  }),
  ...withStatus(429, true, {
    QUOTA_EXCEEDED: 'The monthly quota of this platform is used up.',
    RATE_LIMIT_EXCEEDED: 'Too many requests within a minute.',
    STREAM_LIMIT_REACHED: "The plan's number of open streams is used up.",
  }),
  ...withStatus(500, true, {
    INTERNAL_ERROR: 'Internal error. It was logged under the requestId.',
  }),
  ...withStatus(503, true, {
    BACKTEST_QUEUE_UNAVAILABLE: 'No worker is running to process the backtest.',
    IMPORT_QUEUE_UNAVAILABLE:
      'No worker is running to process the import, and the file is too large to import within the request.',
    NOT_LOGGED_YET:
      'The transparency log does not cover this yet. Facts are logged and signed within seconds: retry after the seconds in `Retry-After`.',
    OVERLOADED:
      'The service is overloaded and did not start this request. Retry after the seconds in `Retry-After`.',
    SCREENING_QUEUE_UNAVAILABLE:
      'No worker is running to process the screening, and it is too large to run within the request.',
    SERVICE_UNAVAILABLE:
      'The database is unavailable. Retry with the same Idempotency-Key, so that nothing is written twice.',
  }),
};

export type ErrorCode = keyof typeof entries;

/**
 * Every error of the service: status, whether a retry can help, and the default message. Served at
 * `GET /errors` (RULES X1), by code.
 */
export const errorCatalog = Object.fromEntries(
  Object.entries(entries).sort(([left], [right]) => (left < right ? -1 : 1)),
) as Readonly<Record<ErrorCode, CatalogEntry>>;
