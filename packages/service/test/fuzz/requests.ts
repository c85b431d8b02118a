import fc from 'fast-check';
import type { OpenApiDocument, OperationObject, ParameterObject } from '#kit/http/openapiSchemas.js';
import type { WireRequest } from './send.js';
import { mutated, oddValue } from './values.js';

export interface Credentials {
  live: string;
  test: string;
  admin: string;
}

interface Target {
  method: string;
  path: string;
  operation: OperationObject;
}

/**
 * Half of the requests are nearly valid, made from the document's examples. The other half is
 * arbitrary.
 */
export function anyRequest(document: OpenApiDocument, credentials: Credentials): fc.Arbitrary<WireRequest> {
  const targets = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  const finite = targets.filter(
    ({ operation }) => !operation.responses['200']?.content?.['text/event-stream'],
  );
  // Operations with a body have more inputs, so they get more requests.
  const writes = finite.filter(({ operation }) => operation.requestBody);
  return fc
    .constantFrom(...finite, ...writes, ...writes, ...writes)
    .chain((target) => fc.oneof(nearlyRight(target, credentials), whatever(target, credentials)));
}

function nearlyRight(target: Target, credentials: Credentials): fc.Arbitrary<WireRequest> {
  const { operation } = target;
  const example = operation.requestBody?.content['application/json']?.example;
  return fc
    .record({
      path: addressOf(target, exampleSegment),
      query: fc.array(fc.constantFrom(...queryOf(operation)).chain(exampleQuery), { maxLength: 3 }),
      body: example === undefined ? fc.constant(null) : mutated(example).map(json),
      credential: fc.constantFrom(...fittingCredentials(operation, credentials)),
      key: fc.option(
        fc.nat({ max: 200 }).map((number) => `key-${number}-of-the-fuzz`),
        { freq: 1 },
      ),
    })
    .map(({ path, query, body, credential, key }) => ({
      method: target.method,
      path: withQuery(path, query),
      headers: {
        ...credential,
        ...(key !== null && { 'Idempotency-Key': key }),
        ...(body && { 'Content-Type': 'application/json', 'Content-Length': String(body.length) }),
      },
      body,
    }));
}

function whatever(target: Target, credentials: Credentials): fc.Arbitrary<WireRequest> {
  return fc
    .record({
      method: fc.oneof(
        fc.constant(target.method),
        fc.constantFrom('GET', 'POST', 'PATCH', 'DELETE', 'PUT', 'HEAD', 'OPTIONS'),
      ),
      path: fc.oneof(
        addressOf(target, () => oddSegment),
        oddSegment.map((segment) => `/api/v1/${segment}`),
      ),
      query: fc.array(fc.constantFrom(...queryOf(target.operation)).chain(oddQuery), { maxLength: 4 }),
      headers: fc.record({ ...oddHeaders(credentials) }, { requiredKeys: [] }),
      body: fc.option(
        fc.oneof(
          oddValue.map(json),
          fc.constantFrom(...rawBodies),
          fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
        ),
      ),
    })
    .map(({ method, path, query, headers, body }) => ({
      method: method === 'HEAD' && withQuery(path, query).length > MAX_HEAD ? 'GET' : method,
      path: withQuery(path, query),
      headers: { ...headers, ...(body && { 'Content-Length': String(body.length) }) },
      body,
    }));
}

/** If headers are too large the server has not read the method, so even a HEAD gets a body. */
const MAX_HEAD = 8000;

/** Deeper than any call stack; the escape makes the body parser read every text. */
const DEEP = `${'{"a":['.repeat(20_000)}"\\u0041"${']}'.repeat(20_000)}`;

const rawBodies = [
  `{"userId":${DEEP}}`,
  `{"events":[{"metadata":${DEEP}}]}`,
  '',
  '{',
  '{"events":',
  '{"a":1}{"b":2}',
  '{"__proto__":{"isAdmin":true},"userId":"x"}',
  '{"constructor":{"prototype":{"x":1}}}',
  '{"userId":"a","userId":"b"}',
  '{"transactionValue":1e999}',
  '{"events":[{"userId":"\\ud800"}]}',
  '{"userIds":["\\u0000"]}',
  `${'['.repeat(100_000)}`,
  `{"events":[${'{},'.repeat(20_000)}{}]}`,
  '\ufeff{"userId":"bom"}',
].map((text) => Buffer.from(text));

function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value) ?? '');
}

type SegmentOf = (parameter: ParameterObject | undefined) => fc.Arbitrary<string>;

function addressOf({ path, operation }: Target, segmentOf: SegmentOf): fc.Arbitrary<string> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
  const segments = names.map((name) =>
    segmentOf(operation.parameters?.find((parameter) => parameter.in === 'path' && parameter.name === name)),
  );
  return fc.tuple(...segments).map(([...values]) => path.replace(/\{\w+\}/g, () => values.shift() ?? ''));
}

