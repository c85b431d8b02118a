import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasPostgres, openTestDatabase, type TestDatabase } from '#harness/engines.js';
import { startTestService, type TestService } from '#harness/service.js';
import { runProgram } from '../crash/serverProcess.js';

const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();

const run = (args: readonly string[], env: Record<string, string> = {}) => runProgram('backtest', env, args);

describe('npm run backtest, given something wrong', () => {
  const folder = mkdtempSync(join(tmpdir(), 'backtest-'));
  const model = join(folder, 'model.json');
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each([
    [['--by', 'luck'], '--by must be recorded or outcome, not luck.'],
    [['--from', '2026-02-30'], '--from must be an existing day as YYYY-MM-DD, not 2026-02-30.'],
    [['--from', '2026-02-02', '--to', '2026-02-01'], '--from 2026-02-02 is after --to 2026-02-01.'],
    [['--every', '0'], '--every must be a whole number of days from 1 to 3660, not 0.'],
    [['--horizon', '1.5'], '--horizon must be a whole number of days from 1 to 3660, not 1.5.'],
    [['--json', '/nowhere/report.json'], 'the folder is missing or write-protected'],
    [['--model', '/nowhere/model.json'], 'cannot be read'],
    [['--speed', '9'], "Unknown option '--speed'"],
  ])('%j: says what, and exits with 2', async (args, message) => {
    const { code, stderr, stdout } = await run(args);
    expect(stderr).toContain(message);
    expect([code, stdout]).toEqual([2, '']);
  });

  test('a model file with an unknown constant: names it and those that exist', async () => {
    writeFileSync(model, '{"halfLife": 90}');
    const { code, stderr } = await run(['--model', model]);
    expect(code).toBe(2);
    expect(stderr).toContain('"halfLife": no such constant. Constants: anchor, halfLifeDays');
    writeFileSync(model, '{');
    expect((await run(['--model', model])).stderr).toContain('is not valid JSON');
  });

  test('no database: exits with 1 and creates none', async () => {
    const { code, stderr } = await run([], { DATA_DIR: folder });
    expect(code).toBe(1);
    expect(stderr).toContain(`There is no database in ${join(folder, 'database')}`);
  });
});

describe.skipIf(!hasPostgres)('npm run backtest, beside a running service', () => {
  let database: TestDatabase;
  let service: TestService;
  const folder = mkdtempSync(join(tmpdir(), 'backtest-'));

  beforeAll(async () => {
    database = await openTestDatabase('postgresql');
    service = await startTestService('postgresql', { db: database.db });
    const outcome = (userId: string, days: number, eventType: string) => ({
      userId,
      eventType,
      isVerified: true,
      completedAt: daysAgo(days),
    });
    const events = Array.from({ length: 40 }, (_, index) => [
      outcome('good', 50 + 5 * index, 'CONTRACT_FULFILLED'),
      outcome('bad', 50 + 5 * index, index % 3 === 0 ? 'CONTRACT_FULFILLED' : 'CONTRACT_BREACHED'),
    ]).flat();
    await service.request('POST', '/events/batch', { body: { events } });
    await service.settle();
  });
  afterAll(async () => {
    await service?.close();
    await database?.close();
    rmSync(folder, { recursive: true });
  });

  test('prints the report and writes it as JSON and as a page, also under other constants', async () => {
    const files = {
      json: join(folder, 'b.json'),
      html: join(folder, 'b.html'),
      model: join(folder, 'm.json'),
    };
    writeFileSync(files.model, '{"halfLifeDays": 365}');
    const args = ['--by', 'outcome', '--json', files.json, '--html', files.html, '--model', files.model];
    const before = await rowsOf(service);
    const { code, stdout, stderr } = await run(args, { DATABASE_URL: database.url ?? '' });
    expect(code, stderr).toBe(0);
    expect(stderr).toContain('100 % (80 of 80)');
    expect(stdout).toContain('pairs of 2 subjects');
    expect(stdout).toContain('Under {"halfLifeDays":365}');
    const report = JSON.parse(readFileSync(files.json, 'utf8'));
    expect(report).toMatchObject({
      by: 'outcome',
      subjects: 2,
      comparison: { constants: { halfLifeDays: 365 } },
    });
    const page = readFileSync(files.html, 'utf8');
    expect(page).toContain('What the change would move');
    expect(page).not.toMatch(/<script|<link|src=|url\(/);
    expect(await rowsOf(service)).toEqual(before);
    const made = await service.request('POST', '/analytics/backtest', { body: { by: 'outcome' } });
    const path = `/analytics/backtest/${made.body.backtest.id}`;
    await expect
      .poll(async () => (await service.request('GET', path)).body.backtest.status)
      .toBe('COMPLETED');
    const { comparison: _, ...own } = report;
    expect((await service.request('GET', path)).body.backtest.report).toEqual(own);
  });

  test('covers one platform by its id or its name, and knows no others', async () => {
    const env = { DATABASE_URL: database.url ?? '' };
    const [{ name } = { name: '' }] = await database.db.query<{ name: string }>(
      'select name from platform where platform_id = $1',
      [service.platformId],
    );
    const byName = await run(['--by', 'outcome', '--platform', name], env);
    expect(byName.stdout).toContain('of 2 subjects');
    expect((await run(['--by', 'outcome', '--platform', service.platformId], env)).stdout).toBe(
      byName.stdout,
    );
    const unknown = await run(['--platform', 'nobody'], env);
    expect([unknown.code, unknown.stderr]).toEqual([2, 'There is no platform with the id or name nobody.\n']);
  });
});

/** Number of rows of every table that a backtest could touch. */
function rowsOf({ db }: TestService) {
  return db.query(
    `select (select count(*) from event) as events, (select count(*) from score_snapshot) as snapshots,
       (select count(*) from backtest) as backtests, (select count(*) from activity) as activity`,
  );
}
