import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { csvOf, goodRows, MAPPING } from '../../service/test/features/intake/importFixtures.js';
import { givenService } from '../../service/test/harness/givenService.js';
import { scratchFolder } from '../../service/test/harness/scratchFolder.js';
import { runCli } from './runCli.js';

describe('reliability import', () => {
  const service = givenService('pglite');
  let folder: string;
  let file: string;
  let mapping: string;

  beforeEach(() => {
    folder = scratchFolder('reliability-import-command-');
    file = join(folder, 'history.csv');
    mapping = join(folder, 'mapping.json');
    writeFileSync(mapping, JSON.stringify(MAPPING));
    return () => rmSync(folder, { recursive: true, force: true });
  });

  /** Default: with the key in the environment, against the service. */
  function run(args: readonly string[], env: Record<string, string> = { RELIABILITY_KEY: service.liveKey }) {
    return runCli(['import', file, '--mapping', mapping, '--url', service.url, ...args], { env });
  }

  test('imports a file with progress and a summary; a second run imports nothing twice', async () => {
    writeFileSync(file, csvOf(goodRows(1200, { prefix: 'command' })));
    const first = await run([]);
    expect(first).toMatchObject({ code: 0, errors: '' });
    expect(first.output).toMatch(/^100 % \(1200 of 1200\)$/m);
    expect(first.output).toMatch(
      /1200 rows in [\d.]+ s: 1200 recorded, 0 already there, 0 failed, 0 warnings\./,
    );
    const again = await run([]);
    expect(again.code).toBe(0);
    expect(again.output).toContain('already there: it was sent with this mapping');
    expect((await service.request('GET', '/imports')).body.imports).toHaveLength(1);
    await service.settle();
    expect((await service.request('GET', '/users/command-0/score')).body.totalEvents).toBe(24);
  });

  test('writes failed rows to a second file and reports them in its exit code', async () => {
    const good = goodRows(103, { prefix: 'partly' });
    writeFileSync(file, csvOf([...good, { worker: '' }, { worker: 'partly', type: '=1+1' }]));
    const { code, output } = await run(['--key', service.testKey], {});
    expect(code).toBe(3);
    expect(output).toMatch(/105 rows.*103 recorded, 0 already there, 2 failed/);
    const path = join(folder, 'history.errors.csv');
    expect(output).toContain(path);
    const lines = readFileSync(path, 'utf8').trimEnd().split('\r\n');
    expect(lines[0]).toBe('row,code,reason,kind');
    expect(lines[1]).toMatch(/^104,VALIDATION_ERROR,.*userId.*,error$/);
    expect(lines[2]).toMatch(/^105,VALIDATION_ERROR,.*eventType.*,error$/);
    expect(lines).toHaveLength(3);
  });

  test('a dry run shows the first five events and the failures without a key or service', async () => {
    const rows = [...goodRows(8, { prefix: 'dry' }), { worker: '' }, { worker: 'x', stake: 'HIGH' }];
    writeFileSync(file, csvOf(rows));
    const { code, output, errors } = await run(['--dry-run', '--url', 'http://127.0.0.1:9'], {});
    expect([code, errors]).toEqual([3, '']);
    const [warning, title, heading, , ...rest] = output.split('\n');
    expect(warning).toMatch(/^The mapping has no idempotencyKey: /);
    expect(title).toBe('The first events:');
    expect(heading).toMatch(
      /^row +userId +eventType +stakeLevel +isVerified +attester +completedAt +metadata/,
    );
    expect(rest.filter((line) => /^\d+ +dry-/.test(line))).toHaveLength(5);
    expect(output).toContain('9 of 10 rows would be recorded, 1 would fail.');
    expect(output).toMatch(/^ {2}row 9: userId: is required/m);
    expect(output).toMatch(/^ {2}row 10: .*MEDIUM/m);
    expect(output).toMatch(/^Nothing was sent\.$/m);
    writeFileSync(mapping, JSON.stringify({ ...MAPPING, idempotencyKey: { path: 'line' } }));
    const keyed = await run(['--dry-run'], {});
    expect(keyed.output).not.toContain('has no idempotencyKey');
    expect(keyed.output).toContain('skips rows whose idempotencyKey was already used');
  });

  test.each<[what: string, code: number, args: string[], message: RegExp]>([
    ['two files are named', 2, ['another.csv'], /Unexpected argument 'another\.csv'/],
    ['an option is unknown', 2, ['--force'], /Unknown option '--force'/],
    ['a separator is unknown', 2, ['--separator', ';'], /--separator must be comma, semicolon, tab, not ;/],
    ['the service is away', 1, ['--url', 'http://127.0.0.1:7'], /^No answer from http:\/\/127\.0\.0\.1:7/],
    ['the key is wrong', 1, ['--key', `crd_live_${'w'.repeat(43)}`], /Set another key in RELIABILITY_KEY/],
  ])('says what is wrong when %s', async (_, expected, args, message) => {
    writeFileSync(file, csvOf(goodRows(1)));
    const { code, errors } = await run(args);
    expect(code).toBe(expected);
    expect(errors).toMatch(message);
    expect(errors).not.toContain('    at ');
  });

  test('reports errors in the files before it sends them', async () => {
    expect(await run([])).toMatchObject({ code: 2, errors: `There is no file ${file}.\n` });
    writeFileSync(file, 'worker\n"a\n');
    expect((await run([])).errors).toMatch(/line 2 is never closed.*\(IMPORT_CSV_INVALID\)/);
    writeFileSync(file, csvOf(goodRows(1)));
    expect((await run([], {})).errors).toContain('RELIABILITY_KEY');
    writeFileSync(mapping, '{"userId":');
    expect((await run([])).errors).toMatch(/mapping\.json is not JSON/);
    writeFileSync(mapping, JSON.stringify({ userId: { path: 'nobody' }, eventType: { path: 'type' } }));
    expect((await run(['--dry-run'])).errors).toMatch(/^ {2}mapping\.userId\.path: .*"nobody"/m);
  });

  test('reads semicolons and Windows-1252, and says so', async () => {
    writeFileSync(mapping, JSON.stringify({ userId: { path: 'Name' }, eventType: { path: 'Art' } }));
    writeFileSync(file, 'Name, first;Art\n"Ada";CONTRACT_FULFILLED\n');
    const named = await run(['--dry-run', '--separator', 'comma']);
    expect(named.errors).toContain('Only a comma or the end of the line');
    writeFileSync(file, Buffer.from('Name;Art\r\n"M\xfcller; J\xf6rg";CONTRACT_FULFILLED\r\n', 'latin1'));
    const { code, output } = await run(['--json']);
    expect(code).toBe(0);
    expect(JSON.parse(output)).toMatchObject({ createdCount: 1, alreadyThere: false });
    const again = await run([]);
    expect(again.output).toMatch(/^The file is not UTF-8\. It is read as Windows-1252\.$/m);
    expect(again.output).toMatch(/^Cells are separated by semicolons\.$/m);
    expect(again.output).toContain('already there');
    await service.settle();
    const path = `/users/${encodeURIComponent('Müller; Jörg')}/score`;
    expect((await service.request('GET', path)).body.totalEvents).toBe(1);
  });

  test('groups rows that fail for one reason', async () => {
    const bad = [1, 2, 3].map((number) => ({ worker: `grouped-${number}`, type: `NONSENSE_${number}` }));
    writeFileSync(file, csvOf([...bad, { worker: '' }, ...goodRows(1, { prefix: 'grouped' })]));
    const { code, output } = await run(['--dry-run'], {});
    expect(code).toBe(3);
    expect(output).toMatch(/^ {2}3 rows \(1, 2, 3\): eventType: /m);
    expect(output).toMatch(/^ {2}row 4: userId: is required/m);
  });

  test('prints each error of a mapping on its own line', async () => {
    writeFileSync(file, csvOf(goodRows(1)));
    const wrong = { userId: { path: 'worker', transform: 'shout' }, color: { path: 'x' } };
    writeFileSync(mapping, JSON.stringify(wrong));
    const { code, errors } = await run([]);
    expect(code).toBe(1);
    expect(errors).toMatch(/^The mapping is invalid \(INGEST_MAPPING_INVALID\):$/m);
    for (const path of ['mapping.userId.transform', 'mapping.color', 'mapping.eventType']) {
      expect(errors).toMatch(new RegExp(`^  ${path.replaceAll('.', '\\.')}: `, 'm'));
    }
  });
});
