import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';

interface CallOptions {
  body?: object;
  headers?: Record<string, string>;
}

export interface CallAnswer<T> {
  readonly body: T;
  /** The Idempotency-Key was used before, and this is the stored answer. */
  readonly isReplayed: boolean;
}

/** Calls an operation under /api/v1 and parses its answer by the schema. Throws Error. */
export type ApiClient = <T>(
  method: string,
  path: string,
  schema: z.ZodType<T>,
  options?: CallOptions,
) => Promise<CallAnswer<T>>;

interface ClientOptions {
  url: string;
  /** The header with the key or the admin secret. */
  credential: Record<string, string>;
  /** The message for an answer with 401. */
  unauthorized: string;
}

const MAX_ATTEMPTS = 10;
const MAX_WAIT_SECONDS = 60;
const Refusal = z.object({
  error: z.string(),
  code: z.string(),
  retryable: z.boolean(),
  details: z.unknown(),
});

/**
 * Retries answers with `retryable: true` after `Retry-After`. Retries failed connections only after
 * a first answer: before that, the address is probably wrong.
 */
export function createApiClient({ url, credential, unauthorized }: ClientOptions): ApiClient {
  let hasAnswered = false;
  return async (method, path, schema, { body, headers } = {}) => {
    for (let attempt = 1; ; attempt += 1) {
      const isLast = attempt === MAX_ATTEMPTS;
      const answer = await fetch(`${url}/api/v1${path}`, {
        method,
        headers: { ...credential, ...(body && { 'Content-Type': 'application/json' }), ...headers },
        body: body ? JSON.stringify(body) : null,
      }).catch((error: unknown) => {
        if (!hasAnswered || isLast) throw unreachable(url, error);
        return null;
      });
      hasAnswered ||= answer !== null;
      if (answer) {
        const content: unknown = await answer.json().catch(() => undefined);
        if (answer.ok) {
          return { body: parsed(schema, content, `${method} ${path}`), isReplayed: isReplay(answer) };
        }
        if (answer.status === 401) throw new Error(unauthorized);
        const refusal = Refusal.safeParse(content).data;
        if (!refusal) throw new Error(`${method} ${path} was answered with ${answer.status}.`);
        if (!refusal.retryable || isLast)
          throw new Error(`${refusal.code}: ${refusal.error} ${JSON.stringify(refusal.details)}`);
      }
      await pause(Math.min(Number(answer?.headers.get('retry-after') ?? 1), MAX_WAIT_SECONDS) * 1000);
    }
  };
}

function isReplay(answer: Response): boolean {
  return answer.headers.get('idempotent-replay') === 'true';
}

function parsed<T>(schema: z.ZodType<T>, content: unknown, operation: string): T {
  const result = schema.safeParse(content);
  if (result.success) return result.data;
  throw new Error(`Unexpected answer to ${operation}:\n${z.prettifyError(result.error)}`);
}

function unreachable(url: string, error: unknown): Error {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const reason = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
  return new Error(`No service answers at ${url}${reason}. `);
}
