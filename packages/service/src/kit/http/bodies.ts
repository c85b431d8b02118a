import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { fail, type ValidationDetail } from '../../domain/errors.js';
import { type SeparatedText, separateText } from './longText.js';
import { bodyHashOf, freeRawBody, readRawBody } from './rawBody.js';
import { readJson } from './readJson.js';
import { findUnstorable } from './text.js';

export const FORM_TYPE = 'application/x-www-form-urlencoded';

/** What a route accepts. A route for `csv` accepts JSON, too. */
type Accepted = 'json' | 'csv' | 'form' | 'text';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Default: `json`. */
    takes?: Accepted;
  }
  interface FastifyRequest {
    /** SHA-256 of the body as sent, if the request has an Idempotency-Key. */
    bodyHash: Buffer | null;
    /**
     * The first text of the body that cannot be stored. The route decides whether the whole request
     * fails.
     */
    storageError: ValidationDetail | null;
  }
}

/** Larger JSON bodies have a file in this member. */
const LARGE_BYTES = 1024 * 1024;
const LONG_TEXT = 'csv';

/** Takes a long text out of a JSON body outside of the main thread. Throws as `separateText` does. */
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
  take('application/json', ['json', 'csv'], (raw, request) => readJsonBody(raw, request, readLarge));
  take('text/csv', ['csv'], (raw) => ({ csv: raw }));
  take(FORM_TYPE, ['form'], readForm);
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
  const wanted = { json: 'application/json', csv: 'text/csv or application/json', form: FORM_TYPE }[takes];
  fail('BAD_REQUEST', { message: `This address does not accept that content type. Send ${wanted}.` });
}
