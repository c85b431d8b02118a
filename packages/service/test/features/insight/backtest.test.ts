import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breadth, openTestDatabase, type TestDatabase } from '#harness/engines.js';
import { eventually } from '#harness/eventually.js';
import {
  joinTestService,
  type RequestOptions,
  startTestService,
  type TestAnswer,
  type TestService,
} from '#harness/service.js';
import type { Queryable } from '#kit/db/database.js';
import { runBacktest } from '../../../src/features/insight/backtest/runBacktest.js';
import { once } from '../intake/eventFixtures.js';
import { movableClock, newPlatform } from '../tenancy/keyFixtures.js';
import { putHeartbeat } from './screeningFixtures.js';

const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
const isoDay = (days: number) => daysAgo(days).slice(0, 10);

/** An outcome that happened so many days ago. */
function outcome(userId: string, days: number, more: object = {}) {
  return { userId, eventType: 'CONTRACT_FULFILLED', isVerified: true, completedAt: daysAgo(days), ...more };
}

const breach = { eventType: 'CONTRACT_BREACHED' };

/** Of each: nine jobs long ago, and the same again after the cut-off 100 days ago. */
const HISTORY = [
  ...Array.from({ length: 9 }, (_, index) => [outcome('good', 150 + index), outcome('good', 50 + index)]),
  ...Array.from({ length: 9 }, (_, index) => [
    outcome('bad', 150 + index, breach),
    outcome('bad', 50 + index, index < 6 ? breach : {}),
  ]),
].flat();

async function report(service: TestService, events: readonly object[], options: RequestOptions = {}) {
  for (let from = 0; from < events.length; from += 100) {
    const body = { events: events.slice(from, from + 100) };
    const answer = await service.request('POST', '/events/batch', { ...options, body });
    if (answer.status !== 200 || answer.body.failedCount > 0) throw new Error(answer.text);
  }
}

/** POST, then GET until it has ended. */
async function backtest(service: TestService, body: object, options: RequestOptions = {}) {
  const { body: created } = await service.request('POST', '/analytics/backtest', { ...options, body });
  return ended(service, `/analytics/backtest/${created.backtest.id}`, options);
}

async function ended(service: TestService, path: string, options: RequestOptions = {}) {
  let body: TestAnswer['body'];
  await eventually(async () => {
    body = (await service.request('GET', path, options)).body.backtest;
    return body.completedAt !== null;
  });
  return body;
}

