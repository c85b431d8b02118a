import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '#harness/freePort.js';

export type ServerProcess = Awaited<ReturnType<typeof serverProcess>>;

const READY_LIMIT_MS = 300_000;
const MAX_OUTPUT = 4000;

/**
 * The service as a process, which can be killed and restarted on the same port and data.
 * @param env the whole environment of the service, apart from PATH.
 */
export async function serverProcess(env: Record<string, string>) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let child: ChildProcess | null = null;
  let output = '';
  process.once('exit', () => child?.kill('SIGKILL'));

  return {
    url,
    get isRunning() {
      return child !== null;
    },
    /** The end of its output, for error reports. */
    get output() {
      return output;
    },
    start(): void {
      const started = runEntry('main', { ...env, PORT: String(port) });
      child = started;
      for (const stream of [started.stdout, started.stderr]) {
        stream.on('data', (chunk: Buffer) => {
          output = (output + chunk.toString()).slice(-MAX_OUTPUT);
        });
      }
      started.once('exit', () => {
        if (child === started) child = null;
      });
    },
    /** Resolves at the first 200 of the readiness check. Throws when the process exits or takes too long. */
    async untilReady(): Promise<void> {
      const until = Date.now() + READY_LIMIT_MS;
      while (Date.now() < until) {
        if (child === null) throw new Error(`the service ended by itself:\n${output}`);
        if (await isReady(url)) return;
        await pause(20);
      }
      throw new Error(`the service was not ready within ${READY_LIMIT_MS / 1000} s:\n${output}`);
    },
    kill9: () => end('SIGKILL'),
    /** Returns the exit code. */
    stop: () => end('SIGTERM'),
  };

  function end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
    const running = child;
    if (running === null) return Promise.reject(new Error(`the service ended by itself:\n${output}`));
    return new Promise((resolve) => {
      running.once('exit', (code) => resolve(code));
      running.kill(signal);
    });
  }
}

const PACKAGE = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Runs a program of the package: `main`, `auditLedger`, `demo`. */
export function runEntry(
  name: string,
  env: Record<string, string>,
  args: readonly string[] = [],
): ChildProcessByStdio<null, Readable, Readable> {
  return spawn(process.execPath, [join(PACKAGE, 'dist', `${name}.js`), ...args], {
    // Not the package: its folder `data` would be the data folder of the program.
    cwd: join(PACKAGE, 'dist'),
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Runs a program of the package to its end. */
export async function runProgram(name: string, env: Record<string, string>, args: readonly string[] = []) {
  const child = runEntry(name, env, args);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { code, stdout, stderr, output: stderr + stdout };
}

/** What a program prints. Throws if it fails. */
export async function textOf(name: string, env: Record<string, string>, args: readonly string[] = []) {
  const { code, output } = await runProgram(name, env, args);
  if (code !== 0) throw new Error(`${name} ${args.join(' ')} ended with ${code}:\n${output}`);
  return output;
}

async function isReady(url: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(2000) });
    await answer.arrayBuffer();
    return answer.status === 200;
  } catch {
    return false;
  }
}
