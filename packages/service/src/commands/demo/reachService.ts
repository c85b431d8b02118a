import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { packageFile } from '../../kit/packageFile.js';
import { CommandError } from '../commandError.js';

/** A running service. */
export interface ReachedService {
  readonly url: string;
  /** Started by the demo. */
  readonly isOurs: boolean;
  /** Waits until a service started here ends, and forwards Ctrl-C to it. Returns its exit code. */
  untilEnd(): Promise<number>;
  /** Stops a service started here, no other. */
  stop(): Promise<void>;
}

/**
 * Finds the service at `url` or starts one with the settings of this process. Throws CommandError.
 */
export async function reachService(options: {
  url: string;
  mayStart: boolean;
  say(line: string): void;
}): Promise<ReachedService> {
  const { url, mayStart, say } = options;
  if (await answers(`${url}/health`)) {
    return { url, isOurs: false, untilEnd: async () => 0, stop: async () => undefined };
  }
  if (!mayStart) throw new CommandError(`No service answers at ${url}.`);
  say(`No service answers at ${url}, so the demo starts one.`);
  const child = startService();
  const ended = endOf(child);
  await untilReady(url, child);
  return {
    url,
    isOurs: true,
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
function startService(): ChildProcess {
  const isBundled = import.meta.url.endsWith('.js');
  const entry = fileURLToPath(packageFile(isBundled ? 'dist/main.js' : 'src/main.ts'));
  const child = spawn(process.execPath, [...process.execArgv, entry], { stdio: 'inherit', detached: true });
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
    if (await answers(`${url}/health/ready`)) return;
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new CommandError('The service did not start. See its output above.');
    }
    await pause(100);
  }
  child.kill('SIGTERM');
  throw new CommandError(`The service was not ready within ${START_LIMIT_MS / 1000} seconds.`);
}

async function answers(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(2000) });
    await answer.arrayBuffer();
    return answer.status === 200;
  } catch {
    return false;
  }
}
