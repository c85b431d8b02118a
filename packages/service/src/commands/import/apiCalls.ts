import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { ImportError, refusalText } from './importError.js';

interface CallOptions {
  body?: unknown;
  headers?: Record<string, string>;
}

export interface CallAnswer<T> {
  readonly body: T;
  /** The request had been made before, and this is its first answer. */
  readonly isReplayed: boolean;
}

/** Calls one operation under /api/v1 and reads its answer by the schema. Throws ImportError. */
export type ApiCall = <T>(
  method: string,
  path: string,
  schema: z.ZodType<T>,
  options?: CallOptions,
) => Promise<CallAnswer<T>>;

const MAX_ATTEMPTS = 10;
const MAX_WAIT_SECONDS = 60;
const Refusal = z.object({
  error: z.string(),
  code: z.string(),
  retryable: z.boolean(),
  details: z.unknown(),
});

/** Tries again whatever is worth it: answers that call themselves retryable, and a service that is away once it has answered. */
export function apiCalls(url: string, key: string): ApiCall {
  let hasAnswered = false;
  return async (method, path, schema, { body, headers } = {}) => {
    for (let attempt = 1; ; attempt += 1) {
      const isLast = attempt === MAX_ATTEMPTS;
      const answer = await fetch(`${url}/api/v1${path}`, {
        method,
        headers: {
          Authorization: `Bearer ${key}`,
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...headers,
        },
        body: body === undefined ? null : JSON.stringify(body),
      }).catch((error: unknown) => {
        if (!hasAnswered || isLast) throw unreachable(url, error);
        return null;
      });
      hasAnswered ||= answer !== null;
      if (answer) {
        const content: unknown = await answer.json().catch(() => undefined);
        if (answer.ok) return { body: readAnswer(schema, content, url), isReplayed: isReplay(answer) };
        const refusal = Refusal.safeParse(content).data;
        if (!refusal?.retryable || isLast) throw refused(answer.status, refusal);
      }
      await pause(Math.min(Number(answer?.headers.get('retry-after') ?? 1), MAX_WAIT_SECONDS) * 1000);
    }
  };
}

function isReplay(answer: Response): boolean {
  return answer.headers.get('idempotent-replay') === 'true';
}

function readAnswer<T>(schema: z.ZodType<T>, content: unknown, url: string): T {
  const result = schema.safeParse(content);
  if (result.success) return result.data;
  throw new ImportError(
    `What answers at ${url} is not the reliability score service, or of another version.`,
  );
}

function unreachable(url: string, error: unknown): ImportError {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const reason = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
  return new ImportError(`No service answers at ${url}${reason}. Start it, or give its address with --url.`);
}

function refused(status: number, refusal: z.output<typeof Refusal> | undefined): ImportError {
  if (status === 401) {
    return new ImportError(
      'The service does not know this key. Give another one in IMPORT_KEY or with --key.',
    );
  }
  if (!refusal) return new ImportError(`The service answered with ${status}.`);
  return new ImportError(refusalText(refusal.code, refusal.error, refusal.details));
}
