import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runEntry } from './crash/serverProcess.js';
import { csvOf, goodRows, MAPPING } from './features/intake/importFixtures.js';
import { startTestService, type TestService } from './harness/service.js';

describe('npm run import', () => {
  let service: TestService;
  let folder: string;
  let file: string;
  let mapping: string;

  beforeAll(async () => {
    service = await startTestService('pglite');
  });
  afterAll(() => service.close());

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'reliability-import-command-'));
    file = join(folder, 'history.csv');
    mapping = join(folder, 'mapping.json');
    writeFileSync(mapping, JSON.stringify(MAPPING));
    return () => rmSync(folder, { recursive: true, force: true });
  });

  /** Default: with the key in the environment, against the service. */
  function run(args: readonly string[], env: Record<string, string> = { IMPORT_KEY: service.liveKey }) {
    return runCommand([file, '--mapping', mapping, '--url', service.url, ...args], env);
  }

  test('imports a file with progress and a summary; a second run imports nothing twice', async () => {
    writeFileSync(file, csvOf(goodRows(1200, { prefix: 'command' })));
    const first = await run([]);
    expect(first).toMatchObject({ code: 0, errors: '' });
    expect(first.output).toMatch(/^100 % \(1200 of 1200\)$/m);
    expect(first.output).toMatch(/1200 rows in [\d.]+ s: 1200 recorded, 0 skipped, 0 failed, 0 warnings\./);
    const again = await run([]);
    expect(again.code).toBe(0);
    expect(again.output).toContain('Nothing is imported twice');
    expect((await service.request('GET', '/imports')).body.imports).toHaveLength(1);
    await service.settle();
    expect((await service.request('GET', '/users/command-0/score')).body.totalEvents).toBe(24);
  });

  test('writes failed rows to a second file and reports them in its exit code', async () => {
    const good = goodRows(103, { prefix: 'partly' });
    writeFileSync(file, csvOf([...good, { worker: '' }, { worker: 'partly', type: '=1+1' }]));
    const { code, output } = await run(['--key', service.testKey], {});
    expect(code).toBe(2);
    expect(output).toContain('105 rows');
    expect(output).toContain('103 recorded, 0 skipped, 2 failed');
    const path = join(folder, 'history.errors.csv');
    expect(output).toContain(path);
    const lines = readFileSync(path, 'utf8').trimEnd().split('\r\n');
    expect(lines[0]).toBe('row,code,reason,kind');
    expect(lines[1]).toMatch(/^104,VALIDATION_ERROR,.*userId.*,error$/);
    expect(lines[2]).toMatch(/^105,VALIDATION_ERROR,.*eventType.*,error$/);
    expect(lines).toHaveLength(3);
  });

  test('a dry run shows the first five events and the failures without a key or service', async () => {
    writeFileSync(
      file,
      csvOf([...goodRows(8, { prefix: 'dry' }), { worker: '' }, { worker: 'x', stake: 'HIGH' }]),
    );
    const { code, output, errors } = await run(['--dry-run', '--url', 'http://127.0.0.1:9'], {});
    expect([code, errors]).toEqual([2, '']);
    const [title, heading, , ...rest] = output.split('\n');
    expect(title).toBe('The first events:');
    expect(heading).toMatch(
      /^row +userId +eventType +stakeLevel +isVerified +attester +completedAt +metadata/,
    );
    expect(rest.filter((line) => /^\d+ +dry-/.test(line))).toHaveLength(5);
    expect(output).toContain('9 of 10 rows would be recorded, 1 would fail.');
    expect(output).toMatch(/^ {2}row 9: userId: is required/m);
    expect(output).toMatch(/^ {2}row 10: .*MEDIUM/m);
  });

  test.each<[what: string, prepare: () => string[], message: RegExp]>([
    ['no file is named', () => ['another.csv'], /npm run import -- file\.csv/],
    ['an option is unknown', () => ['--force'], /Unknown option '--force'/],
    [
      'the service is away',
      () => ['--url', 'http://127.0.0.1:9'],
      /No service answers at http:\/\/127\.0\.0\.1:9/,
    ],
    ['the key is wrong', () => ['--key', `crd_live_${'w'.repeat(43)}`], /API key is unknown or revoked/],
  ])('says what is wrong when %s', async (_, args, message) => {
    writeFileSync(file, csvOf(goodRows(1)));
    const { code, errors } = await run(args());
    expect(code).toBe(1);
    expect(errors).toMatch(message);
    expect(errors).not.toContain('    at ');
  });

  test('reports errors in the files before it sends them', async () => {
    expect(await run([])).toMatchObject({ code: 1, errors: `There is no file ${file}.\n` });
    writeFileSync(file, 'worker\n"a\n');
    expect((await run([])).errors).toMatch(/line 2 is never closed.*\(IMPORT_CSV_INVALID\)/);
    writeFileSync(file, csvOf(goodRows(1)));
    expect((await run([], {})).errors).toContain('IMPORT_KEY');
    writeFileSync(mapping, '{"userId":');
    expect((await run([])).errors).toMatch(/mapping\.json is not JSON/);
    writeFileSync(mapping, JSON.stringify({ userId: { path: 'nobody' }, eventType: { path: 'type' } }));
    expect((await run(['--dry-run'])).errors).toMatch(/^ {2}mapping\.userId\.path: .*"nobody"/m);
  }, 60_000);

  test('prints each error of a mapping on its own line', async () => {
    writeFileSync(file, csvOf(goodRows(1)));
    writeFileSync(
      mapping,
      JSON.stringify({ userId: { path: 'worker', transform: 'shout' }, color: { path: 'x' } }),
    );
    const { code, errors } = await run([]);
    expect(code).toBe(1);
    expect(errors).toMatch(/^The mapping is invalid: \(INGEST_MAPPING_INVALID\)$/m);
    for (const path of ['mapping.userId.transform', 'mapping.color', 'mapping.eventType']) {
      expect(errors).toMatch(new RegExp(`^  ${path.replaceAll('.', '\\.')}: `, 'm'));
    }
  });
});

function runCommand(
  args: string[],
  env: Record<string, string>,
): Promise<{ code: number | null; output: string; errors: string }> {
  const child = runEntry('importFile', env, args);
  let output = '';
  let errors = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output, errors })));
}
