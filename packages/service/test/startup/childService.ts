import { type ChildProcess, execFile } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { PATIENCE_MS } from '#harness/eventually.js';
import { runEntry } from '../crash/serverProcess.js';

/** The service as an operator runs it: a process with an environment, output and an exit code. */
export type ChildService = ReturnType<typeof startChild>;

/** An operator with a database server must set DATA_KEY; all tests use this one. */
const DATA_KEY = 'data-key-of-the-tests-thirty-two-characters';

/** Starts the service, or another program of the package, on a free port unless `env` names one. */
export function startChild(env: Record<string, string>, entry = 'main') {
  const dataKey: Record<string, string> = env.DATABASE_URL === undefined ? {} : { DATA_KEY };
  const child = runEntry(entry, { PORT: '0', ...dataKey, ...env });
  // Not `exit`: output can still be on its way then.
  const closed = once(child, 'close');
  children.add(child);
  child.once('exit', () => children.delete(child));
  let output = '';
  let isOver = false;
  const news = new EventEmitter();
  child.once('close', () => {
    isOver = true;
    news.emit('news');
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      news.emit('news');
    });
  }
  const printed = async (pattern: RegExp): Promise<RegExpExecArray> => {
    const inTime = AbortSignal.timeout(PATIENCE_MS);
    for (;;) {
      const found = pattern.exec(output);
      if (found) return found;
      if (isOver || inTime.aborted) throw new Error(`never printed ${pattern}:\n${output}`);
      await once(news, 'news', { signal: inTime }).catch(() => undefined);
    }
  };
  return {
    /** All output so far. */
    output: () => output,
    /** The address once the service answers. Throws when the process ends first. */
    address: async () => (await printed(/listening at (http:\/\/[^"]+)/i))[1] ?? '',
    /** Resolves when the output matches the pattern. */
    printed,
    signal: (name: NodeJS.Signals) => child.kill(name),
    isRunning: () => children.has(child),
    /** The exit code, when all output was read. */
    ended: async () => (await closed)[0] as number | null,
  };
}

/** The address, once it serves. */
export async function ready(service: ChildService): Promise<string> {
  await service.printed(/"msg":"ready"/);
  return service.address();
}

export async function stopped(service: ChildService): Promise<void> {
  service.signal('SIGTERM');
  expect(await service.ended()).toBe(0);
}

/** A start that ends by itself with this code. Returns what it printed. */
export async function refused(env: Record<string, string>, code = 2): Promise<string> {
  const service = startChild(env);
  expect(await service.ended(), service.output()).toBe(code);
  return service.output();
}

const children = new Set<ChildProcess>();

/** Kills the processes that a failed test left running. */
export async function endChildren(): Promise<void> {
  const exits = [...children].map((child) => once(child, 'exit'));
  for (const child of children) child.kill('SIGKILL');
  await Promise.all(exits);
}

/** Runs a line in a shell and returns its output. */
export async function paste(line: string, env: Record<string, string> = {}): Promise<string> {
  const { stdout } = await promisify(execFile)('sh', ['-c', line], {
    env: { PATH: process.env.PATH ?? '', ...env },
  });
  return stdout;
}
