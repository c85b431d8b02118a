import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { DemoError } from './demoError.js';

/** Calls one operation under /api/v1 and reads its answer by the schema. Throws DemoError for a refusal. */
export type Call = <T>(method: string, path: string, answer: z.ZodType<T>, body?: object) => Promise<T>;

const MAX_ATTEMPTS = 10;
const Refusal = z.object({ error: z.string(), code: z.string(), retryable: z.boolean() });

/** A client that does as the API asks: what calls itself retryable is sent again after `Retry-After`. */
export function apiClient(url: string, credential: Record<string, string>): Call {
  return async (method, path, schema, body) => {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await fetch(`${url}/api/v1${path}`, {
        method,
        headers: { ...credential, ...(body ? { 'Content-Type': 'application/json' } : {}) },
        body: body ? JSON.stringify(body) : undefined,
      });
      const content: unknown = await answer.json();
      if (answer.ok) return readAnswer(schema, content, `${method} ${path}`);
      const refusal = Refusal.safeParse(content).data;
      if (!refusal?.retryable || attempt === MAX_ATTEMPTS)
        throw refused(method, path, answer.status, refusal);
      await pause(Math.min(Number(answer.headers.get('retry-after') ?? 1), 60) * 1000);
    }
  };
}

function readAnswer<T>(schema: z.ZodType<T>, content: unknown, operation: string): T {
  const result = schema.safeParse(content);
  if (result.success) return result.data;
  throw new DemoError(
    `${operation} answered with something else than expected:\n${z.prettifyError(result.error)}`,
  );
}

function refused(
  method: string,
  path: string,
  status: number,
  refusal: z.output<typeof Refusal> | undefined,
): DemoError {
  if (status === 401 && path.startsWith('/admin')) {
    return new DemoError(
      `The service does not take this admin secret. Give its own with --admin-secret or ADMIN_SECRET.`,
    );
  }
  return new DemoError(
    `${method} ${path} was refused: ${status} ${refusal?.code ?? ''} ${refusal?.error ?? ''}`,
  );
}