describe.each(breadth)('backtests on %s', (engine) => {
  let service: TestService;

  beforeAll(async () => {
    service = await joinTestService(engine);
    await report(service, HISTORY);
    await service.settle();
  });
  afterAll(() => service.close());

  test('compare scores of that day with the outcomes that followed', async () => {
    const at = { by: 'outcome', from: isoDay(100), to: isoDay(100) };
    const answer = await service.request('POST', '/analytics/backtest', { body: at });
    expect(answer.status).toBe(202);
    const { id } = answer.body.backtest;
    expect(answer.body.backtest).toMatchObject({ status: 'QUEUED', ...at, progress: 0, report: null });
    expect(answer.headers.get('location')).toBe(`/api/v1/analytics/backtest/${id}`);
    const done = await ended(service, `/analytics/backtest/${id}`);
    expect(done).toMatchObject({ id, status: 'COMPLETED', progress: 100, error: null });
    expect(done.report).toMatchObject({
      by: 'outcome',
      asOf: [isoDay(100)],
      everyDays: 30,
      horizonDays: 90,
      pairs: 18,
      subjects: 2,
      unscoredPairs: 0,
      baseRate: 0.6667,
      bandsMonotone: null,
    });
    // Nine kept of good above three kept of bad: 9 · 6 wins and 3 · 6 ties of 12 · 6.
    expect(done.report.discrimination).toMatchObject({ auc: 0.875, ci95: null });
    expect(done.report.discrimination.rivals.lastOutcome).toBe(0.875);
    expect(done.report.bands.find(({ band }: { band: string }) => band === 'High Risk')).toEqual({
      band: 'High Risk',
      n: 9,
      kept: null,
      ci95: null,
    });
    expect(done.report.caveats.join(' ')).toContain('Linked records are not joined');
  });

  test('are the same each time', async () => {
    const reports = [];
    for (let time = 0; time < 2; time += 1) reports.push((await backtest(service, { by: 'outcome' })).report);
    expect(JSON.stringify(reports[1])).toBe(JSON.stringify(reports[0]));
    expect(reports[0].asOf[0]).toBe(isoDay(158));
    expect(reports[0].pairs).toBeGreaterThan(18);
  });

  test('know by=recorded nothing of what was imported later, and say that there is no cut-off yet', async () => {
    const { status, report: recorded } = await backtest(service, {});
    expect(status).toBe('COMPLETED');
    expect(recorded).toMatchObject({ by: 'recorded', asOf: [], pairs: 0, baseRate: null });
    const since = { by: 'recorded', from: isoDay(100), to: isoDay(100) };
    expect((await backtest(service, since)).report).toMatchObject({ pairs: 0, unscoredPairs: 18 });
  });

  test('are shown as a page that loads nothing', async () => {
    const { id } = await backtest(service, { by: 'outcome' });
    const page = await service.request('GET', `/analytics/backtest/${id}?format=html`);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page.text).toContain('What scores were worth');
    expect(page.text).toContain('It is not the probability that the next job is kept');
    expect(page.text).not.toMatch(/<script|<link|src=|url\(/);
  });

  test('belong to one platform and mode', async () => {
    const { id } = await backtest(service, { by: 'outcome' });
    const other = await newPlatform(service);
    for (const key of [other.live.key, service.testKey]) {
      const answer = await service.request('GET', `/analytics/backtest/${id}`, { key });
      expect([answer.status, answer.body.code]).toEqual([404, 'NOT_FOUND']);
    }
    const empty = await backtest(service, { by: 'outcome' }, { key: other.live.key });
    expect(empty.report).toMatchObject({ asOf: [], pairs: 0, subjects: 0 });
    expect((await service.request('GET', '/analytics/backtest/nothing')).status).toBe(404);
  });

  test('of test data see test data alone and go with it', async () => {
    const key = service.testKey;
    await report(service, [outcome('tested', 150), outcome('tested', 50)], { key });
    const { id, report: tested } = await backtest(service, { by: 'outcome' }, { key });
    expect(tested).toMatchObject({ subjects: 1 });
    expect((await service.request('DELETE', '/test/data', { key })).status).toBe(200);
    expect((await service.request('GET', `/analytics/backtest/${id}`, { key })).status).toBe(404);
  });

  test.each([
    [{ from: '2026-02-02', to: '2026-02-01' }, 'from'],
    [{ by: 'guess' }, 'by'],
    [{ everyDays: 0 }, 'everyDays'],
    [{ horizonDays: 1.5 }, 'horizonDays'],
    [{ from: 'yesterday' }, 'from'],
  ])('refuse %j', async (body, path) => {
    const answer = await service.request('POST', '/analytics/backtest', { body });
    expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(answer.body.details).toMatchObject([{ path }]);
  });
});

describe.each(breadth)('the operator’s backtest on %s', (engine) => {
  test('covers the live subjects of all platforms, and each side finds its own alone', async () => {
    const service = await startTestService(engine);
    const other = await newPlatform(service);
    const sample = (userId: string) => [outcome(userId, 150), outcome(userId, 50)];
    await report(service, sample('a'));
    await report(service, sample('b'), { key: other.live.key });
    await report(service, sample('c'), { key: other.test.key });
    const admin = { admin: true };
    const path = '/admin/analytics/backtest';
    const made = await service.request('POST', path, { ...admin, body: { by: 'outcome' } });
    expect(made.status).toBe(202);
    const { id } = made.body.backtest;
    expect((await ended(service, `${path}/${id}`, admin)).report.subjects).toBe(2);
    expect((await service.request('GET', `/analytics/backtest/${id}`)).status).toBe(404);
    const own = await backtest(service, { by: 'outcome' });
    expect(own.report.subjects).toBe(1);
    expect((await service.request('GET', `${path}/${own.id}`, admin)).status).toBe(404);
    await service.close();
  });
});

