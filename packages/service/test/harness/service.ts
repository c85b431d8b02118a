import { type Logger, pino } from 'pino';
import { buildApp } from '../../src/app.js';
import { readConfig } from '../../src/config.js';
import type { HelperProgram } from '../../src/kit/backpressure/helperThread.js';
import { type Clock, systemClock } from '../../src/kit/clock.js';
import type { Database, Engine } from '../../src/kit/db/database.js';
import type { OutboundFetch } from '../../src/kit/outboundFetch.js';
import { createVault } from '../../src/kit/vault.js';
import { prepare } from '../../src/startup.js';
import { openTestDatabase } from './engines.js';
import { checkEnvelopes } from './envelopeCheck.js';
import { loopbackOutbound } from './loopbackOutbound.js';
import { checkAnswer } from './openapiCheck.js';

/** The whole service on a database of its own, over real HTTP, as tests use it. */
export interface TestService {
  url: string;
  liveKey: string;
  testKey: string;
  adminSecret: string;
  db: Database;
  /** Calls `/api/v1<path>`, or the root with a path that starts with `!`. Every answer is held against the OpenAPI document. */
  request(method: string, path: string, options?: RequestOptions): Promise<TestAnswer>;
  /** Waits until every score follows the ledger. */
  settle(): Promise<void>;
  /** Holds every envelope against its schema first. */
  close(): Promise<void>;
}

export interface RequestOptions {
  /** `null`: no key at all. The live key unless told. */
  key?: string | null;
  /** Sends the admin secret in place of a key. */
  admin?: boolean;
  /** An object goes as JSON, a text as it is. */
  body?: unknown;
  headers?: Record<string, string>;
}

export interface TestAnswer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: answers of many shapes are looked into by tests; the document checks them
  body: any;
  text: string;
}

interface ServiceOptions {
  env?: Record<string, string>;
  clock?: Clock;
  /** Where the log goes; to stdout unless told. */
  log?: Logger;
  /** The test puts envelopes of no proper shape into the database. */
  writesEnvelopes?: true;
  /** A database that is there already, to be one of several processes on it; it is left open. */
  db?: Database;
  /** Between two signs of life on a live stream. */
  streamHeartbeatMs?: number;
  /** Large imports go to a thread of their own, as they do in the built service. */
  importProgram?: HelperProgram;
  /** Answers in place of receivers; it is left open. Without it nothing but this machine is reached. */
  outbound?: OutboundFetch;
}

export const TEST_KEYS = {
  live: `crd_live_${'L'.repeat(43)}`,
  test: `crd_test_${'T'.repeat(43)}`,
  admin: 'admin-secret-of-the-tests',
  data: 'data-key-of-the-tests-thirty-two-characters',
};

export async function startTestService(engine: Engine, options: ServiceOptions = {}): Promise<TestService> {
  const { clock = systemClock } = options;
  const config = readConfig({
    BOOTSTRAP_LIVE_KEY: TEST_KEYS.live,
    BOOTSTRAP_TEST_KEY: TEST_KEYS.test,
    ADMIN_SECRET: TEST_KEYS.admin,
    LOG_LEVEL: 'error',
    PORT: '0',
    // All tests call from one address; those of the limit itself set it back.
    ANONYMOUS_RATE_LIMIT_PER_MINUTE: '1000000',
    ...options.env,
  });
  const { log = pino({ level: config.logLevel }) } = options;
  const database = options.db ? null : await openTestDatabase(engine);
  const db = options.db ?? database?.db;
  if (!db) throw new Error('there is no database to test on');
  const vault = createVault(TEST_KEYS.data);
  const { streamHeartbeatMs, importProgram } = options;
  const outbound = options.outbound ?? loopbackOutbound(config.webhookAllowedNetworks);
  const secret = config.adminSecret;
  const given = { streamHeartbeatMs, importProgram, outbound };
  const app = buildApp({ config, db, log, vault, adminSecret: secret, clock, ...given });
  await prepare({ config, db, clock, log, vault });
  app.markReady();
  await app.startWorkers();
  const url = await app.server.listen({ port: 0, host: '127.0.0.1' });
  return {
    url,
    liveKey: TEST_KEYS.live,
    testKey: TEST_KEYS.test,
    adminSecret: TEST_KEYS.admin,
    db,
    request: (method, path, request) => call(url, method, path, request),
    settle: () => settle(db),
    async close() {
      await app.close();
      if (!options.outbound) await outbound.close();
      if (!database) return;
      const check = options.writesEnvelopes ? Promise.resolve() : checkEnvelopes(database.db);
      await check.finally(() => database.close());
    },
  };
}

let openApi: Promise<object> | undefined;

async function call(
  url: string,
  method: string,
  path: string,
  options: RequestOptions = {},
): Promise<TestAnswer> {
  const target = path.startsWith('!') ? path.slice(1) : `/api/v1${path}`;
  const response = await fetch(url + target, {
    method,
    redirect: 'manual',
    headers: headersOf(options),
    body: options.body === undefined ? undefined : bodyOf(options.body),
  });
  const contentType = response.headers.get('content-type') ?? '';
  const text = contentType === 'text/event-stream' ? await beginningOf(response) : await response.text();
  const body = contentType.includes('json') && text !== '' ? JSON.parse(text) : text;
  openApi ??= fetch(`${url}/openapi.json`).then((answer) => answer.json() as Promise<object>);
  checkAnswer(await openApi, method, target, response.status, body, contentType);
  return { status: response.status, headers: response.headers, body, text };
}

/** A live stream has no end: it is left once it has begun. */
async function beginningOf(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  const { value } = (await reader?.read()) ?? {};
  await reader?.cancel();
  return Buffer.from(value ?? []).toString();
}

function headersOf({ key = TEST_KEYS.live, admin, body, headers }: RequestOptions): Record<string, string> {
  return {
    ...(admin
      ? { 'X-Admin-Secret': TEST_KEYS.admin }
      : key === null
        ? {}
        : { Authorization: `Bearer ${key}` }),
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...headers,
  };
}

function bodyOf(body: unknown): string | Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return body;
  return body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body);
}

const SETTLE_TIMEOUT_MS = 20_000;

async function settle(db: Database): Promise<void> {
  const until = Date.now() + SETTLE_TIMEOUT_MS;
  while (Date.now() < until) {
    const [row] = await db.query<{ queued: number }>(
      'select count(*)::integer as queued from recompute_queue',
    );
    if (row?.queued === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('the recompute queue did not empty');
}
