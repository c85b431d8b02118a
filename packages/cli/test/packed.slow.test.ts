import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../service/test/harness/eventually.js';
import { freePort } from '../../service/test/harness/freePort.js';
import { serviceMigrations } from '../../service/test/harness/migrationsFolder.js';
import { seededDataDir } from '../../service/test/harness/pgliteSeed.js';
import { scratchFolder } from '../../service/test/harness/scratchFolder.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const PACKAGES = ['cli', 'scoring', 'proof', 'client'] as const;
const QUIET = ['--no-audit', '--no-fund', '--prefer-offline'];

let folder: string;
let app: string;
let tarballs: string[];

const run = async (command: string, args: readonly string[], cwd = app, env = process.env) =>
  (await promisify(execFile)(command, args, { cwd, env, maxBuffer: 64 * 1024 * 1024 })).stdout;

async function install(name: string, ...args: string[]): Promise<string> {
  const own = join(folder, name);
  mkdirSync(own);
  writeFileSync(join(own, 'package.json'), '{ "private": true }');
  // `--engine-strict`: every package supports the Node that runs this.
  await run('npm', ['install', '--engine-strict', ...QUIET, ...args], own);
  return own;
}

beforeAll(async () => {
  folder = scratchFolder('reliability-packed-');
  tarballs = (await run(process.execPath, ['scripts/pack.mjs', folder], root)).trim().split('\n');
  app = await install('app', ...tarballs);
});
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

describe('the packages', () => {
  test.each(PACKAGES)('%s has what a registry shows', (name) => {
    const own = join(app, 'node_modules/@reliability', name);
    const manifest = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8'));
    for (const field of ['description', 'license', 'keywords', 'homepage', 'repository', 'engines'])
      expect(manifest, field).toHaveProperty(field);
    expect(manifest).not.toHaveProperty('private');
    expect(JSON.stringify(manifest.exports ?? {})).not.toContain('src/');
    for (const file of ['README.md', 'LICENSE']) expect(readFileSync(join(own, file), 'utf8')).not.toBe('');
  });

  test('that verifies proofs installs alone, without a network', async () => {
    const proof = tarballs.find((path) => basename(path).startsWith('reliability-proof-')) ?? '';
    const alone = await install('alone', '--offline', proof);
    const asked = "require('@reliability/proof').verify('{}').then(({ ok }) => console.log(ok))";
    expect(await run(process.execPath, ['--eval', asked], alone)).toBe('false\n');
  });

  test.each([
    { compiler: 'typescript7', module: 'node16', resolution: 'node16', files: ['use.mts', 'use.cts'] },
    { compiler: 'typescript7', module: 'nodenext', resolution: 'nodenext', files: ['use.mts', 'use.cts'] },
    { compiler: 'typescript7', module: 'esnext', resolution: 'bundler', files: ['use.mts'] },
    { compiler: 'typescript', module: 'commonjs', resolution: 'node10', files: ['use.ts'] },
  ])(
    'have types for a strict compiler with module $module, resolved as $resolution',
    async ({ compiler, ...options }) => {
      const { module, resolution, files } = options;
      for (const file of files) writeFileSync(join(app, file), USE);
      const args = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess']
        .concat(['--target', 'es2022', '--lib', 'es2023,dom', '--module', module])
        .concat(['--moduleResolution', resolution])
        // It does not read `exports`, and goes with TypeScript 7.
        .concat(resolution === 'node10' ? ['--ignoreDeprecations', '6.0'] : [])
        .concat(['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')]);
      const tsc = join(root, 'node_modules', compiler, 'bin/tsc');
      const compiled = run(process.execPath, [tsc, ...args, ...files]);
      expect(await compiled.catch(({ stdout }: { stdout: string }) => stdout)).toBe('');
    },
  );

  test('leave nothing to say for publint and arethetypeswrong', async () => {
    const tools = ['--package=publint@0.3.25', '--package=@arethetypeswrong/cli@0.18.5'];
    const withTools = (script: string) =>
      run('npx', ['--yes', '--prefer-offline', ...tools, '--', 'sh', '-euc', script], folder);
    const isThere = await withTools('publint --version').then(
      () => true,
      () => false,
    );
    if (!isThere)
      return console.warn('publint or arethetypeswrong cannot be installed: packages are not linted');
    const said = await withTools('for file in *.tgz; do publint run $file --strict; done');
    expect(said.match(/All good!/g)).toHaveLength(PACKAGES.length);
    // The command line is a program and has nothing to import.
    const libraries = tarballs
      .map((path) => basename(path))
      .filter((file) => !file.startsWith('reliability-cli-'));
    const found = await withTools(`for file in ${libraries.join(' ')}; do attw $file --no-emoji; done`);
    expect(found.match(/No problems found/g)).toHaveLength(libraries.length);
  });
});