describe.each(breadth)('backtests that wait on %s', (engine) => {
  let database: TestDatabase;
  let service: TestService; // answers requests, and leaves what is queued to others
  const clock = movableClock();
  const log = pino({ level: 'silent' });

  beforeAll(async () => {
    database = await openTestDatabase(engine);
    service = await startTestService(engine, { db: database.db, clock, env: { ROLE: 'api' }, log });
  });
  afterAll(async () => {
    await service.close();
    await database.close();
  });

  const create = (body: object, more: RequestOptions = {}) =>
    service.request('POST', '/analytics/backtest', { body, ...more });

  test('are refused for now while nobody does what is queued', async () => {
    const refused = await create({});
    expect([refused.status, refused.body.code]).toEqual([503, 'BACKTEST_QUEUE_UNAVAILABLE']);
    expect(refused.headers.get('retry-after')).toBe('30');
    expect(await service.db.query('select 1 from backtest')).toEqual([]);
  });

  test('run one at a time: the same request joins the one under way, another is refused', async () => {
    await putHeartbeat(service, clock.now());
    const key = once('backtest-once');
    const first = await create({ by: 'outcome' }, key);
    const { id } = first.body.backtest;
    expect((await create({ by: 'outcome' })).body.backtest.id).toBe(id);
    expect((await create({ by: 'outcome' }, key)).headers.get('idempotent-replay')).toBe('true');
    const other = await create({ by: 'outcome', horizonDays: 30 });
    expect([other.status, other.body.code, other.body.details]).toEqual([
      409,
      'CONFLICT',
      { id, status: 'QUEUED' },
    ]);
    const inTest = await create({ horizonDays: 30 }, { key: service.testKey });
    expect(inTest.status).toBe(202);
    const page = await service.request('GET', `/analytics/backtest/${id}?format=html`);
    expect([page.status, page.body.code, page.body.details]).toEqual([409, 'CONFLICT', { status: 'QUEUED' }]);
  });

  test('start again after their worker died, and end', async () => {
    const [{ id } = { id: '' }] = await service.db.query<{ id: string }>(
      'select backtest_id as id from backtest where livemode',
    );
    await service.db.execute("update backtest set status = 'RUNNING', progress = 40 where backtest_id = $1", [
      id,
    ]);
    const died = 'update job set claim = gen_random_uuid(), due_at = $2 where job_id = $1';
    await service.db.execute(died, [id, new Date(clock.now().getTime() - 1000)]);
    const worker = await startTestService(engine, { db: database.db, clock, log });
    expect(await ended(service, `/analytics/backtest/${id}`)).toMatchObject({
      status: 'COMPLETED',
      progress: 100,
    });
    await expect.poll(() => service.db.query('select 1 from job')).toEqual([]);
    await worker.close();
  });

  test('that cannot be done are FAILED with a reason, and another can follow', async () => {
    await putHeartbeat(service, clock.now());
    const { id } = (await create({ by: 'outcome' })).body.backtest;
    await service.db.execute('update job set deaths = 30 where job_id = $1', [id]);
    const worker = await startTestService(engine, { db: database.db, clock, log });
    const failed = await ended(service, `/analytics/backtest/${id}`);
    expect(failed).toMatchObject({ status: 'FAILED', error: expect.stringMatching(/\w/), report: null });
    expect((await create({ by: 'outcome' })).status).toBe(202);
    await worker.close();
  });

  test('are kept for thirty days', async () => {
    const [{ id } = { id: '' }] = await service.db.query<{ id: string }>(
      "select backtest_id as id from backtest where status = 'FAILED'",
    );
    const sweep = () => service.request('POST', '/admin/sweeps/retention', { admin: true });
    clock.aheadMs = 29.9 * DAY_MS;
    await sweep();
    expect((await service.request('GET', `/analytics/backtest/${id}`)).status).toBe(200);
    clock.aheadMs = 30.1 * DAY_MS;
    await sweep();
    expect((await service.request('GET', `/analytics/backtest/${id}`)).status).toBe(404);
    clock.aheadMs = 0;
  });
});

