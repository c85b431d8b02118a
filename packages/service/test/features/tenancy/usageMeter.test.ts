import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { fail } from '#domain/errors.js';
import { breadth, openTestDatabase, type TestDatabase } from '#harness/engines.js';
import { quietLog } from '#harness/quietLog.js';
import { CSV_TYPE, csvHeaders, csvStream, onePage } from '#kit/csv.js';
import type { Authenticator } from '#kit/http/admission.js';
import { media, ok } from '#kit/http/answer.js';
import { mountRoutes } from '#kit/http/mount.js';
import { anyKey, type KeyCaller, type RouteTable, route } from '#kit/http/route.js';
import { createServer } from '#kit/http/server.js';
import { createIdSource } from '#kit/ids.js';
import { createMonths, createUsageMeter } from '../../../src/features/tenancy/usage/meter.js';
import { Answered } from '../../kit/http/answered.js';

const PLATFORM = '0199a3c2-7b1e-7c40-8d21-5f0c9b7a1e34';
const KNOWN = { kind: 'key', platformId: PLATFORM, livemode: true, monthlyQuota: 10, group: 0 };
const START = new Date('2026-03-31T23:59:50.000Z');
const texts = { tag: 'T', operationId: 'o', summary: 'S', description: 'D' };
const line = { access: anyKey, ...texts, answers: { 200: Answered } };
const columns = [{ name: 'n', value: (row: number) => row }];
let exportRows = 0;

const table: RouteTable = {
  'GET /fine': route({ ...line, handle: () => ok({ answered: true }) }),
  'GET /busy': route({ ...line, handle: () => fail('STREAM_LIMIT_REACHED') }),
  'GET /wrong': route({ ...line, handle: () => fail('CONFLICT') }),
  'GET /free': route({ ...line, quotaFree: true, handle: () => ok({ answered: true }) }),
  'GET /broken': route({ ...line, handle: () => fail('INTERNAL_ERROR') }),
  'GET /rows': route({
    ...line,
    answers: { 200: { media: [{ type: CSV_TYPE }] } },
    handle: () => {
      const rows = Array.from({ length: exportRows }, (_, n) => n);
      return media(CSV_TYPE, csvStream(columns, onePage(rows), { maxRows: 1e6 }), csvHeaders('rows.csv'));
    },
  }),
};

