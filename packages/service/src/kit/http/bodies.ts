import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import secureJson from 'secure-json-parse';
import { fail, failValidation, type ValidationDetail } from '#domain/errors.js';
import { markIntegers, reviveIntegers } from '#domain/exactInteger.js';
import { scanJson } from '#domain/jsonScan.js';
import { atOnce, inTurns, type Steps } from '../backpressure/yielder.js';
import { bodyHashOf, freeRawBody, readRawBody, SHORT_BYTES } from './rawBody.js';
import { findUnstorable, type SeparatedText, separateText } from './text.js';

export const FORM_TYPE = 'application/x-www-form-urlencoded';

/** What a route accepts. A route for `csv` accepts JSON, too. */
type Accepted = 'json' | 'csv' | 'form' | 'jsonOrForm' | 'text';

declare module 'fastify' {
  interface FastifyContextConfig {
    takes?: Accepted;
  }
  interface FastifyRequest {
    /** SHA-256 of the body as sent, if the request has an Idempotency-Key. */
    bodyHash: Buffer | null;
    /**
     * The first text of the body that cannot be stored. The route decides whether the whole request fails.
     */
    storageError: ValidationDetail | null;
  }
}

/** Larger JSON bodies have a file in this member. */
const LARGE_BYTES = 1024 * 1024;
const LONG_TEXT = 'csv';

export type TextSeparator = (raw: Buffer<ArrayBuffer>, name: string) => Promise<SeparatedText>;

type Reader = (raw: Buffer<ArrayBuffer>, request: FastifyRequest) => unknown;

/**
 * Reads the bodies of all requests, by their content type.
 * @param readLarge takes the file out of JSON bodies of more than 1 MiB, which only routes with
 * `csvBody` accept. Default: in the main thread.
 */
export function takeBodies(
  app: FastifyInstance,
  readLarge: TextSeparator = async (raw, name) => separateText(raw, name),
): void {
  app.decorateRequest('bodyHash', null);
  app.decorateRequest('storageError', null);
  app.decorateRequest('bodyShare', null);
  app.removeAllContentTypeParsers();
  take('application/json', ['json', 'csv', 'jsonOrForm'], (raw, request) =>
    readJsonBody(raw, request, readLarge),
  );
  take('text/csv', ['csv'], (raw) => ({ csv: raw }));
  take(FORM_TYPE, ['form', 'jsonOrForm'], readForm);
  take('*', [], () => undefined);

  function take(type: string, by: readonly Accepted[], read: Reader): void {
    app.addContentTypeParser(type, async (request: FastifyRequest, payload: IncomingMessage) => {
      if (request.is404) return undefined;
      const { takes = 'json' } = request.routeOptions.config;
      // Protocols leave the type of a text open. `curl --data-binary` says that it is a form.
      if (takes !== 'text' && !by.includes(takes)) refuseType(takes);
      if (type === 'text/csv' && takes === 'csv') requireUtf8(request);
      const raw = await readRawBody(request, payload);
      if (request.headers['idempotency-key'] !== undefined) request.bodyHash = await bodyHashOf(raw);
      return (takes === 'text' ? readText : read)(raw, request);
    });
  }
}

/** An empty body counts as none; an operation that needs one says which fields are missing. */
async function readJsonBody(raw: Buffer<ArrayBuffer>, request: FastifyRequest, readLarge: TextSeparator) {
  if (raw.length === 0) return undefined;
  if (raw.length <= LARGE_BYTES) {
    try {
      const { body, storageError } = await readJson(raw);
      request.storageError = storageError;
      return body;
    } finally {
      freeRawBody(raw);
    }
  }
  const { rest, text, storageError } = await readLarge(raw, LONG_TEXT);
  const read = await readJson(Buffer.from(rest.buffer));
  request.storageError = read.storageError ?? storageError;
  return text === null ? read.body : { ...(read.body as object), [LONG_TEXT]: text };
}

function readText(raw: Buffer, request: FastifyRequest): string {
  const text = raw.toString('utf8');
  request.storageError = findUnstorable(text);
  return text;
}

/** A field is a text, or a list if it was sent more than once. */
function readForm(raw: Buffer, request: FastifyRequest): Record<string, string | string[]> {
  const fields: Record<string, string | string[]> = Object.create(null);
  for (const [name, value] of new URLSearchParams(raw.toString('utf8'))) {
    const before = fields[name];
    if (Array.isArray(before)) before.push(value);
    else fields[name] = before === undefined ? value : [before, value];
  }
  request.storageError = findUnstorable(fields);
  return fields;
}

