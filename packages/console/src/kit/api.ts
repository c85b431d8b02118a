import type { Answer, OperationId, operationTable } from '@reliability/client';
import { failureOf, unreachable } from './apiFailure.ts';
import { type Call, endSession, mode, session, viewing } from './session.ts';
import { language } from './texts.ts';

/*
 * Requests to /console/api, which is /api/v1 with the cookie of the session. Paths and answers have
 * the types of the client package: they cost no byte.
 */

type Table = typeof operationTable;
/** `GET /users/{id}`, as in the API reference. */
type Operation<Id extends OperationId> = Table[Id] extends `${infer Method} /api/v1${infer Rest}`
  ? Rest extends `${infer Path} ${string}`
    ? `${Method} ${Path}`
    : `${Method} ${Rest}`
  : never;
type ByOperation = { [Id in OperationId as Operation<Id>]: Id };
export type OperationName = keyof ByOperation & string;
export type AnswerOf<Name extends OperationName> = Answer<ByOperation[Name]>;

type QueryValue = string | number | boolean | null | undefined;

export interface RequestInput {
  /** Values of `{name}` in the path. */
  params?: Record<string, string>;
  query?: Record<string, QueryValue>;
  body?: unknown;
}

/** A request as the curl button shows it and `send` sends it. */
export function requestOf<Name extends OperationName>(
  name: Name,
  input: RequestInput = {},
): Call<AnswerOf<Name>> {
  const [method = 'GET', pattern = ''] = name.split(' ');
  const path = pattern.replace(/\{(\w+)\}/g, (_, param: string) =>
    encodeURIComponent(input.params?.[param] ?? ''),
  );
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(input.query ?? {})) {
    if (value !== undefined && value !== null && value !== '') query.set(key, String(value));
  }
  const text = query.toString();
  return { method, path: path + (text ? `?${text}` : ''), body: input.body };
}

export interface SendOptions {
  signal?: AbortSignal | undefined;
  /** Given again with a retry, so that a write happens once. */
  idempotencyKey?: string;
  contentType?: string;
}

/** Sends a request. Throws ApiFailure; an aborted one throws what `fetch` throws. */
export async function send<Result>(call: Call<Result>, options: SendOptions = {}): Promise<Result> {
  const response = await fetchCall(call, options);
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json');
  return (isJson && text !== '' ? JSON.parse(text) : text) as Result;
}

/** The same in one step, for the most frequent case. */
export function get<Name extends OperationName & `GET ${string}`>(
  name: Name,
  input: RequestInput = {},
  signal?: AbortSignal,
): Promise<AnswerOf<Name>> {
  return send(requestOf(name, input), { signal });
}

/** Where the cookie of the session opens the path. A person sees both modes, so the address says which. */
export function addressOf(path: string): string {
  const isTest = session.peek()?.kind === 'user' && mode.peek() === 'test';
  return `/console/${isTest ? 'api-test' : 'api'}${path}`;
}

/** The answer itself, for downloads and headers. Throws ApiFailure. */
export async function fetchCall(call: Call<unknown>, options: SendOptions = {}): Promise<Response> {
  const { method, path, body } = call;
  const response = await fetch(addressOf(path), {
    method,
    headers: headersOf(call, options),
    body:
      body === undefined
        ? null
        : typeof body === 'string' || body instanceof Blob
          ? body
          : JSON.stringify(body),
    signal: options.signal ?? null,
  }).catch((error: unknown) => {
    if (options.signal?.aborted) throw error;
    return unreachable();
  });
  if (response.ok) return response;
  const failure = await failureOf(response);
  if (response.status === 401) endSession(failure);
  throw failure;
}

function headersOf(
  { body }: Call<unknown>,
  { idempotencyKey, contentType }: SendOptions,
): Record<string, string> {
  const platform = viewing.peek();
  return {
    'X-Console': '1',
    // Some answers hold sentences for people.
    'Accept-Language': language.peek(),
    ...(body !== undefined && { 'Content-Type': contentType ?? 'application/json' }),
    ...(idempotencyKey && { 'Idempotency-Key': idempotencyKey }),
    ...(platform && { 'X-Console-Platform': platform.id, 'X-Console-Mode': platform.mode }),
  };
}
