import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { CommandError, UsageError } from '../commandError.js';
import type { Output } from '../output.js';
import { serviceProgram } from '../service.js';

/** The service that a demo has started. */
export interface DemoService {
  /** Waits until it ends. Ctrl-C reaches it. Returns its exit code. */
  untilEnd(): Promise<number>;
  stop(): Promise<void>;
}

type Env = Readonly<Record<string, string | undefined>>;

/** The only variables that the demo takes over: any other could lead it to real data. */
const INHERITED = [
  ...['PATH', 'HOME', 'LANG', 'TZ', 'TMPDIR', 'NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS', 'SYSTEMROOT'],
  ...['HOST', 'BASE_URL', 'TRUST_PROXY', 'WEBHOOK_RETRY_SCHEDULE'],
];
const DEFAULT_PORT = '3900';
const RECEIVER_NETWORK = '127.0.0.1/32';

export type DemoSettings = ReturnType<typeof settingsOf>;

/** As `start` reads them: PORT, HOST, BASE_URL and those of webhooks. Throws UsageError. */
export function settingsOf(given: Env, asked: string | undefined) {
  const port = portOf(asked ?? (given.PORT || DEFAULT_PORT));
  const host = given.HOST || 'localhost';
  const address = `http://${['127.0.0.1', '0.0.0.0', '::'].includes(host) ? 'localhost' : host}:${port}`;
  const networks = [given.WEBHOOK_ALLOWED_PRIVATE_CIDRS, RECEIVER_NETWORK].filter(Boolean).join(',');
  const env: Env = {
    ...Object.fromEntries(INHERITED.map((name) => [name, given[name]])),
    PORT: String(port),
    WEBHOOK_ALLOWED_PRIVATE_CIDRS: networks,
    LOG_LEVEL: 'error',
  };
  return {
    port,
    env,
    address,
    baseUrl: (given.BASE_URL || `http://localhost:${port}`).replace(/(?<!\/)\/+$/, ''),
  };
}

function portOf(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port;
  throw new UsageError(`The port of the demo must be a number from 1 to 65535, not ${text}.`);
}

interface DemoServiceOptions extends Pick<DemoSettings, 'address' | 'env'> {
  /** Its DATA_DIR. */
  folder: string;
  output: Output;
}

/** Starts the service with settings of its own. Throws CommandError. */
export async function startDemoService(options: DemoServiceOptions): Promise<DemoService> {
  const { address, output } = options;
  output.say(`Starting the demo at ${address}.`);
  const child = start(options);
  const ended = endOf(child);
  await untilReady(address, child);
  return {
    untilEnd: () => ended,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/**
 * In its own process group. Otherwise Ctrl-C would reach it twice, from the terminal and from here,
 * and a second signal makes it exit without finishing.
 */
function start({ folder, env }: DemoServiceOptions): ChildProcess {
  const child = spawn(process.execPath, [fileURLToPath(serviceProgram('main'))], {
    // Its first keys would be one more thing to read: the demo prints its own.
    stdio: ['ignore', 'ignore', 'inherit'],
    detached: true,
    env: { ...env, DATA_DIR: folder },
  });
  process.once('exit', () => child.kill('SIGTERM'));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  return child;
}

function endOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

const START_LIMIT_MS = 60_000;

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  const until = Date.now() + START_LIMIT_MS;
  while (Date.now() < until) {
    if (await isAnswering(`${url}/health/ready`)) return;
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new CommandError('The service of the demo did not start. See its output above.');
    }
    await pause(100);
  }
  child.kill('SIGTERM');
  throw new CommandError(`The service of the demo was not ready within ${START_LIMIT_MS / 1000} seconds.`);
}

/** Whether a program answers with 200. */
export async function isAnswering(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(2000) });
    await answer.arrayBuffer();
    return answer.status === 200;
  } catch {
    return false;
  }
}
