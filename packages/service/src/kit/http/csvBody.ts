import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { fail } from '../../domain/errors.js';
import { bodyHashOf, readRawBody } from './rawBody.js';
import { readText } from './textBody.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route has `csvBody`. */
    takesCsv?: boolean;
  }
}

/**
 * Reads text/csv for routes that accept it. The handler gets bytes, so that it can report errors in
 * them.
 */
export function takeCsvBodies(app: FastifyInstance): void {
  app.addContentTypeParser('text/csv', async (request: FastifyRequest, payload: IncomingMessage) => {
    if (request.is404) return undefined;
    if (request.routeOptions.config.takesText) return readText(request, payload);
    if (!request.routeOptions.config.takesCsv) {
      fail('BAD_REQUEST', {
        message: 'This address does not accept that content type. Send application/json.',
      });
    }
    const charset = CHARSET.exec(request.headers['content-type'] ?? '')?.[1];
    if (charset !== undefined && !/^(utf-?8|us-ascii)$/i.test(charset)) {
      fail('BAD_REQUEST', {
        message: 'A CSV must be UTF-8. Remove `charset` from the content type or send UTF-8.',
      });
    }
    const raw = await readRawBody(request, payload);
    if (raw && request.headers['idempotency-key'] !== undefined) request.bodyHash = await bodyHashOf(raw);
    return { csv: raw };
  });
}

const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]+)/i;
