import type { FastifyReply, FastifyRequest } from 'fastify';
import { fail, sentenceOf } from '../../domain/errors.js';
import { meantName, misspeltDetail, namesTaken } from '../../domain/misspelt.js';
import type { Route } from './route.js';

export const UNKNOWN_PARAMETERS = 'X-Unknown-Parameters';
const MAX_NAMED = 10;
const MAX_CHECKED = 100;
const MAX_NAME = 64;

/**
 * Checks for unknown query parameters. A likely misspelling (`scoreMim`) is refused with the
 * operation's own code, because ignoring it would answer a different question. Others are ignored
 * and named in a header.
 */
export function createQueryCheck(route: Route): (request: FastifyRequest, reply: FastifyReply) => void {
  const known: ReadonlySet<string> = (route.query && namesTaken(route.query)) ?? new Set();
  return ({ query }, reply) => {
    const unknown: string[] = [];
    for (const name in query as object) if (!known.has(name)) unknown.push(name);
    if (unknown.length === 0) return;
    for (const name of unknown.slice(0, MAX_CHECKED)) {
      const meant = meantName(name, known);
      if (meant === null) continue;
      const details = [misspeltDetail(name, meant)];
      const code = route.queryError?.(meant) ?? 'VALIDATION_ERROR';
      fail(code, { message: sentenceOf(details), details });
    }
    reply.header(UNKNOWN_PARAMETERS, unknown.slice(0, MAX_NAMED).map(printable).join(', '));
  };
}

/** Percent-encoded, so that a name cannot look like two names or end the header. */
function printable(name: string): string {
  return encodeURIComponent(name.slice(0, MAX_NAME).toWellFormed());
}