const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]+)/i;

function requireUtf8({ headers }: FastifyRequest): void {
  const charset = CHARSET.exec(headers['content-type'] ?? '')?.[1];
  if (charset === undefined || /^(utf-?8|us-ascii)$/i.test(charset)) return;
  fail('BAD_REQUEST', {
    message: 'A CSV must be UTF-8. Remove `charset` from the content type or send UTF-8.',
  });
}

function refuseType(takes: Exclude<Accepted, 'text'>): never {
  const wanted = {
    json: 'application/json',
    csv: 'text/csv or application/json',
    form: FORM_TYPE,
    jsonOrForm: `application/json or ${FORM_TYPE}`,
  }[takes];
  fail('BAD_REQUEST', { message: `This address does not accept that content type. Send ${wanted}.` });
}

interface ReadJson {
  readonly body: unknown;
  readonly storageError: ValidationDetail | null;
}

const ESCAPE = Buffer.from('\\u');

/** Parses a body of up to 1 MiB: a short one at once, else each step takes at most some milliseconds. */
export function readJson(raw: Buffer): ReadJson | Promise<ReadJson> {
  return raw.length <= SHORT_BYTES ? atOnce(jsonSteps(raw)) : inTurns(jsonSteps(raw));
}

/**
 * Parses a body: valid UTF-8 only, size limits before parsing, no prototype pollution, no repeated names, all
 * digits of integers in the caller's own values. Texts and numbers that cannot be stored are reported. Valid
 * UTF-8 has a NUL or lone surrogate only as a \u escape, so the walk through the body is rarely needed.
 * Throws BAD_REQUEST, PAYLOAD_TOO_LARGE or VALIDATION_ERROR.
 */
function* jsonSteps(raw: Buffer): Steps<ReadJson> {
  if (!isUtf8(raw)) fail('BAD_REQUEST', { message: 'The body is not valid UTF-8.' });
  const { members, largeIntegers, mayOverflow } = scanJson(raw);
  const text = raw.toString('utf8');
  yield;
  let body = parse(text);
  yield;
  if (countNames(body) !== members) {
    // JSON.parse ignores all but the last.
    const { repeated } = scanJson(raw, { findsRepeated: true });
    if (repeated) failValidation([repeated]);
  }
  if (largeIntegers.length > 0) {
    yield;
    const marked = markIntegers(raw, largeIntegers);
    body = parse(marked.text);
    yield;
    body = reviveIntegers(body, marked.mark, 'look');
  }
  yield;
  return { body, storageError: mayOverflow || raw.includes(ESCAPE) ? findUnstorable(body) : null };
}

/** The number of names in all objects of a body. Recursion is safe: `scanJson` has limited the depth. */
function countNames(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) count += countNames(item);
    return count;
  }
  for (const name in value) count += 1 + countNames(value[name as keyof typeof value]);
  return count;
}

/** Names with these may pollute a prototype. */
const SUSPECTS = ['__proto__', 'constructor', '\\u'];

/** The patterns of the library take as long as the parsing. It skips a byte order mark. */
function isSuspect(text: string): boolean {
  return text.startsWith('\uFEFF') || SUSPECTS.some((part) => text.includes(part));
}

function parse(text: string): unknown {
  try {
    return isSuspect(text) ? secureJson.parse(text) : JSON.parse(text);
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message : 'it cannot be parsed';
    // A message of the library.
    if (reason === 'Object contains forbidden prototype property')
      fail('BAD_REQUEST', { message: PROTOTYPE_NAMES });
    return fail('BAD_REQUEST', { message: `The body is not JSON: ${withoutQuotation(reason)}` });
  }
}

const PROTOTYPE_NAMES =
  'The body has a member named `__proto__`, or `constructor` with a `prototype`. Such names are refused: rename it.';

/** V8 quotes the text around the error, which may be a secret; its position is enough. */
function withoutQuotation(reason: string): string {
  if (!reason.endsWith(' is not valid JSON')) return reason;
  return /^Unexpected token '.{1,2}'(?=, )/s.exec(reason)?.[0] ?? 'not valid JSON';
}
