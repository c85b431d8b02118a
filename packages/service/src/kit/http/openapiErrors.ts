import { type ErrorCode, errorCatalog } from '#domain/errorCatalog.js';
import { groupBy, mapValues } from '../lists.js';
import { isMediaAnswer } from './answer.js';
import { namedSubjectsOf } from './mount.js';
import { mediaType, type ResponseObject, type SchemaRegistry } from './openapiSchemas.js';
import type { Examples } from './openapiTexts.js';
import type { Operation, Route } from './route.js';

export function errorExamples(examples: Examples) {
  return mapValues(errorCatalog, ({ message, retryable }, code) => {
    const details = examples.of(`Error ${code}`);
    const requestId = '0b9a4c1e-5f0d-4e58-9a51-6f2f8d3c7b10';
    const value = { error: message, code, requestId, retryable, ...(details !== undefined && { details }) };
    return { summary: code, value };
  });
}

function errorCodesOf(operation: Operation): ErrorCode[] {
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
    const isAlsoJson = Object.values(answers).some((answer) =>
      answer && isMediaAnswer(answer) ? answer.json : answer,
    );
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

export function headerReferences(names: readonly string[]): ResponseObject['headers'] {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
