import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ValidationDetail } from '../../domain/errors.js';
import { type SeparatedText, separateText } from './longText.js';
import { bodyHashOf, freeRawBody, isShort, readRawBody, readShortBody } from './rawBody.js';
import { type ReadJson, readJson, readJsonInTurns } from './readJson.js';
import { readText } from './textBody.js';

declare module 'fastify' {
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

/**
 * Reads JSON bodies.
 * @param readLarge takes the file out of bodies of more than 1 MiB, which only routes with `csvBody`
 * accept. Default: in the main thread.
 */
export function takeJsonBodies(
  app: FastifyInstance,
  readLarge: TextSeparator = async (raw, name) => separateText(raw, name),
): void {
  app.decorateRequest('bodyHash', null);
  app.decorateRequest('storageError', null);
  app.decorateRequest('bodyShare', null);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', (request: FastifyRequest, payload: IncomingMessage, done) => {
    if (request.is404) return done(null, undefined);
    const { config, bodyLimit } = request.routeOptions;
    if (config.takesText) return readText(request, payload);
    if (!isShort(request, bodyLimit)) return readAnyBody(request, payload);
    readShortBody(request, payload, (error, raw) => {
      if (raw) done(...bodyOf(request, raw));
      else done(error);
    });
  });

  async function readAnyBody(request: FastifyRequest, payload: IncomingMessage) {
    const raw = await readRawBody(request, payload);
    if (raw) await noteHash(request, raw);
    // An empty body counts as none; an operation that needs one says which fields are missing.
    if (!raw || raw.length === 0) return undefined;
    const isLarge = raw.length > LARGE_BYTES;
    if (!isLarge) return accept(request, await readJsonInTurns(raw).finally(() => freeRawBody(raw)));
    const { rest, text, storageError } = await readLarge(raw, LONG_TEXT);
    const read = await readJsonInTurns(Buffer.from(rest.buffer));
    const body = accept(request, { ...read, storageError: read.storageError ?? storageError });
    return text === null ? body : { ...(body as object), [LONG_TEXT]: text };
  }
}

type Outcome = [error: Error | null, body?: unknown];

function bodyOf(request: FastifyRequest, raw: Buffer): Outcome {
  try {
    void noteHash(request, raw);
    return [null, accept(request, readJson(raw))];
  } catch (error) {
    return [error as Error];
  }
}

/** A promise for a large body only. */
function noteHash(request: FastifyRequest, raw: Buffer): void | Promise<void> {
  if (request.headers['idempotency-key'] === undefined) return;
  const hash = bodyHashOf(raw);
  if (hash instanceof Promise)
    return hash.then((hashed) => {
      request.bodyHash = hashed;
    });
  request.bodyHash = hash;
}

function accept(request: FastifyRequest, { body, storageError }: ReadJson): unknown {
  request.storageError = storageError;
  return body;
}
