import { request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { type Child, pause, startChild, startProgram } from './scratch.js';

/** A web server that answers on loopback, in a process of its own. */
export interface Server {
  readonly url: string;
  readonly pid: number;
  /** From the start of the process to the first 200 of its readiness address. */
  readonly startMs: number;
  stop(): Promise<void>;
  kill9(): Promise<void>;
}

/** Where the service keeps its data. */
export type Home = { readonly databaseUrl: string } | { readonly dataDir: string };

interface ServiceOptions {
  role?: 'all' | 'api';
  env?: Record<string, string>;
  /** For `--cpu-prof` and the like. */
  nodeFlags?: readonly string[];
}

/** The key that every bench calls with. */
export const LIVE_KEY = `crd_live_${'b'.repeat(43)}`;

/** The built service, as `npm start` runs it, with the velocity guard out of the way. Resolves when it is ready. */
export async function startService(home: Home, options: ServiceOptions = {}): Promise<Server> {
  const port = await freePort();
  const env = { PORT: String(port), ROLE: options.role ?? 'all', ...serviceEnv(home), ...options.env };
  const start = () => startChild(process.execPath, [...(options.nodeFlags ?? []), SERVICE], env);
  return whenReady(start, `http://127.0.0.1:${port}`, '/health/ready');
}

/** A worker of its own, beside a service with ROLE=api on the same database. */
export async function startWorker(home: Home): Promise<{ stop(): Promise<void> }> {
  const port = await freePort(); // some roles answer health checks
  const child = startChild(process.execPath, [SERVICE], {
    PORT: String(port),
    ROLE: 'worker',
    ...serviceEnv(home),
  });
  await pause(WORKER_START_MS);
  if (child.hasEnded()) throw new Error(`the worker did not start:\n${child.errors()}`);
  return { stop: () => child.end('SIGTERM') };
}

function serviceEnv(home: Home): Record<string, string> {
  return {
    ...('databaseUrl' in home ? { DATABASE_URL: home.databaseUrl } : { DATA_DIR: home.dataDir }),
    HOST: '127.0.0.1',
    NODE_ENV: 'production',
    LOG_LEVEL: 'warn',
    BOOTSTRAP_LIVE_KEY: LIVE_KEY,
    BOOTSTRAP_TEST_KEY: LIVE_KEY.replace('live', 'test'),
    VELOCITY_MAX_PER_HOUR: '1000000000', // a load on 10 000 subjects is not what the guard is for
  };
}

/** One of the servers under bench/src/contenders; it gets its port as the first argument. */
export async function startContender(file: string, args: readonly string[] = []): Promise<Server> {
  const port = await freePort();
  const start = () => startProgram(`contenders/${file}`, [String(port), ...args]);
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
const START_LIMIT_MS = 60_000;
const WORKER_START_MS = 2_000;
