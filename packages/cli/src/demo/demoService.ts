import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { CommandError } from '../commandError.js';
import type { Output } from '../output.js';
import { serviceProgram } from '../service.js';

/** The service that a demo has started. */
export interface DemoService {
  /** Waits until it ends. Ctrl-C reaches it. Returns its exit code. */
  untilEnd(): Promise<number>;
  stop(): Promise<void>;
}

interface DemoServiceOptions {
  url: string;
  port: number;
  folder: string;
  env: Readonly<Record<string, string | undefined>>;
  output: Output;
}

/** The only variables that the demo takes over: any other could lead it to real data. */
const INHERITED = [
  'PATH',
  'HOME',
  'LANG',
  'TZ',
  'TMPDIR',
  'NODE_OPTIONS',
  'NODE_EXTRA_CA_CERTS',
  'SYSTEMROOT',
];

/** Starts the service with settings of its own. Throws CommandError. */
export async function startDemoService(options: DemoServiceOptions): Promise<DemoService> {
  const { url, folder, output } = options;
  const isNew = !existsSync(join(folder, 'database'));
  output.say(
    isNew
      ? `Creating the demo in ${folder}. This takes a few seconds, once.`
      : `Starting the demo in ${folder}.`,
  );
  const child = start(options);
  const ended = endOf(child);
  await untilReady(url, child);
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
function start({ url, port, folder, env }: DemoServiceOptions): ChildProcess {
  const inherited = Object.fromEntries(INHERITED.map((name) => [name, env[name]]));
  const child = spawn(process.execPath, [fileURLToPath(serviceProgram('main'))], {
    // Its first keys would be one more thing to read: the demo prints its own.
    stdio: ['ignore', 'ignore', 'inherit'],
    detached: true,
    env: { ...inherited, PORT: String(port), DATA_DIR: folder, BASE_URL: url, LOG_LEVEL: 'error' },
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
