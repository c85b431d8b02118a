import createFetchClient from 'openapi-fetch';
import { ReliabilityError } from './errors.js';
import { operationTable } from './generated/operations.js';
import type { CallOptions, Method, Methods } from './methods.js';
import { retryingFetch } from './retry.js';
import { type Envelope, type Reset, type StreamOptions, streamEnvelopes } from './stream.js';

export interface ClientOptions {
  /** Address of the service, without a path: `https://scores.example`. */
  baseUrl: string;
  /** An API key, or a function that returns the present one. */
  key?: string | (() => string | Promise<string>) | undefined;
  /** For the operations of the operator, `admin…`. */
  adminSecret?: string | undefined;
  /** Tries after the first one. Default: 3. */
  retries?: number | undefined;
  /** Time limit of each try in milliseconds. Default: 30 000. */
  timeoutMs?: number | undefined;
  /** Default: the global `fetch`. */
  fetch?: typeof globalThis.fetch | undefined;
}

/** Every operation by its `operationId`, and the live stream. */
export interface Client extends Methods {
  /** Short for `readScore`. */
  readonly score: Method<'readScore'>;
  /**
   * Envelopes as they are written. Connects again by itself and resumes after the last envelope.
   * Ends with the loop that reads it, or by `signal`. Throws ReliabilityError if the service
   * refuses, for example because the key was revoked.
   */
  stream(options?: StreamOptions): AsyncGenerator<Envelope | Reset, void>;
}

const DEFAULT_RETRIES = 3;
const DEFAULT_TIMEOUT_MS = 30_000;

/**
 * A client of one installation with one key. Methods throw ReliabilityError if the service refuses,
 * and ReliabilityConnectionError if it cannot be reached.
 */
export function createClient(options: ClientOptions): Client {
  // In JavaScript, or with a variable of the environment that is not set.
  if (!options?.baseUrl)
    throw new TypeError("createClient needs baseUrl, the address of the service: 'http://localhost:3000'");
  const { retries = DEFAULT_RETRIES, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  const fetch = options.fetch ?? ((...args) => globalThis.fetch(...args));
  const baseUrl = options.baseUrl.replace(/(?<!\/)\/+$/, '');
  const api = createFetchClient<Record<string, Record<string, never>>>({
    baseUrl,
    fetch: retryingFetch({ fetch, retries, timeoutMs }),
  }) as unknown as { request: LooseRequest };
  const methods = Object.entries(operationTable).map(([name, line]) => [name, methodOf(line)]);
  const client = Object.fromEntries(methods) as Methods;
  return {
    ...client,
    score: client.readScore,
    stream: (own) => streamEnvelopes(`${baseUrl}/api/v1/events/stream`, fetch, credentials, own),
  };

  async function credentials(): Promise<Record<string, string>> {
    const { key, adminSecret } = options;
    const current = typeof key === 'function' ? await key() : key;
    return {
      ...(current !== undefined && { authorization: `Bearer ${current}` }),
      ...(adminSecret !== undefined && { 'x-admin-secret': adminSecret }),
    };
  }

  function methodOf(line: string) {
    const operation = parse(line);
    const call = (...args: unknown[]) => send(operation, args);
    if (!operation.items) return call;
    return Object.assign(call, {
      pages: (...args: unknown[]) => pagesOf(operation, args),
      each: (...args: unknown[]) => itemsOf(operation, args),
    });
  }

  async function send(operation: Operation, args: readonly unknown[]): Promise<unknown> {
    const { body, query, path, options: own } = inputOf(operation, args);
    const textType = typeof body === 'string' ? operation.textType : undefined;
    const { data, error, response } = await api.request(operation.method, operation.path, {
      params: { path, query },
      body,
      bodySerializer: textType && (() => body),
      headers: {
        accept: 'application/json, text/plain;q=0.9, */*;q=0.5',
        ...(body !== undefined && { 'content-type': textType ?? 'application/json' }),
        ...(operation.isKeyed && { 'idempotency-key': own.idempotencyKey ?? crypto.randomUUID() }),
        ...(await credentials()),
        ...own.headers,
      },
      signal: own.signal,
      parseAs: 'text',
    });
    if (!response.ok) throw new ReliabilityError(response, error);
    return response.headers.get('content-type')?.includes('json')
      ? JSON.parse(data as string)
      : data || undefined;
  }

  async function* pagesOf(operation: Operation, args: readonly unknown[]) {
    const input = inputOf(operation, args);
    let cursor: unknown = (input.query as { cursor?: unknown }).cursor;
    do {
      const query = { ...(input.query as object), ...(cursor !== undefined && { cursor }) };
      const page = await send(operation, [...Object.values(input.path), query, input.options]);
      yield page;
      cursor = (page as { nextCursor?: unknown }).nextCursor;
    } while (typeof cursor === 'string');
  }

  async function* itemsOf(operation: Operation, args: readonly unknown[]) {
    for await (const page of pagesOf(operation, args)) {
      yield* (page as Record<string, unknown[]>)[operation.items ?? ''] ?? [];
    }
  }
}

/** openapi-fetch types paths that are known when it compiles; these come from the table. */
type LooseRequest = (
  method: string,
  path: string,
  init: Record<string, unknown>,
) => Promise<{ data?: unknown; error?: unknown; response: Response }>;

interface Operation {
  method: string;
  path: string;
  pathNames: string[];
  hasBody: boolean;
  /** Of a body that is a text and goes out as it is. */
  textType: string | undefined;
  hasQuery: boolean;
  isKeyed: boolean;
  items: string | undefined;
}

function parse(line: string): Operation {
  const [method = '', path = '', ...flags] = line.split(' ');
  return {
    method: method.toLowerCase(),
    path,
    pathNames: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
    hasBody: flags.includes('body'),
    textType: flags.includes('csv') ? 'text/csv' : flags.includes('plain') ? 'text/plain' : undefined,
    hasQuery: flags.includes('query'),
    isKeyed: flags.includes('keyed'),
    items: flags.find((flag) => flag.startsWith('items='))?.slice('items='.length),
  };
}

function inputOf({ pathNames, hasBody, hasQuery, path: template }: Operation, args: readonly unknown[]) {
  const path = Object.fromEntries(pathNames.map((name, index) => [name, args[index]]));
  for (const [name, value] of Object.entries(path)) {
    // An empty part would address another operation.
    if (value === undefined || value === null || value === '') {
      throw new TypeError(`${template} needs ${name}`);
    }
    // URLs resolve these parts, percent-encoded ones too.
    if (value === '.' || value === '..') throw new TypeError(`${template}: ${name} cannot be ${value}`);
  }
  const rest = args.slice(pathNames.length);
  const first = hasBody || hasQuery ? rest.shift() : undefined;
  const options = (rest[0] ?? {}) as CallOptions & { query?: object };
  return { path, body: hasBody ? first : undefined, query: (hasBody ? options.query : first) ?? {}, options };
}
