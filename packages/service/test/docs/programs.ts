import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { LANGUAGES, type Language, root } from './languages.js';

export const succeeds = (command: string, ...args: string[]) => spawnSync(command, args).status === 0;

/** The languages whose programs run on this machine. The others are named and skipped. */
export const available: Readonly<Record<Language, boolean>> = {
  sh: succeeds('curl', '--version') && succeeds('jq', '--version'),
  ts: true,
  python: succeeds('python3', '-c', 'import requests'),
  go: succeeds('go', 'version'),
};
const missing = LANGUAGES.filter((language) => !available[language]);
if (missing.length > 0) {
  console.warn(
    `examples in ${missing.join(', ')} are skipped: install curl and jq, python3-requests, golang-go`,
  );
}

const FILES: Record<Language, string> = { sh: 'main.sh', ts: 'main.ts', python: 'main.py', go: 'main.go' };

/** Where Python and Go find the clients. Nothing is downloaded. */
export const CLIENT_PATHS = {
  PYTHONPATH: join(root, 'packages/python/src'),
  GOFLAGS: '-mod=mod',
  GOPROXY: 'off',
  GOTOOLCHAIN: 'local',
};
const GO_MODULE = `module example

go 1.19

require reliability.example/client v0.0.0

replace reliability.example/client => ${join(root, 'packages/go')}
`;

/** A folder in which programs find the clients, and the frameworks of the guide. */
export interface ProgramFolder {
  readonly path: string;
  /** Runs a program and returns what it printed. Fails if the program fails. */
  run(language: Language, text: string, env: Readonly<Record<string, string>>): Promise<string>;
  remove(): void;
}

export function programFolder(): ProgramFolder {
  const path = mkdtempSync(join(tmpdir(), 'reliability-examples-'));
  for (const [name, place] of [
    ['@reliability/client', 'packages/client'],
    ...['express', 'fastify', 'hono', '@hono/node-server'].map((name) => [name, `node_modules/${name}`]),
  ] as const) {
    mkdirSync(dirname(join(path, 'node_modules', name)), { recursive: true });
    symlinkSync(join(root, place), join(path, 'node_modules', name));
  }
  writeFileSync(join(path, 'package.json'), '{ "type": "module", "private": true }');
  writeFileSync(join(path, 'go.mod'), GO_MODULE);
  return {
    path,
    async run(language, text, env) {
      const file = join(path, FILES[language]);
      writeFileSync(file, text);
      const [command, ...args] = RUNNERS[language];
      const { stdout } = await promisify(execFile)(command, [...args, file], {
        cwd: path,
        env: { ...process.env, ...CLIENT_PATHS, ...env },
        maxBuffer: 64 * 1024 * 1024,
        timeout: 380_000,
      });
      return stdout;
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

/** What runs a program of the language. */
export const RUNNERS: Readonly<Record<Language, readonly [string, ...string[]]>> = {
  sh: ['bash', '-eu'],
  ts: [join(root, 'node_modules/.bin/tsx'), '--conditions=source'],
  python: ['python3'],
  go: ['go', 'run'],
};
