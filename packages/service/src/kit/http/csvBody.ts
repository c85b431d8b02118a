import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { fail } from '../../domain/errors.js';
import { createBreather } from '../breather.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The line says `csvBody`. */
    takesCsv?: boolean;
  }
}

/** Reads text/csv for the lines that take it: as bytes, so that the handler can say what is wrong with them. */
export function takeCsvBodies(app: FastifyInstance): void {
  app.addContentTypeParser(
    'text/csv',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, raw: Buffer) => {
      if (!request.routeOptions.config.takesCsv) {
        fail('BAD_REQUEST', {
          message: 'This address does not take that content type. Send application/json.',
        });
      }
      const charset = CHARSET.exec(request.headers['content-type'] ?? '')?.[1];
      if (charset !== undefined && !/^(utf-?8|us-ascii)$/i.test(charset)) {
        fail('BAD_REQUEST', { message: 'A CSV is taken as UTF-8 only.' });
      }
      if (request.headers['idempotency-key'] !== undefined) request.bodyHash = await hashOf(raw);
      return { csv: raw };
    },
  );
}

const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]+)/i;
const PIECE_BYTES = 256 * 1024;

/** SHA-256, a piece at a time: the requests of the process do not wait for a large file. */
async function hashOf(raw: Buffer): Promise<Buffer> {
  const hash = createHash('sha256');
  const breathe = createBreather();
  for (let at = 0; at < raw.length; at += PIECE_BYTES) {
    hash.update(raw.subarray(at, at + PIECE_BYTES));
    await breathe();
  }
  return hash.digest();
}
