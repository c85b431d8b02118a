import { type ErrorCode, errorCatalog } from '../../domain/errorCatalog.js';
import { groupBy, mapValues } from '../lists.js';
import { isMediaAnswer } from './answer.js';
import { namedSubjectsOf } from './mount.js';
import { headerReferences } from './openapiHeaders.js';
import type { JsonSchema, ResponseObject } from './openapiSchemas.js';
import { mediaType, type SchemaRegistry } from './openapiSchemas.js';
import type { Operation, Route } from './route.js';

/** The shape of every error (RULES X1). `code` is not an enum, because the list may grow. */
export const errorSchemas: Readonly<Record<string, JsonSchema>> = {
  Error: {
    type: 'object',
    description: 'The body of every error.',
    required: ['error', 'code', 'requestId', 'retryable'],
    properties: {
      error: text('What went wrong, as a sentence for people.'),
      code: text('What went wrong, for programs. `GET /errors` lists every code.'),
      requestId: text('The same id as in the header `X-Request-Id`. Quote it when you ask for help.'),
      retryable: {
        type: 'boolean',
        description: 'Whether sending the same request again can succeed, after `Retry-After` seconds.',
      },
      details: {
        description:
          'Details of the error: for `VALIDATION_ERROR` the list of invalid fields, for other codes an object.',
        anyOf: [
          { type: 'array', items: { $ref: '#/components/schemas/ValidationDetail' } },
          { type: 'object', additionalProperties: true },
        ],
      },
    },
  },
  ValidationDetail: {
    type: 'object',
    description: 'One error in a request.',
    required: ['path', 'message', 'code'],
    properties: {
      path: text('Dotted path of the invalid field: `events.3.dueDate`. Empty for the request as a whole.'),
      message: text('What is wrong with this field.'),
      code: text(
        'One of `required`, `invalid_type`, `invalid_value`, `too_small`, `too_big`, `invalid_format`, `unrecognized`, `custom`.',
      ),
      expected: { description: 'What is accepted, if known.' },
      received: { description: 'What was sent, if known.' },
    },
  },
};

function text(description: string): JsonSchema {
  return { type: 'string', description };
}

/** An example of each error in the catalogue. */
export function errorExamples(): Record<string, { summary: string; value: unknown }> {
  return mapValues(errorCatalog, ({ message, retryable }, code) => {
    const details = exampleDetails[code as ErrorCode];
    const requestId = '0b9a4c1e-5f0d-4e58-9a51-6f2f8d3c7b10';
    return {
      summary: code,
      value: { error: message, code, requestId, retryable, ...(details && { details }) },
    };
  });
}

const exampleDetails: Partial<Record<ErrorCode, object>> = {
  VALIDATION_ERROR: [
    {
      path: 'eventType',
      message: 'must be a string, not a number',
      code: 'invalid_type',
      expected: 'string',
      received: 'number',
    },
  ],
  SCOPE_INSUFFICIENT: {
    required: ['events:write', 'events:*', 'events', '*', 'write'],
    held: ['scores:read'],
  },
  SCOPE_CEILING_EXCEEDED: { exceeded: ['admin:write'] },
  PLAN_REQUIRED: { feature: 'screenings', currentTier: 'starter', requiredPlan: 'enterprise' },
  MONITOR_LIMIT_REACHED: { limit: 10, tier: 'starter' },
  POLICY_LIMIT_REACHED: { limit: 5, tier: 'starter', mode: 'live' },
  NOTIFICATION_CHANNEL_LIMIT_REACHED: { limit: 3 },
  STREAM_LIMIT_REACHED: { limit: 2 },
};

/** All errors of an operation: those that its route names and those that follow from its properties. */
export function errorCodesOf(operation: Operation): ErrorCode[] {
  const named = (operation.route.errors ?? []).map(knownCode);
  return [...new Set([...named, ...codesThatFollow(operation)])].sort();
}

function codesThatFollow(operation: Operation): ErrorCode[] {
  const { access, params, query, body, unmetered, quotaFree, plan, idempotent } = operation.route;
  const isWrite = operation.method !== 'GET';
  const codes: readonly [unknown, ...ErrorCode[]][] = [
    [true, 'BAD_REQUEST', 'INTERNAL_ERROR'],
    [!unmetered, 'RATE_LIMIT_EXCEEDED'],
    [plan, 'PLAN_REQUIRED'],
    [access.kind !== 'public', 'UNAUTHORIZED', 'SERVICE_UNAVAILABLE', 'OVERLOADED'],
    [access.kind === 'key', 'FORBIDDEN'], // a key that is used outside its networks
    [access.kind === 'key' && !quotaFree, 'QUOTA_EXCEEDED'],
    [access.kind === 'key' && (access.scope || access.asks), 'SCOPE_INSUFFICIENT'],
    [params || query || body || isWrite || idempotent, 'VALIDATION_ERROR'],
    [namedSubjectsOf(operation), 'SUBJECT_ERASED'],
    [isWrite, 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_CONTENT_ENCODING'],
    [idempotent, 'IDEMPOTENCY_KEY_IN_USE', 'IDEMPOTENCY_KEY_REUSED'],
  ];
  return codes.flatMap(([applies, ...following]) => (applies ? following : []));
}

function knownCode(code: string): ErrorCode {
  if (Object.hasOwn(errorCatalog, code)) return code as ErrorCode;
  throw new Error(`a route names the error ${code}, which is not in the catalogue`);
}

/** The error answers of an operation, by status. Each example has its error code as name. */
export function errorResponses(
  operation: Operation,
  registry: SchemaRegistry,
): Record<string, ResponseObject> {
  const byStatus = groupBy(errorCodesOf(operation), (code) => String(errorCatalog[code].status));
  return mapValues(Object.fromEntries(byStatus), (codes) => responseOf(codes, operation, registry));
}

function responseOf(
  codes: readonly ErrorCode[],
  { route }: Operation,
  registry: SchemaRegistry,
): ResponseObject {
  const isRetryable = codes.some((code) => errorCatalog[code].retryable && errorCatalog[code].status !== 500);
  return {
    description:
      (route.errorShape && registry.descriptionOf(route.errorShape.schema)) ??
      codes.map((code) => `\`${code}\``).join(', '),
    headers: headerReferences(['X-Request-Id', ...(isRetryable ? ['Retry-After'] : [])]),
    content: contentOf(codes, route, registry),
  };
}

function contentOf(
  codes: readonly ErrorCode[],
  { errorPage, errorShape, answers }: Route,
  registry: SchemaRegistry,
): ResponseObject['content'] {
  // A malformed address matches no route, so it gets JSON instead of a page.
  if (errorPage) {
    const page = answers[200];
    const isAlsoJson = page && isMediaAnswer(page) && page.json;
    const asJson = isAlsoJson ? codes : codes.filter((code) => code === 'BAD_REQUEST');
    return asJson.length > 0 ? { ...PAGE, ...jsonContent(asJson) } : PAGE;
  }
  return errorShape
    ? { 'application/json': mediaType(registry.place(errorShape.schema, 'output', 'error')) }
    : jsonContent(codes);
}

const PAGE: ResponseObject['content'] = {
  'text/html': { schema: { type: 'string' }, example: '<!doctype html>...' },
};

function jsonContent(codes: readonly ErrorCode[]): ResponseObject['content'] {
  return {
    'application/json': {
      schema: { $ref: '#/components/schemas/Error' },
      examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
    },
  };
}
