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
    expect(output).toMatch(/^ {2}Column "worker" is required: row 9 with ""$/m);
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
    expect(named.errors).toContain('names a column that the file does not have: "Art"');
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

  test('names the problems of a German spreadsheet by column, before and after the import', async () => {
    const lines = [
      'Auftrag;Person;Fertig am;Betrag',
      'A-1;Jörg;13.03.2024;1.250,50',
      'A-2;Jörg;bald;90',
      'A-3;;bald;1',
    ];
    writeFileSync(file, Buffer.from(`${lines.join('\r\n')}\r\n`, 'latin1'));
    const detected = await run(['--detect'], {});
    expect([detected.code, detected.output.split('\n')]).toEqual([
      0,
      [
        'Encoding: windows-1252. Separator: semicolon. Rows: 3.',
        'Columns: Auftrag, Person, Fertig am, Betrag.',
        'Column "Betrag": decimal_comma, as 1.250,50 in row 1 shows.',
        '',
      ],
    ]);
    const rules = {
      userId: { path: 'Person' },
      eventType: { constant: 'CONTRACT_FULFILLED' },
      completedAt: { path: 'Fertig am', transform: 'day_month_year' },
      transactionValue: { path: 'Betrag' },
      idempotencyKey: { path: 'Auftrag' },
    };
    writeFileSync(mapping, JSON.stringify(rules));
    const problems = [
      '  Column "Fertig am" must be a date with the day first, such as 03.10.2026: 2 rows, the first is row 2 with "bald"',
      '  Column "Person" is required: row 3 with ""',
    ].join('\n');
    const trial = await run(['--dry-run'], {});
    expect(trial.code).toBe(3);
    expect(trial.output).toContain('Column "Betrag": decimal_comma, as 1.250,50 in row 1 shows.');
    expect(trial.output).toContain(`1 of 3 rows would be recorded, 2 would fail.\n${problems}\n`);
    const sent = await run([]);
    expect([sent.code, sent.output.includes(`\n${problems}\n`)]).toEqual([3, true]);
    const json = JSON.parse((await run(['--json'])).output);
    expect(json.problems).toMatchObject([
      { column: 'Fertig am', rows: 2, first: 2, example: 'bald' },
      { rows: 1 },
    ]);
  });

  test('asks which of two readings is meant, and takes the answer', async () => {
    writeFileSync(file, 'worker,done,value\nada,03/04/2024,"1,250"\n');
    const rules = {
      userId: { path: 'worker' },
      eventType: { constant: 'CONTRACT_FULFILLED' },
      completedAt: { path: 'done' },
      transactionValue: { path: 'value' },
    };
    writeFileSync(mapping, JSON.stringify(rules));
    const asked = await run(['--dry-run'], {});
    expect(asked).toMatchObject({
      code: 2,
      errors:
        'Column "done": 03/04/2024 can be 2024-04-03 (day_month_year) or 2024-03-04 (month_day_year). Say which with --dates.\n',
    });
    const more = await run(['--dry-run', '--dates', 'month_day_year'], {});
    expect(more.errors).toContain('"value": 1,250 can be 1250 (decimal_point) or 1.25 (decimal_comma)');
    const told = ['--dates', 'month_day_year', '--decimals', 'decimal_comma'];
    const { code, output } = await run(['--dry-run', ...told, '--json'], {});
    expect(code).toBe(0);
    expect(JSON.parse(output).first).toMatchObject([{ completedAt: '2024-03-04', transactionValue: '1.25' }]);
  });

  test('groups rows that fail for one reason', async () => {
    const bad = [1, 2, 3].map((number) => ({ worker: `grouped-${number}`, type: `NONSENSE_${number}` }));
    writeFileSync(file, csvOf([...bad, { worker: '' }, ...goodRows(1, { prefix: 'grouped' })]));
    const { code, output } = await run(['--dry-run'], {});
    expect(code).toBe(3);
    expect(output).toMatch(
      /^ {2}Column "type" must be one of .*: 3 rows, the first is row 1 with "NONSENSE_1"$/m,
    );
    expect(output).toMatch(/^ {2}Column "worker" is required: row 4/m);
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
