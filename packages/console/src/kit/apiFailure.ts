import { kitTexts } from './kitTexts.ts';

/** An answer that is an error, or none at all. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure';
  constructor(
    message: string,
    readonly code: string,
    readonly status: number,
    readonly requestId: string | null,
    readonly details: unknown,
  ) {
    super(message);
  }
}

/** The error that the service answered. */
export async function failureOf(response: Response): Promise<ApiFailure> {
  const requestId = response.headers.get('x-request-id');
  const body = (await response.json().catch(() => null)) as {
    error?: string;
    code?: string;
    details?: unknown;
  } | null;
  const message = body?.error ?? response.statusText;
  return new ApiFailure(
    message,
    body?.code ?? String(response.status),
    response.status,
    requestId,
    body?.details,
  );
}

export function failureFrom(error: unknown): ApiFailure {
  if (error instanceof ApiFailure) return error;
  console.error(error);
  return new ApiFailure(String(error), 'CONSOLE_ERROR', 0, null, null);
}

/** A request got no answer. */
export function unreachable(): never {
  throw new ApiFailure(kitTexts.unreachable, 'UNREACHABLE', 0, null, null);
}