describe.each(breadth)('what a backtest by=recorded sees on %s', (engine) => {
  test('is what was reported before the cut-off: a breach of before, reported on its day, is not', async () => {
    const clock = movableClock();
    const service = await startTestService(engine, { clock });
    // The clock runs from 200 days before today to today.
    const at = (days: number) => {
      clock.aheadMs = -days * DAY_MS;
    };
    const now = (userId: string, days: number, more: object = {}) => ({
      ...outcome(userId, days + 0.001, more),
    });
    at(200);
    await report(
      service,
      Array.from({ length: 9 }, () => now('reported', 200)),
    );
    await report(
      service,
      Array.from({ length: 9 }, () => now('hidden', 200)),
    );
    at(101);
    await report(
      service,
      Array.from({ length: 9 }, () => now('reported', 101, breach)),
    );
    at(99);
    await report(
      service,
      Array.from({ length: 9 }, () => now('hidden', 101, breach)),
    );
    await report(service, [now('reported', 99), now('hidden', 99)]);
    at(0);
    const day = isoDay(100);
    const bandsOf = async (by: string) => {
      const { report: done } = await backtest(service, { by, from: day, to: day });
      return done.bands
        .filter(({ n }: { n: number }) => n > 0)
        .map(({ band, n }: { band: string; n: number }) => [band, n]);
    };
    expect(await bandsOf('recorded')).toEqual([
      ['Fair', 1],
      ['High Risk', 1],
    ]);
    expect(await bandsOf('outcome')).toEqual([['High Risk', 2]]);
    await service.close();
  });
});

describe.each(breadth)('a backtest of a long history on %s', (engine) => {
  test('reads it in pages of 1000 events at most, also where one subject has more', async () => {
    const database = await openTestDatabase(engine);
    const service = await startTestService(engine, { db: database.db });
    const { platformId } = service;
    await database.db.execute(SEED_SUBJECTS, [platformId]);
    await database.db.execute(SEED_EVENTS, [platformId]);
    const options = { by: 'outcome', everyDays: 30, horizonDays: 90, from: null, to: null } as const;
    const progress: number[] = [];
    const statements: number[] = [];
    const counting: Queryable = {
      shared: database.db,
      ledgers: database.db.ledgers,
      query: async <R extends object>(text: string, values?: readonly unknown[]) => {
        const rows = await database.db.query<R>(text, values);
        statements.push(rows.length);
        return rows;
      },
      execute: () => Promise.reject(new Error('a backtest writes nothing')),
    };
    const done = await runBacktest([counting], {
      platformId,
      livemode: true,
      options: { ...options, from: 19_000 },
      now: new Date(20_000 * DAY_MS),
      onProgress: (events, total) => {
        progress.push(events / total);
      },
    });
    // Subjects 1 to 700 have one event before the cut-offs and two after; the long one has 12 000.
    expect(done?.subjects).toBe(701);
    expect(Math.max(...statements)).toBeLessThanOrEqual(1000);
    expect(progress.at(-1)).toBe(1);
    expect(progress).toEqual(progress.toSorted((a, b) => a - b));
    const long = Array.from({ length: 12_000 }, (_, index) => Math.floor(18_990 + (index + 1) / 24));
    const following = (day: number) =>
      long.filter((happened) => happened >= day && happened < day + 90).length;
    const cutoffs = Array.from({ length: 31 }, (_, index) => 19_000 + index * 30);
    expect(done?.pairs).toBe(700 * 2 + cutoffs.reduce((sum, day) => sum + following(day), 0));
    await service.close();
    await database.close();
  });
});

/** 700 subjects of three events and one of 12 000, from day 18 990 on. */
const SEED_SUBJECTS = `
insert into subject (subject_id, platform_id, livemode, external_id, record_id, event_count, registered_at)
select lpad(to_hex(n), 32, '0')::uuid, $1::uuid, true, 'subject-' || n, lpad(to_hex(n), 32, '0')::uuid,
  case when n = 701 then 12000 else 3 end, now()
from generate_series(1, 701) as n`;
const SEED_EVENTS = `
insert into event (subject_id, event_id, platform_id, livemode, position, event_type, stake_level, is_verified, platform_tier,
  completed_at, created_at)
select lpad(to_hex(n), 32, '0')::uuid, lpad(to_hex(k), 32, '0')::uuid, $1::uuid, true, k, 'CONTRACT_FULFILLED', 'MEDIUM', true,
  'GROWTH', at, at
from generate_series(1, 701) as n, lateral generate_series(1, case when n = 701 then 12000 else 3 end) as k,
  lateral (select to_timestamp((18990 + case when n = 701 then k / 24.0 else k * 9 end) * 86400) as at) as moment`;