describe.each(breadth)('the usage meter on %s', (engine) => {
  let database: TestDatabase;
  let now = START;
  const clock = { now: () => now };

  beforeAll(async () => {
    database = await openTestDatabase(engine);
  });
  afterEach(async () => {
    now = START;
    for (const name of ['quota_usage', 'quota_warning', 'usage_daily', 'envelope'])
      await database.db.execute(`delete from ${name}`);
  });
  afterAll(() => database.close());

  /** A process of the service with this caller for every request. */
  function processFor(caller: Partial<KeyCaller> = {}, warningShare = 0.8) {
    const meter = createUsageMeter({
      db: database.db,
      clock,
      ids: createIdSource(),
      wakes: { raise: () => undefined },
      log: quietLog,
      config: { quotaWarningShare: warningShare },
    });
    const known = { ...KNOWN, ...caller } as KeyCaller;
    const authenticator: Authenticator = { identify: () => known, authorize: () => undefined };
    const server = createServer({ log: pino({ level: 'silent' }), methodsOf: () => [] });
    mountRoutes(server, table, { authenticator, meter });
    const get = async (path: string) => {
      const answer = await server.inject(`/api/v1${path}`);
      const left = answer.headers['x-quota-remaining'];
      return { status: answer.statusCode, left: left === undefined ? null : Number(left), answer };
    };
    return { meter, get };
  }

  const used = () => database.db.query('select period, used from quota_usage order by period');
  const daily = () =>
    database.db.query(
      `select day, livemode, route, status_class, requests, calls from usage_daily
       order by day, livemode, route, status_class`,
    );

  test('a month counts successful calls, not refused or failed ones', async () => {
    const { meter, get } = processFor();
    const lefts = [];
    for (const path of ['/fine', '/wrong', '/busy', '/broken', '/free', '/fine']) {
      lefts.push((await get(path)).left);
    }
    // A call is reserved before its outcome is known and released after an answer that does not
    // count.
    expect(lefts).toEqual([9, 8, 7, 7, 8, 7]);
    await meter.flush();
    expect(await used()).toEqual([{ period: '2026-03-01', used: 3 }]);
  });

  test('calls above the quota are refused until the next month, with its start', async () => {
    const { meter, get } = processFor({ monthlyQuota: 2 });
    expect([(await get('/fine')).status, (await get('/fine')).status]).toEqual([200, 200]);
    const { status, left, answer } = await get('/fine');
    expect([status, left]).toEqual([429, 0]);
    expect(answer.headers['retry-after']).toBe('10');
    expect(answer.headers['x-quota-reset']).toBe('10');
    expect(answer.json()).toMatchObject({
      code: 'QUOTA_EXCEEDED',
      retryable: true,
      details: { cap: 2, used: 2, periodEnd: '2026-04-01T00:00:00.000Z' },
    });
    expect((await get('/free')).status).toBe(200);
    now = new Date('2026-04-01T00:00:00.000Z');
    expect(await get('/fine')).toMatchObject({ status: 200, left: 1 });
    await meter.flush();
    expect(await used()).toEqual([
      { period: '2026-03-01', used: 2 },
      { period: '2026-04-01', used: 1 },
    ]);
  });

  test('concurrent requests never exceed the remaining quota', async () => {
    const { get } = processFor({ monthlyQuota: 7 });
    const answers = await Promise.all(Array.from({ length: 30 }, () => get('/fine')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(7);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(23);
  });

  test.each([
    [0, 1],
    [1000, 1],
    [1001, 2],
    [2500, 3],
  ])('an export of %i rows counts as %i calls', async (rows, calls) => {
    const { meter, get } = processFor({ monthlyQuota: 100 });
    exportRows = rows;
    await get('/rows');
    await meter.flush();
    expect(await used()).toEqual([{ period: '2026-03-01', used: calls }]);
    expect(await daily()).toMatchObject([{ route: 'GET /rows', statusClass: 'ok', requests: 1, calls }]);
  });

  test('usage is stored by operation and status class on the day of the answer', async () => {
    const { meter, get } = processFor();
    await get('/fine');
    await get('/wrong');
    await get('/broken');
    now = new Date('2026-04-01T00:00:01.000Z');
    await get('/fine');
    await meter.flush();
    await get('/fine');
    await meter.flush();
    const row = { livemode: true, route: 'GET /fine', statusClass: 'ok' };
    expect(await daily()).toMatchObject([
      { day: '2026-03-31', route: 'GET /broken', statusClass: 'serverError', requests: 1 },
      { ...row, day: '2026-03-31', requests: 1 },
      { day: '2026-03-31', route: 'GET /wrong', statusClass: 'clientError', requests: 1 },
      { ...row, day: '2026-04-01', requests: 2 },
    ]);
  });

  test('processes read the common count when they write, and a new one before its first call', async () => {
    const [one, two] = [processFor(), processFor()];
    for (let time = 0; time < 4; time += 1) await one.get('/fine');
    await one.meter.flush();
    expect((await two.get('/fine')).left).toBe(5);
    await two.meter.flush();
    expect((await one.get('/fine')).left).toBe(5);
    await one.meter.flush();
    expect((await one.get('/fine')).left).toBe(3);
  });

  test('concurrent writes of processes lose no count', async () => {
    const processes = Array.from({ length: 4 }, () => processFor({ monthlyQuota: 1000 }));
    for (let round = 0; round < 5; round += 1) {
      await Promise.all(processes.flatMap(({ get }) => [get('/fine'), get('/wrong'), get('/broken')]));
      await Promise.all(processes.map(({ meter }) => meter.flush()));
    }
    expect(await used()).toEqual([{ period: '2026-03-01', used: 40 }]);
    expect((await daily()).map(({ requests }) => requests)).toEqual([20, 20, 20]);
  });

  test('the warning is recorded and sent once a month, when usage crosses the share', async () => {
    const { meter, get } = processFor({ monthlyQuota: 5 }, 0.6);
    const warnings = () =>
      database.db.query('select period, at, used, cap from quota_warning order by period');
    await get('/fine');
    await get('/fine');
    await meter.flush();
    expect(await warnings()).toEqual([]);
    await get('/fine');
    await meter.flush();
    const first = { period: '2026-03-01', at: now, used: 3, cap: 5 };
    expect(await warnings()).toEqual([first]);
    await get('/fine');
    await meter.flush();
    expect(await warnings()).toEqual([first]);
    const envelopes = await database.db.query<{ body: string }>('select body from envelope');
    const share = { used: 3, cap: 5, remaining: 2, ratio: 0.6, threshold: 0.6 };
    const data = { ...share, periodEnd: '2026-04-01T00:00:00.000Z' };
    expect(envelopes.map(({ body }) => JSON.parse(body))).toMatchObject([
      { type: 'usage.quota_warning', livemode: true, data },
    ]);
    now = new Date('2026-04-02T00:00:00.000Z');
    for (let time = 0; time < 4; time += 1) await get('/fine');
    await meter.flush();
    expect(await warnings()).toEqual([first, { period: '2026-04-01', at: now, used: 4, cap: 5 }]);
  });

  test('counts that could not be written are written later', async () => {
    const { meter, get } = processFor();
    await get('/fine');
    await database.db.execute('alter table usage_daily rename to usage_elsewhere');
    await expect(meter.flush()).rejects.toThrow();
    await get('/fine');
    await database.db.execute('alter table usage_elsewhere rename to usage_daily');
    await meter.flush();
    expect(await used()).toEqual([{ period: '2026-03-01', used: 2 }]);
    expect(await daily()).toMatchObject([{ route: 'GET /fine', requests: 2 }]);
    expect((await get('/fine')).left).toBe(7);
  });

  test('no call is refused for its quota during a database outage', async () => {
    const away = { ...database.db, query: () => Promise.reject(new Error('away')) };
    const months = createMonths({ db: away, clock });
    const caller = { platformId: PLATFORM, monthlyQuota: 5 } as KeyCaller;
    expect(await months.monthOf(caller)).toMatchObject({ cap: 5, used: 0 });
  });

  test('stopping writes the last counts', async () => {
    const { meter, get } = processFor();
    const stop = meter.start();
    await get('/fine');
    await stop();
    expect(await used()).toEqual([{ period: '2026-03-01', used: 1 }]);
  });
});
