import { rmSync } from 'node:fs';
import { type Logger, pino } from 'pino';
import type { HelperProgram } from '#kit/backpressure/helperThread.js';
import { type Clock, systemClock } from '#kit/clock.js';
import { createVault } from '#kit/crypto.js';
import type { Database } from '#kit/db/database.js';
import { createIdSource } from '#kit/ids.js';
import type { OutboundFetch } from '#kit/outboundFetch.js';
import { findPlatformGroup } from '#ledger/groups/store.js';
import { headFileIn } from '#ledger/log/heads.js';
import { describeApi } from '../../src/features/system/system/describeApi.js';
import type { SweepTimers } from '../../src/features/tenancy/operator/sweeps.js';
import { addPlatform } from '../../src/features/tenancy/platforms/addPlatform.js';
import { newKey } from '../../src/features/tenancy/platforms/newKeys.js';
import { buildApp, loadParts } from '../../src/start/build.js';
import { readConfig } from '../../src/start/config.js';
import { prepare, prepareGroup } from '../../src/start/prepare.js';
import type { Engine } from './engines.js';
import {
  asApplication,
  firstGroupOf,
  groupHandles,
  hasCitus,
  ofEveryGroup,
  ofLedger,
  openTestDatabase,
  type TestDatabase,
} from './engines.js';
import { checkEnvelopes } from './envelopeCheck.js';
import { eventually } from './eventually.js';
import { loopbackOutbound } from './loopbackOutbound.js';
import { neighboursSettled } from './neighbours.js';
import { checkAnswer } from './openapiCheck.js';
import { routeTable } from './routeTable.js';

/** The whole service over real HTTP. */
export interface TestService {
  url: string;
  /** The platform of the two keys. */
  platformId: string;
  liveKey: string;
  testKey: string;
  adminSecret: string;
  /** The database; with several ledger groups it has the rows of all ledger groups, on a cluster those of `ledger`. */
  db: Database;
  /** The tables of the ledger group in which the platform lives. With one group, the same as `db`. */
  ledger: Database;
  /**
   * Calls `/api/v1<path>`, or the root with a path that starts with `!`. Checks every answer
   * against the OpenAPI document.
   */
  request(method: string, path: string, options?: RequestOptions): Promise<TestAnswer>;
  /** Waits until every score is up to date with the ledger. */
  settle(): Promise<void>;
  /** Checks every envelope against its schema first. */
  close(): Promise<void>;
}

export interface RequestOptions {
  /** Default: the live key. `null`: no key. */
  key?: string | null;
  /** Sends the admin secret instead of a key. */
  admin?: boolean;
  /** An object is sent as JSON, a text unchanged. */
  body?: unknown;
  headers?: Record<string, string>;
}

export interface TestAnswer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of many shapes; the document checks them
  body: any;
  text: string;
}

interface ServiceOptions {
  env?: Record<string, string>;
  clock?: Clock;
  /** The log output. Default: stdout. */
  log?: Logger;
  /** True: the test writes invalid envelopes to the database. */
  writesEnvelopes?: true;
  /** An existing database, for several processes on one database. It is not closed. */
  db?: Database;
  /** Interval between two heartbeats on a live stream. */
  streamHeartbeatMs?: number;
  /** Runs large imports in their own thread, as the built service does. */
  importProgram?: HelperProgram;
  /** Where it listens. Default: a free port. */
  port?: number;
  /** All platforms live in the first ledger group, whose log is `/log`, also in the project `groups`. */
  inFirstGroup?: true;
  /** The outbound client. It is not closed. Default: one that reaches this machine only. */
  outbound?: OutboundFetch;
}

export const TEST_KEYS = {
  live: `crd_live_${'L'.repeat(43)}`,
  test: `crd_test_${'T'.repeat(43)}`,
  admin: 'admin-secret-of-the-tests',
  data: 'data-key-of-the-tests-thirty-two-characters',
};

/** Starts a service on its own database. */
export async function startTestService(engine: Engine, options: ServiceOptions = {}): Promise<TestService> {
  const database = options.db ? null : await openTestDatabase(engine);
  const db = options.db ? firstGroupOf(options.db) : database?.db;
  if (!db) throw new Error('there is no database to test on');
  const { service, stop } = await startOn(db, options);
  return {
    ...service,
    async close() {
      await stop();
      if (!database) return;
      const check = options.writesEnvelopes ? Promise.resolve() : checkEnvelopes(db);
      await check.finally(() => database.close());
    },
  };
}

/**
 * A new platform on a service that all files of this process share, because starting one takes as
 * long as most files. For suites that read only their own platform, need no own clock or log, and
 * leave the service unchanged.
 */
export async function joinTestService(
  engine: Engine,
  env: Record<string, string> = {},
): Promise<TestService> {
  const { service, db: first } = await sharedService(engine, env);
  const joinedAt = new Date();
  const platform = { id: ids.at(joinedAt), keys: { live: newKey('live'), test: newKey('test') } };
  const profile = { name: 'Default', trustTier: 'STARTER', plan: 'enterprise', actor: 'service' } as const;
  await first.transaction((tx) => addPlatform(tx, ids, joinedAt, { ...platform, ...profile }));
  const ledger = await groupOfPlatform(first, platform.id);
  const db = hasCitus ? ofLedger(ledger) : ofEveryGroup(first);
  return {
    ...service,
    db,
    ledger,
    platformId: platform.id,
    liveKey: platform.keys.live,
    testKey: platform.keys.test,
    request: requestsOf(service.url, db, platform.keys.live),
    settle: () => settle(db),
    close: () => checkEnvelopes(db, joinedAt),
  };
}

