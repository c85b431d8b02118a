import { setTimeout as pause } from 'node:timers/promises';
import type { z } from 'zod';
import { Refused } from '../crash/api.js';

/** Calls an operation under /api/v1 and parses its answer by the schema. Throws Error. */
export type ApiClient = <T>(
  method: string,
  path: string,
  schema: z.ZodType<T>,
  options?: { body?: object; headers?: Record<string, string> },
) => Promise<T>;

/** Repeats what is refused with `retryable: true`, after `Retry-After`. */
export function createApiClient(url: string, credential: Record<string, string>): ApiClient {
  return async (method, path, schema, { body, headers } = {}) => {
    for (;;) {
      const answer = await fetch(`${url}/api/v1${path}`, {
        method,
        headers: { ...credential, ...(body && { 'Content-Type': 'application/json' }), ...headers },
        ...(body && { body: JSON.stringify(body) }),
      });
      const content: unknown = answer.status === 204 ? undefined : await answer.json();
      if (answer.ok) return schema.parse(content);
      if (!Refused.parse(content).retryable)
        throw new Error(`${method} ${path} was answered ${answer.status}: ${JSON.stringify(content)}`);
      await pause(Number(answer.headers.get('retry-after') ?? 1) * 1000);
    }
  };
}