/** What a program does with each package. It compiles as a module of either kind. */
const USE = `
import { createClient, ReliabilityError, verifyWebhook, type Envelope, type ErrorCode } from '@reliability/client';
import { readCsvFile } from '@reliability/client/csv-file';
import { WebhookVerificationError } from '@reliability/client/webhooks';
import { parseVerifierKey, verify, type Verification } from '@reliability/proof';
import { dayFromIso, foldTallies, score } from '@reliability/scoring';

export async function use(baseUrl: string, key: string): Promise<number | undefined> {
  const client = createClient({ baseUrl, key, timeoutMs: undefined });
  const { event } = await client.recordEvent({ userId: 'packed', eventType: 'CONTRACT_FULFILLED' });
  const code: ErrorCode | (string & {}) = await client.readEvent(event.id).then(
    () => 'none',
    (error: unknown) => (error instanceof ReliabilityError ? error.code : 'other'),
  );
  const verification: Verification = await verify(code, { logKey: parseVerifierKey(key), now: new Date() });
  console.log(verification.ok, readCsvFile(new Uint8Array()).separator, verifyWebhook, WebhookVerificationError);
  return score(foldTallies([]), dayFromIso('2026-06-30'))?.finalScore;
}
export const bandOf = (envelope: Envelope): string | null =>
  envelope.type === 'score.updated' ? envelope.data.band : null;
// @ts-expect-error an event needs a type
export const invalid = () => createClient({ baseUrl: '' }).recordEvent({ userId: 'packed' });
// @ts-expect-error a client needs the address of the service
export const nowhere = () => createClient({});
`;

describe('in an empty folder', () => {
  let service: ChildProcess;
  let ended: Promise<unknown>;
  let output = '';
  let url: string;
  beforeAll(async () => {
    const port = String(await freePort());
    url = `http://127.0.0.1:${port}`;
    await seededDataDir(serviceMigrations, join(app, 'data/database'));
    // Not by npx, which would have to pass on the signal that ends the service.
    const program = join(app, 'node_modules/.bin/reliability');
    service = spawn(program, ['start'], { cwd: app, env: { ...env(), PORT: port } });
    ended = new Promise((resolve) => service.once('exit', resolve));
    for (const stream of [service.stdout, service.stderr])
      stream?.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
    await eventually(() => /crd_test_[\w-]+/.test(output) && output.includes('curl'));
  });
  afterAll(async () => {
    service.kill('SIGTERM');
    expect(await ended).toBe(0);
  });

  const keyOf = (mode: 'live' | 'test') => new RegExp(`crd_${mode}_[\\w-]+`).exec(output)?.[0] ?? '';
  /** Nothing of this repository's environment. */
  const env = () => ({ PATH: process.env.PATH, HOME: process.env.HOME, RELIABILITY_URL: url });

  test('the command line starts the service, reports an outcome, and reads and verifies a score', async () => {
    const cli = (...args: string[]) =>
      run('npx', ['--offline', '@reliability/cli', ...args], app, {
        ...env(),
        RELIABILITY_KEY: keyOf('live'),
      });
    await cli('events', 'send', '--user', 'ana', '--type', 'CONTRACT_FULFILLED');
    const totalEvents = async () => JSON.parse(await cli('score', 'ana', '--json')).totalEvents;
    await expect.poll(() => totalEvents().catch(() => null)).toBe(1);
    const headers = { Authorization: `Bearer ${keyOf('live')}` };
    const proof = () => fetch(`${url}/api/v1/users/ana/score/proof`, { headers });
    await expect.poll(async () => (await proof()).status).toBe(200);
    writeFileSync(join(app, 'proof.json'), await (await proof()).text());
    const identity = await fetch(`${url}/.well-known/ledger-log.json`);
    const { vkey } = (await identity.json()) as { vkey: string };
    expect(await cli('verify', 'proof.json', '--key', vkey)).toContain('ana');
    // Files of the package.
    for (const path of ['trust-badge.js', 'check', 'console', 'docs/quickstart'])
      expect((await fetch(`${url}/${path}`)).status, path).toBe(200);
  });

  test.each([
    ['an ES module', 'use.mjs', "import { createClient } from '@reliability/client';"],
    ['a CommonJS module', 'use.cjs', "const { createClient } = require('@reliability/client');"],
  ])('%s reports and reads with the client', async (_, file, first) => {
    writeFileSync(join(app, file), `${first}\n${PROGRAM}`);
    const printed = await run(process.execPath, [file], app, { ...env(), RELIABILITY_KEY: keyOf('test') });
    expect(JSON.parse(printed)).toEqual({ isFound: true, code: 'NOT_FOUND' });
  });
});

const PROGRAM = `
const client = createClient({ baseUrl: process.env.RELIABILITY_URL, key: process.env.RELIABILITY_KEY });
void (async () => {
  const { eventId } = await client.recordEvent({ userId: 'packed', eventType: 'CONTRACT_FULFILLED' });
  const { id } = await client.readEvent(eventId);
  const { code } = await client.readEvent('no-id').catch((error) => error);
  console.log(JSON.stringify({ isFound: id === eventId, code }));
})();
`;
