import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { ErrorCode } from '../../domain/errorCatalog.js';
import type { ServiceError } from '../../domain/errors.js';

declare module 'fastify' {
  interface FastifyInstance {
    /** For load: 429 and OVERLOADED. */
    refusals: { note(error: ServiceError): void };
  }
}

const MINUTE_MS = 60_000;

export function isForLoad({ status, code }: ServiceError): boolean {
  return status === 429 || code === 'OVERLOADED';
}

/**
 * Logs refusals for load as one line a minute, with their number by code: lines of their own would
 * cost more than the refusals, and fill the disk.
 */
export function countRefusals(app: FastifyInstance, log: FastifyBaseLogger): void {
  let refused: Partial<Record<ErrorCode, number>> = {};
  let cause: unknown;
  let timer: NodeJS.Timeout | undefined;
  app.decorate('refusals', {
    note(error) {
      refused[error.code] = (refused[error.code] ?? 0) + 1;
      cause ??= error.cause;
      timer ??= setTimeout(write, MINUTE_MS).unref();
    },
  });
  app.addHook('onClose', (_, done) => {
    if (timer) write();
    done();
  });

  function write(): void {
    clearTimeout(timer);
    timer = undefined;
    // Of the causes one is enough: the database that did not answer in time.
    log.warn(cause === undefined ? { refused } : { refused, err: cause }, 'requests were refused for load');
    refused = {};
    cause = undefined;
  }
}
