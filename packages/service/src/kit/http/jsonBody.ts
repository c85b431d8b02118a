import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import secureJson from 'secure-json-parse';
import { fail, type ValidationDetail } from '../../domain/errors.js';
import { hashOfSecret } from '../crypto.js';
import { findUnstorableText } from './text.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** SHA-256 of the body as sent, where an Idempotency-Key came along. */
    bodyHash: Buffer | null;
    /** The first text of the body that cannot be stored; the route decides what falls with it. */
    textFault: ValidationDetail | null;
  }
}

const ESCAPE = Buffer.from('\\u');

/**
 * Reads JSON bodies: valid UTF-8 only, no prototype tricks, texts that cannot be stored found out. A valid UTF-8 text holds a
 * NUL or a lone surrogate only where it spells one with \u, so the walk through the body is rarely needed.
 */
export function takeJsonBodies(app: FastifyInstance): void {
  app.decorateRequest('bodyHash', null);
  app.decorateRequest('textFault', null);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, raw: Buffer) => {
      if (request.headers['idempotency-key'] !== undefined)
        request.bodyHash = hashOfSecret(raw.toString('latin1'));
      // An announced but empty body is no body; operations that need one say which fields are missing.
      if (raw.length === 0) return undefined;
      if (!isUtf8(raw)) fail('BAD_REQUEST', { message: 'The body is not valid UTF-8.' });
      const body = parse(raw.toString('utf8'));
      if (raw.includes(ESCAPE)) request.textFault = findUnstorableText(body);
      return body;
    },
  );
}

function parse(text: string): unknown {
  try {
    return secureJson.parse(text);
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message : 'it cannot be parsed';
    return fail('BAD_REQUEST', { message: `The body is not JSON: ${withoutQuotation(reason)}` });
  }
}

/** V8 quotes the text around the fault, which may be a secret; the position says enough. */
function withoutQuotation(reason: string): string {
  return reason
    .replace(/, ?(\.\.\.)?".*"(\.\.\.)? is not valid JSON$/s, '')
    .replace(/".*"(\.\.\.)? is not valid JSON$/s, 'not valid JSON');
}
