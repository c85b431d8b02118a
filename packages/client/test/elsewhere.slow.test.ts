import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { givenSharedService } from '../../service/test/harness/givenService.js';
import { describeInBrowser, givenBrowser } from '../../service/test/pages/givenBrowser.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
// Not the server of all files: their open transactions would keep the newest event off the export.
const service = givenSharedService('pglite');
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'client-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SAMPLE = `
import { createClient, ReliabilityError, verifyWebhook, type Envelope, type ErrorCode } from '@reliability/client';

const [baseUrl = '', key = ''] = process.argv.slice(2);
const client = createClient({ baseUrl, key, timeoutMs: undefined });
const { event } = await client.recordEvent({ userId: 'packed', eventType: 'CONTRACT_FULFILLED' });
const ids: string[] = [];
for await (const { id } of client.exportEvents.each({ limit: 1 })) ids.push(id);
const code: ErrorCode | (string & {}) = await client.readEvent('no-id').then(
  () => 'none',
  (error: unknown) => (error instanceof ReliabilityError ? error.code : 'other'),
);
const bandOf = (envelope: Envelope): string | null =>
  envelope.type === 'score.updated' ? envelope.data.band : null;
// @ts-expect-error an event needs a type
const invalid = () => client.recordEvent({ userId: 'packed' });
// @ts-expect-error a score is read by id
const nobody = () => client.score();
console.log(JSON.stringify({ isFound: ids.includes(event.id), code, types: [typeof verifyWebhook, typeof bandOf, typeof invalid, typeof nobody] }));
`;

describe('the package', () => {
  test('installs from its tarball, passes a strict compiler, and runs', async () => {
    // Not the synchronous form: the service runs in this process.
    const run = async (command: string, args: string[], cwd = folder) =>
      (await promisify(execFile)(command, args, { cwd })).stdout;
    const packed = ['pack', '--silent', '--workspace=packages/client', `--pack-destination=${folder}`];
    const tarball = (await run('npm', packed, root)).trim().split('\n').at(-1) ?? '';
    const app = join(folder, 'app');
    mkdirSync(app);
    writeFileSync(join(app, 'package.json'), '{ "type": "module", "private": true }');
    await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', join(folder, tarball)], app);
    writeFileSync(join(app, 'sample.ts'), SAMPLE);
    const tsc = join(root, 'node_modules/typescript7/bin/tsc');
    const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];
    const target = ['--target', 'es2022', '--module', 'nodenext', '--lib', 'es2023,dom'];
    const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')];
    await run(process.execPath, [tsc, ...strict, ...target, ...types, 'sample.ts'], app);
    const output = await run(process.execPath, ['sample.js', service.url, service.liveKey], app);
    expect(JSON.parse(output)).toMatchObject({ isFound: true, code: 'NOT_FOUND' });
  });
});

describeInBrowser('the package in Chromium', () => {
  const { open } = givenBrowser();

  test('works', async () => {
    const { outputFiles } = await build({
      entryPoints: [join(root, 'packages/client/src/index.ts')],
      bundle: true,
      format: 'iife',
      globalName: 'Reliability',
      write: false,
    });
    const page = await open(`${service.url}/health`, {
      bypassCSP: true,
      expectedErrors: /CORS|ERR_FAILED|favicon/,
    });
    await page.evaluate(`${outputFiles[0]?.text}; globalThis.Reliability = Reliability`);
    const answer = await page.evaluate(`(async () => {
      const opened = Promise.withResolvers();
      const client = Reliability.createClient({
        ...${JSON.stringify({ baseUrl: service.url, key: service.liveKey })},
        fetch: async (...args) => {
          const response = await fetch(...args);
          opened.resolve();
          return response;
        },
      });
      const stream = client.stream({ types: ['score.updated'] });
      const next = stream.next();
      await opened.promise;
      await client.recordEvent({ userId: 'browser', eventType: 'CONTRACT_FULFILLED' });
      const { value } = await next;
      await stream.return();
      return value.data.user.externalId;
    })()`);
    expect(answer).toBe('browser');
    await page.goto(`${service.url.replace('127.0.0.1', 'localhost')}/health`);
    await page.evaluate(`${outputFiles[0]?.text}; globalThis.Reliability = Reliability`);
    const refused = page.evaluate(
      `Reliability.createClient(${JSON.stringify({ baseUrl: service.url, key: 'k', retries: 0 })}).score('a')`,
    );
    await expect(refused).rejects.toThrow('from a page of another origin');
  });
});