/** The handle of the ledger group in which the first platform lives, which a service makes itself. */
export async function ledgerOf({ db }: TestDatabase): Promise<Database> {
  return groupOfPlatform(db, (await firstPlatform(db)) ?? '');
}

async function firstPlatform(db: Database): Promise<string | undefined> {
  const [first] = await db.query<{ platformId: string }>(
    'select platform_id from platform order by platform_id limit 1',
  );
  return first?.platformId;
}

/** The handle of the ledger group in which the platform lives. */
export async function groupOfPlatform(db: Database, platformId: string): Promise<Database> {
  const group = await findPlatformGroup(db, platformId);
  return (await groupHandles(db))[group ?? 0] ?? db;
}

const ids = createIdSource();
const IDLE_IN_TESTS_MS = 600_000;
// The runner ends this process with a signal after all files; a normal exit deletes the shared
// folder.
process.once('SIGTERM', () => process.exit());
const shared = new Map<string, ReturnType<typeof startShared>>();

function sharedService(engine: Engine, env: Record<string, string>) {
  const key = JSON.stringify([engine, env]);
  const known = shared.get(key) ?? startShared(engine, env);
  shared.set(key, known);
  return known;
}

async function startShared(engine: Engine, env: Record<string, string>) {
  const { db, dataDir } = await openTestDatabase(engine);
  if (dataDir) process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
  return { db, ...(await startOn(db, { env })) };
}

async function startOn(given: Database, options: ServiceOptions) {
  const db = ofEveryGroup(given);
  const { clock = systemClock, streamHeartbeatMs, importProgram } = options;
  const config = readConfig({
    BOOTSTRAP_LIVE_KEY: TEST_KEYS.live,
    BOOTSTRAP_TEST_KEY: TEST_KEYS.test,
    ADMIN_SECRET: TEST_KEYS.admin,
    LOG_LEVEL: 'error',
    PORT: '0',
    // All tests call from one address; tests of the limit set their own.
    ANONYMOUS_RATE_LIMIT_PER_MINUTE: '1000000',
    ...options.env,
  });
  const { log = pino({ level: config.logLevel }) } = options;
  const vault = createVault(TEST_KEYS.data);
  const outbound = options.outbound ?? loopbackOutbound(config.webhookAllowedPrivateCidrs);
  const secret = config.adminSecret;
  const replaced = { streamHeartbeatMs, importProgram, outbound, sweepTimers: NEVER };
  const application = asApplication(given);
  const folder = options.env?.LOG_STATE_DIR;
  const logHead = (group: number) => (folder === undefined ? null : headFileIn(folder, group));
  const deps = { config, db: application, clock, log, vault, logHead };
  const app = buildApp(
    { ...deps, adminSecret: secret, prepareGroup: (group) => prepareGroup(deps, group), ...replaced },
    await loadParts(config.role === 'api' ? 'api' : 'all', false),
  );
  const { server } = app;
  if (!server) throw new Error('the service has no server');
  // Client and service share a process here. If that stalls for seconds, the client uses a connection
  // that the service is about to close as idle, which fails the request.
  server.server.keepAliveTimeout = IDLE_IN_TESTS_MS;
  if (options.inFirstGroup) await given.execute('update ledger_group set is_open = (group_id = 0)');
  const { away } = await prepare(deps);
  await app.open(away);
  app.startWork();
  app.markReady();
  const url = await server.listen({ port: options.port ?? 0, host: '127.0.0.1' });
  const first = await firstPlatform(db);
  const ledger = first === undefined ? db : await groupOfPlatform(given, first);
  const own = hasCitus ? ofLedger(ledger) : db;
  const service = {
    url,
    platformId: first ?? '',
    liveKey: TEST_KEYS.live,
    testKey: TEST_KEYS.test,
    adminSecret: TEST_KEYS.admin,
    db: own,
    ledger,
    request: requestsOf(url, own, TEST_KEYS.live),
    settle: () => settle(own),
  };
  return {
    service,
    async stop() {
      await app.close();
      if (!options.outbound) await outbound.close();
    },
  };
}

/**
 * Tests run sweeps with `POST /admin/sweeps/{name}`. One that the schedule starts after 30 s would do on
 * a slow machine what a test is about to count.
 */
const silentTimer = { unref: () => silentTimer };
const NEVER = { setTimeout: () => silentTimer, clearTimeout() {} } as unknown as SweepTimers;

let openApi: Promise<object> | undefined;

/** Made here: a request for it would count towards the limit of the address, which some tests are about. */
function openApiDocument(): Promise<object> {
  openApi ??= describeApi(routeTable, 'http://127.0.0.1')().then((document) =>
    JSON.parse(JSON.stringify(document)),
  );
  return openApi;
}

/** @param ownKey the default key of requests */
function requestsOf(url: string, db: Database, ownKey: string): TestService['request'] {
  return async (method, path, { key = ownKey, ...options } = {}) => {
    if (method === 'GET') await neighboursSettled(db, path);
    return call(url, method, path, { key, ...options });
  };
}

async function call(url: string, method: string, path: string, options: RequestOptions): Promise<TestAnswer> {
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
  checkAnswer(await openApiDocument(), method, target, response.status, body, contentType);
  return { status: response.status, headers: response.headers, body, text };
}

/** A live stream has no end: reading stops after its start. */
async function beginningOf(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  const { value } = (await reader?.read()) ?? {};
  await reader?.cancel();
  return Buffer.from(value ?? []).toString();
}

function headersOf({ key, admin, body, headers }: RequestOptions): Record<string, string> {
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

async function settle(db: Database): Promise<void> {
  const waiting = 'select from recompute_queue union all select from tally_outbox limit 1';
  await eventually(async () => (await db.query(waiting)).length === 0);
}
