import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { fail } from '../../domain/errors.js';
import { readRawBody } from './rawBody.js';
import { findUnstorable } from './text.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route has `textBody`. */
    takesText?: boolean;
  }
}

/**
 * Reads bodies of any other type for routes that accept a text. Others refuse them, as they refuse
 * an unknown type.
 */
export function takeTextBodies(app: FastifyInstance): void {
  app.addContentTypeParser('*', async (request: FastifyRequest, payload: IncomingMessage) => {
    if (!request.routeOptions.config.takesText) {
      fail('BAD_REQUEST', {
        message: 'This address does not accept that content type. Send application/json.',
      });
    }
    return readText(request, payload);
  });
}

/** For routes with `textBody`. Protocols leave the content type open, and clients send any. */
export async function readText(request: FastifyRequest, payload: IncomingMessage): Promise<string> {
  const text = (await readRawBody(request, payload))?.toString('utf8') ?? '';
  request.storageError = findUnstorable(text);
  return text;
}
