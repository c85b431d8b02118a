import { type ChildProcess, spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../dist/reliability.js', import.meta.url));

export interface CliOptions {
  /** The whole environment, apart from PATH and a HOME without profiles. */
  env?: Record<string, string>;
  cwd?: string;
  stdin?: string;
  /** An open file that takes its output. */
  stdout?: number;
}

/** Starts the bundled command line. */
export function startCli(
  args: readonly string[],
  { env = {}, cwd = tmpdir(), stdin, stdout = -1 }: CliOptions = {},
): ChildProcess {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd,
    env: { PATH: process.env.PATH ?? '', HOME: '/nonexistent', ...env },
    stdio: ['pipe', stdout < 0 ? 'pipe' : stdout, 'pipe'],
  });
  child.stdin?.end(stdin);
  return child;
}

export interface CliResult {
  code: number | null;
  output: string;
  errors: string;
}

/** Runs it to its end. */
export function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  const child = startCli(args, options);
  const texts = { output: '', errors: '' };
  child.stdout?.on('data', (chunk: Buffer) => {
    texts.output += chunk.toString();
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    texts.errors += chunk.toString();
  });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...texts })));
}