const exampleSegment: SegmentOf = (parameter) => {
  const known = parameter?.example === undefined ? 'worker-4711' : String(parameter.example);
  return fc.constantFrom(encodeURIComponent(known), 'worker-4711', '0199a3c2-7b1e-7c40-8d21-5f0c9b7a1e34');
};

/** Only characters that are legal in a request line; they may decode to anything. */
const oddSegment: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('', '.', '..', '%2e%2e', '%2F', 'a%2Fb', '~', ';', '*', ':id'),
  fc.constantFrom('%00', 'a%00b', '%', '%zz', '%ff', '%c3%28', '%ed%a0%80'),
  fc.constantFrom('x'.repeat(256), 'x'.repeat(5000), '%F0%9F%99%82'.repeat(255), '%F0%9F%99%82'.repeat(400)),
  fc.string({ unit: 'grapheme', maxLength: 20 }).map(encodeLoosely),
);

/** Cursors that decode to JSON of another shape. */
const oddCursor = fc.constantFrom('WzFd', 'W10', 'bnVsbA', 'eyJhIjoxfQ', 'WyJhIiwiYiJd', 'WzFlOTk5XQ');
const oddNumber = fc.constantFrom('-1', '1e3', '0x10', '9007199254740993', '999999999999999');

function encodeLoosely(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function queryOf(operation: OperationObject): ParameterObject[] {
  const declared = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query');
  return [...declared, { name: 'unforeseen', in: 'query', schema: { type: 'string' } }];
}

function exampleQuery({ name, example, schema }: ParameterObject): fc.Arbitrary<string> {
  const { minimum, maximum, default: usual, enum: names } = schema;
  const fitting = [example, minimum, maximum, usual, ...(Array.isArray(names) ? names : [])];
  const values = fitting.filter((value) => value !== undefined).map((value) => encodeLoosely(String(value)));
  return fc.constantFrom(...values, '1', '').map((value) => `${name}=${value}`);
}

function oddQuery(parameter: ParameterObject): fc.Arbitrary<string> {
  const { name } = parameter;
  const value = fc.oneof(
    oddSegment,
    oddValue.map((odd) =>
      encodeLoosely(String(typeof odd === 'object' ? JSON.stringify(odd) : odd).slice(0, 2000)),
    ),
    oddCursor,
    oddNumber,
  );
  return fc.oneof(
    value.map((odd) => `${name}=${odd}`),
    value.map((odd) => `${name}=${odd}&${name}=${odd}`),
    value.map((odd) => `${name}[]=${odd}`),
    value.map((odd) => `${name}[__proto__]=${odd}`),
    fc.constantFrom(name, `${name}=`, '__proto__=1', '&&=', '=%'),
  );
}

function withQuery(path: string, query: readonly string[]): string {
  return query.length === 0 ? path : `${path}?${query.join('&')}`;
}

function fittingCredentials(
  { security }: OperationObject,
  { live, test, admin }: Credentials,
): Record<string, string>[] {
  if (security.some((scheme) => 'adminSecret' in scheme)) return [{ 'X-Admin-Secret': admin }];
  return [{ Authorization: `Bearer ${live}` }, { Authorization: `Bearer ${test}` }];
}

function oddHeaders({ live, test, admin }: Credentials) {
  const text = fc
    .string({ unit: 'binary-ascii', maxLength: 60 })
    .map((value) => value.replace(/[^\x20-\x7e]/g, '?'));
  return {
    Authorization: mostly(
      [`Bearer ${live}`, `Bearer ${test}`],
      text,
      fc.constantFrom('Bearer', `Basic ${live}`, `Bearer ${live}x`, `Bearer crd_live_${'A'.repeat(43)}`),
    ),
    'X-Admin-Secret': fc.oneof(fc.constant(admin), text),
    'Content-Type': mostly(
      ['application/json'],
      fc.constantFrom('text/plain', 'application/xml', 'multipart/form-data; boundary=x'),
      fc.constantFrom('application/json; charset=utf-16', 'json', ''),
    ),
    'Idempotency-Key': fc.oneof(text, fc.constantFrom('short', 'a-key-of-the-fuzz', 'x'.repeat(255))),
    'X-Request-Id': fc.oneof(text, fc.constantFrom('mine-1', 'x'.repeat(129))),
    Accept: fc.constantFrom('*/*', 'text/html', 'application/json', 'x'),
    'If-None-Match': fc.oneof(text, fc.constantFrom('*', 'W/"', '","')),
    'Last-Event-ID': text,
  };
}

/** In three of four requests a usual value. */
function mostly(usual: readonly string[], ...odd: fc.Arbitrary<string>[]): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...usual) },
    { weight: 1, arbitrary: fc.oneof(...odd) },
  );
}
