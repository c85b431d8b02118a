import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's root, the working directory of started programs. */
export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

const children = new Set<ChildProcess>();
const folders = new Set<string>();

// Cleans up however this process ends: a forgotten server would distort the next run.
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A new temporary folder, deleted at the end of the run at the latest. */
export function scratchFolder(purpose: string): string {
  const folder = mkdtempSync(join(tmpdir(), `reliability-bench-${purpose}-`));
  folders.add(folder);
  return folder;
}

export function dropFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  folders.delete(folder);
}

/** A started child process. */
export interface Child {
  readonly pid: number;
  /** The end of its error output. */
  errors(): string;
  hasEnded(): boolean;
  /** Sends the signal and resolves when the process has ended. After 30 s it is killed. */
  end(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): Promise<void>;
  /** Its complete output after a successful exit. Throws with its error output otherwise. */
  output(): Promise<string>;
}

/** Starts a program with exactly this environment. */
export function startChild(
  program: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Child {
  const child = spawn(program, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
  children.add(child);
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-MAX_OUTPUT);
  });
  child.stderr.on('data', (chunk: Buffer) => {
    errors = (errors + chunk.toString()).slice(-MAX_ERROR_OUTPUT);
  });
  const ended = new Promise<number | null>((resolve) => {
    child.once('error', (error) => {
      errors += String(error);
      resolve(null);
    });
    child.once('close', (code) => resolve(code));
  });
  void ended.then(() => children.delete(child));
  return {
    pid: child.pid ?? -1,
    errors: () => errors || output,
    hasEnded: () => !children.has(child),
    async end(signal) {
      child.kill(signal);
      const killer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
      await ended;
      clearTimeout(killer);
    },
    async output() {
      const code = await ended;
      if (code !== 0)
        throw new Error(`${program} ${args.join(' ')} ended with ${code}:\n${errors || output}`);
      return output;
    },
  };
}

const MAX_OUTPUT = 4_000_000;
const MAX_ERROR_OUTPUT = 8_000;
const PATIENCE_MS = 30_000;

export function pause(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs));
}
