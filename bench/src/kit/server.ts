import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { dirname, join } from 'node:path';

import { startContender } from './contenders.js';
import { type Child, pause, startChild } from './scratch.js';

/** A web server on loopback in a separate process. */
export interface Server {
  readonly url: string;
  readonly pid: number;
  /** Time from the start of the process to the first 200 of its readiness address. */
  readonly startMs: number;
  stop(): Promise<void>;
  kill9(): Promise<void>;
}

/** Where the service keeps its data. */
export type Home = { readonly databaseUrl: string } | { readonly dataDir: string };

/**
 * Where scores are computed. `inside`: in the same process (ROLE=all). `separate`: in a second process (ROLE=api and ROLE=worker, on
 * PostgreSQL only). `none`: ROLE=api without a worker, which isolates the cost of the requests.
 */
export type Worker = 'inside' | 'separate' | 'none';

interface ServiceOptions {
  worker?: Worker;
  /** The built service. Default: that of this checkout. */
  program?: string;
  /** Node flags of the process that answers, such as `--cpu-prof`. */
  nodeFlags?: readonly string[];
  /** Additional environment of the process that answers. */
  env?: Readonly<Record<string, string>>;
}

/** The API key of every bench. */
export const LIVE_KEY = `crd_live_${'b'.repeat(43)}`;
/** The operator's secret of every bench. */
export const ADMIN_SECRET = 'admin-secret-of-the-benchmarks';

/** Node's flags in the `npm start` of the checkout that a built service belongs to. */
function startFlags(program: string): string[] {
  const { scripts } = JSON.parse(readFileSync(join(dirname(program), '../../../package.json'), 'utf8'));
  return scripts.start.match(/--\S+/g) ?? [];
}

/** Starts the built service like `npm start`, with rate limit and velocity guard raised. Resolves when it is ready. */
export async function startService(home: Home, options: ServiceOptions = {}): Promise<Server> {
  const { worker = 'inside', program = SERVICE, nodeFlags = [] } = options;
  const port = await freePort();
  const env = {
    PORT: String(port),
    ROLE: worker === 'inside' ? 'all' : 'api',
    ...serviceEnv(home),
    ...options.env,
  };
  const start = () => startChild(process.execPath, [...startFlags(program), ...nodeFlags, program], env);
  const server = await whenReady(start, `http://127.0.0.1:${port}`, '/health/ready');
  await liftRateLimit(server.url);
  if (worker !== 'separate') return server;
  const stopWorker = await startWorker(home);
  return {
    ...server,
    async stop() {
      await server.stop();
      await stopWorker();
    },
  };
}

/**
 * Load from one platform would exceed the rate limit of the largest plan at once. The limit is raised rather than switched off (0),
 * because counting requests is part of their cost. It is stored in the database.
 */
async function liftRateLimit(url: string): Promise<void> {
  const headers = { 'X-Admin-Secret': ADMIN_SECRET, 'Content-Type': 'application/json' };
  const listed = await fetch(`${url}/api/v1/admin/platforms`, { headers });
  const { platforms } = (await listed.json()) as { platforms: { id: string }[] };
  await raiseRateLimit(url, platforms[0]?.id ?? '');
}

async function raiseRateLimit(url: string, platformId: string): Promise<void> {
  const headers = { 'X-Admin-Secret': ADMIN_SECRET, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ rateLimitPerMinute: 1_000_000_000 });
  const address = `${url}/api/v1/admin/platforms/${platformId}`;
  const changed = await fetch(address, { method: 'PATCH', headers, body });
  if (!changed.ok) throw new Error(`the rate limit was not raised: ${await changed.text()}`);
}

/** Adds ledger groups to the database of a service, as `npm run db:groups` does. */
export async function addGroups(home: Home, count: number): Promise<void> {
  const child = startChild(process.execPath, [GROUPS, '--add', String(count)], serviceEnv(home));
  await child.output();
}

/** Makes a platform without a rate limit that refuses anything, in the group with the fewest. Returns its live key. */
export async function addPlatform(url: string, name: string): Promise<string> {
  const headers = { 'X-Admin-Secret': ADMIN_SECRET, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ name, trustTier: 'ENTERPRISE', plan: 'enterprise' });
  const made = await fetch(`${url}/api/v1/admin/platforms`, { method: 'POST', headers, body });
  if (!made.ok) throw new Error(`the platform was not made: ${await made.text()}`);
  const { platform, keys } = (await made.json()) as {
    platform: { id: string };
    keys: { live: { key: string } };
  };
  await raiseRateLimit(url, platform.id);
  return keys.live.key;
}

async function startWorker(home: Home): Promise<() => Promise<void>> {
  const child = startChild(process.execPath, [SERVICE], {
    ROLE: 'worker',
    ...serviceEnv(home),
  });
  await pause(WORKER_START_MS); // it has no port to probe
  if (child.hasEnded()) throw new Error(`the worker did not start:\n${child.errors()}`);
  return () => child.end('SIGTERM');
}

export const DATA_KEY = 'the-data-key-of-all-benches-seals-little';

function serviceEnv(home: Home): Record<string, string> {
  return {
    ...('databaseUrl' in home ? { DATABASE_URL: home.databaseUrl, DATA_KEY } : { DATA_DIR: home.dataDir }),
    HOST: '127.0.0.1',
    NODE_ENV: 'production',
    LOG_LEVEL: 'warn',
    ADMIN_SECRET,
    BOOTSTRAP_LIVE_KEY: LIVE_KEY,
    BOOTSTRAP_TEST_KEY: LIVE_KEY.replace('live', 'test'),
    VELOCITY_MAX_PER_HOUR: '1000000000', // a frozen score would cost less to compute
    ANONYMOUS_RATE_LIMIT_PER_MINUTE: '1000000000', // waiting for scores reads /metrics often
  };
}

/** Starts a contender that is a web server. Its port is the first argument. */
export async function startOtherServer(name: string, args: readonly string[] = []): Promise<Server> {
  const port = await freePort();
  const start = () => startContender(name, [String(port), ...args]);
  return whenReady(start, `http://127.0.0.1:${port}`, '/health/ready');
}

async function whenReady(start: () => Child, url: string, path: string): Promise<Server> {
  const startedAt = performance.now();
  const child = start();
  while (!(await isOk(url + path))) {
    if (child.hasEnded()) throw new Error(`the server ended before it was ready:\n${child.errors()}`);
    if (performance.now() - startedAt > START_LIMIT_MS) {
      await child.end('SIGKILL');
      throw new Error(`the server was not ready after ${START_LIMIT_MS} ms:\n${child.errors()}`);
    }
    await pause(5);
  }
  const startMs = performance.now() - startedAt;
  return {
    url,
    pid: child.pid,
    startMs,
    stop: () => child.end('SIGTERM'),
    kill9: () => child.end('SIGKILL'),
  };
}

function isOk(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const call = request(url, { agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    call.setTimeout(5_000, () => call.destroy());
    call.once('error', () => resolve(false));
    call.end();
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}

const SERVICE = 'packages/service/dist/main.js';
const GROUPS = 'packages/service/dist/groups.js';
const START_LIMIT_MS = 60_000;
const WORKER_START_MS = 2_000;
