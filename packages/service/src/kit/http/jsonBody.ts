import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ValidationDetail } from '../../domain/errors.js';
import { bodyHashOf, readRawBody } from './rawBody.js';
import { type JsonReader, readJson } from './readJson.js';
import { readText } from './textBody.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** From the route. */
    writesLedger?: boolean | undefined;
  }
  interface FastifyRequest {
    /** SHA-256 of the body as sent, if the request has an Idempotency-Key. */
    bodyHash: Buffer | null;
    /**
     * The first text of the body that cannot be stored. The route decides whether the whole request
     * fails.
     */
    textError: ValidationDetail | null;
  }
}

/** Larger JSON bodies are parsed by the helper thread, if there is one. */
const LARGE_BYTES = 1024 * 1024;

/**
 * Reads JSON bodies.
 * @param readLarge reads bodies of more than 1 MiB, which only routes with `csvBody` accept.
 */
export function takeJsonBodies(app: FastifyInstance, readLarge?: JsonReader): void {
  app.decorateRequest('bodyHash', null);
  app.decorateRequest('textError', null);
  app.decorateRequest('bodyShare', null);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', async (request: FastifyRequest, payload: IncomingMessage) => {
    if (request.routeOptions.config.takesText) return readText(request, payload);
    const raw = await readRawBody(request, payload);
    if (raw && request.headers['idempotency-key'] !== undefined) request.bodyHash = await bodyHashOf(raw);
    // An empty body counts as none; an operation that needs one says which fields are missing.
    if (!raw || raw.length === 0) return undefined;
    const options = { isStrict: request.routeOptions.config.writesLedger === true };
    const isLarge = readLarge !== undefined && raw.length > LARGE_BYTES;
    const { body, textError } = isLarge ? await readLarge(raw, options) : readJson(raw, options);
    request.textError = textError;
    return body;
  });
}
