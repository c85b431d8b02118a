import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { fail } from '../../domain/errors.js';
import { readRawBody } from './rawBody.js';
import { findUnstorable } from './text.js';
import { readText } from './textBody.js';

export const FORM_TYPE = 'application/x-www-form-urlencoded';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route has `form`. */
    takesForm?: boolean;
  }
}

/**
 * Reads HTML forms for routes that accept them. A field is a text, or a list if it was sent more
 * than once.
 */
export function takeFormBodies(app: FastifyInstance): void {
  app.addContentTypeParser(FORM_TYPE, async (request: FastifyRequest, payload: IncomingMessage) => {
    if (request.is404) return undefined;
    const { takesForm, takesCsv, takesText } = request.routeOptions.config;
    // `curl --data-binary` says so of every body.
    if (takesText) return readText(request, payload);
    if (!takesForm) refuseType(takesCsv ? 'text/csv or application/json' : 'application/json');
    const raw = await readRawBody(request, payload);
    const fields = fieldsOf(new URLSearchParams(raw?.toString('utf8')));
    request.storageError = findUnstorable(fields);
    return fields;
  });
}

/** A route that accepts forms accepts nothing else. Its schema handles a missing body. */
export function requireForm(request: FastifyRequest): void {
  const type = request.headers['content-type'];
  if (type !== undefined && !type.toLowerCase().startsWith(FORM_TYPE)) refuseType(FORM_TYPE);
}

function refuseType(wanted: string): never {
  fail('BAD_REQUEST', { message: `This address does not accept that content type. Send ${wanted}.` });
}

function fieldsOf(parameters: URLSearchParams): Record<string, string | string[]> {
  const fields: Record<string, string | string[]> = Object.create(null);
  for (const [name, value] of parameters) {
    const before = fields[name];
    if (before === undefined) fields[name] = value;
    else if (Array.isArray(before)) before.push(value);
    else fields[name] = [before, value];
  }
  return fields;
}
