import { pino } from 'pino';
import { beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { eventually } from '#harness/eventually.js';
import { givenService, givenSharedService } from '#harness/givenService.js';
import {
  type RequestOptions,
  startTestService,
  type TestAnswer,
  type TestService,
} from '#harness/service.js';
import type { Queryable } from '#kit/db/database.js';
import { runBacktest } from '../../../src/features/insight/backtest/runBacktest.js';
import { once } from '../intake/eventFixtures.js';
import { DAY_MS, movableClock, newPlatform } from '../tenancy/keyFixtures.js';
import { putHeartbeat } from './screeningFixtures.js';

const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
const isoDay = (days: number) => daysAgo(days).slice(0, 10);

/** An outcome that happened so many days ago. */
function outcome(userId: string, days: number, more: object = {}) {
  return { userId, eventType: 'CONTRACT_FULFILLED', isVerified: true, completedAt: daysAgo(days), ...more };
}

const breach = { eventType: 'CONTRACT_BREACHED' };

const nine = <T>(make: (index: number) => T) => Array.from({ length: 9 }, (_, index) => make(index));

/** Of each: nine jobs long ago, and the same again after the cut-off 100 days ago. */
const HISTORY = [
  nine((index) => [outcome('good', 150 + index), outcome('good', 50 + index)]),
  nine((index) => [outcome('bad', 150 + index, breach), outcome('bad', 50 + index, index < 6 ? breach : {})]),
].flat(2);

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
  const service = givenSharedService(engine);
  beforeAll(async () => {
    await report(service, HISTORY);
    await service.settle();
  });

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
    const discrimination = { auc: 0.875, ci95: null, rivals: { lastOutcome: 0.875 } };
    expect(done.report).toMatchObject({ discrimination });
    expect(done.report.bands).toContainEqual({ band: 'High Risk', n: 9, kept: null, ci95: null });
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

  test('rest on nothing of another platform', async () => {
    const { key } = (await newPlatform(service)).live;
    const { report: empty } = await backtest(service, { by: 'outcome' }, { key });
    expect(empty).toMatchObject({ asOf: [], pairs: 0, subjects: 0 });
  });

  test('of test data see test data alone and go with it', async () => {
    const key = service.testKey;
    await report(service, [outcome('tested', 150), outcome('tested', 50)], { key });
    const { id, report: tested } = await backtest(service, { by: 'outcome' }, { key });
    expect(tested).toMatchObject({ subjects: 1 });
    expect((await service.request('DELETE', '/test/data', { key })).status).toBe(200);
    expect((await service.request('GET', `/analytics/backtest/${id}`, { key })).status).toBe(404);
  });

  test('refuse a window that ends before it begins', async () => {
    const body = { from: '2026-02-02', to: '2026-02-01' };
    const { status, body: refusal } = await service.request('POST', '/analytics/backtest', { body });
    expect([status, refusal.details]).toMatchObject([400, [{ path: 'from' }]]);
  });
});

describe.each(breadth)('backtests of several platforms on %s', (engine) => {
  const clock = movableClock();
  const service = givenService(engine, { clock });

  test('the operator’s covers the live subjects of all, and each side finds its own alone', async () => {
    const other = await newPlatform(service);
    for (const [userId, key] of [
      ['a', service.liveKey],
      ['b', other.live.key],
      ['c', other.test.key],
    ] as const)
      await report(service, [outcome(userId, 150), outcome(userId, 50)], { key });
    const admin = { admin: true };
    const path = '/admin/analytics/backtest';
    const { body } = await service.request('POST', path, { ...admin, body: { by: 'outcome' } });
    const { id } = body.backtest;
    expect((await ended(service, `${path}/${id}`, admin)).report.subjects).toBe(2);
    expect((await service.request('GET', `/analytics/backtest/${id}`)).status).toBe(404);
    const own = await backtest(service, { by: 'outcome' });
    expect(own.report.subjects).toBe(1);
    expect((await service.request('GET', `${path}/${own.id}`, admin)).status).toBe(404);
  });

  test('by=recorded sees what was reported before the cut-off: a breach of before, reported on its day, it does not', async () => {
    const { live } = await newPlatform(service);
    /** Reports, so many days before today, outcomes of then. */
    const reportAt = async (days: number, events: object[]) => {
      clock.aheadMs = -days * DAY_MS;
      await report(service, events, { key: live.key });
    };
    const happened = (userId: string, days: number, more: object = {}) => outcome(userId, days + 0.001, more);
    await reportAt(200, [...nine(() => happened('reported', 200)), ...nine(() => happened('hidden', 200))]);
    await reportAt(
      101,
      nine(() => happened('reported', 101, breach)),
    );
    await reportAt(
      99,
      nine(() => happened('hidden', 101, breach)),
    );
    await reportAt(99, [happened('reported', 99), happened('hidden', 99)]);
    clock.aheadMs = 0;
    const day = isoDay(100);
    const bandsOf = async (by: string) => {
      const done = await backtest(service, { by, from: day, to: day }, { key: live.key });
      const bands: { band: string; n: number }[] = done.report.bands;
      return bands.filter(({ n }) => n > 0).map(({ band, n }) => [band, n]);
    };
    expect(await bandsOf('recorded')).toEqual([
      ['Fair', 1],
      ['High Risk', 1],
    ]);
    expect(await bandsOf('outcome')).toEqual([['High Risk', 2]]);
  });
});

describe.each(breadth)('backtests that wait on %s', (engine) => {
  const clock = movableClock();
  const log = pino({ level: 'silent' });
  // Answers requests, and leaves what is queued to others.
  const service = givenService(engine, { clock, env: { ROLE: 'api' }, log });
  const startWorker = () => startTestService(engine, { db: service.db, clock, log });

  const create = (body: object, more: RequestOptions = {}) =>
    service.request('POST', '/analytics/backtest', { body, ...more });

  const idWhere = async (condition: string) => {
    const [row] = await service.db.query<{ id: string }>(
      `select backtest_id as id from backtest where ${condition}`,
    );
    return row?.id ?? '';
  };

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
    const conflict = (details: object) => ({ status: 409, body: { code: 'CONFLICT', details } });
    const other = await create({ by: 'outcome', horizonDays: 30 });
    expect(other).toMatchObject(conflict({ id, status: 'QUEUED' }));
    expect((await create({ horizonDays: 30 }, { key: service.testKey })).status).toBe(202);
    const page = await service.request('GET', `/analytics/backtest/${id}?format=html`);
    expect(page).toMatchObject(conflict({ status: 'QUEUED' }));
  });

  test('start again after their worker died, and end', async () => {
    const id = await idWhere('livemode');
    await service.db.execute("update backtest set status = 'RUNNING', progress = 40 where livemode");
    const died = 'update job set claim = gen_random_uuid(), due_at = $2 where job_id = $1';
    await service.db.execute(died, [id, new Date(clock.now().getTime() - 1000)]);
    const worker = await startWorker();
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
    const worker = await startWorker();
    const failed = await ended(service, `/analytics/backtest/${id}`);
    expect(failed).toMatchObject({ status: 'FAILED', error: expect.stringMatching(/\w/), report: null });
    expect((await create({ by: 'outcome' })).status).toBe(202);
    await worker.close();
  });

  test('are kept for thirty days', async () => {
    const id = await idWhere("status = 'FAILED'");
    for (const [days, status] of [
      [29.9, 200],
      [30.1, 404],
    ] as const) {
      clock.aheadMs = days * DAY_MS;
      await service.request('POST', '/admin/sweeps/retention', { admin: true });
      expect((await service.request('GET', `/analytics/backtest/${id}`)).status).toBe(status);
    }
    clock.aheadMs = 0;
  });
});

describe.each(breadth)('a backtest of a long history on %s', (engine) => {
  const service = givenService(engine);

  test('reads it in pages of 1000 events at most, also where one subject has more', async () => {
    const { platformId, ledger } = service;
    await ledger.execute(SEED_SUBJECTS, [platformId]);
    await ledger.execute(SEED_EVENTS, [platformId]);
    const options = { by: 'outcome', everyDays: 30, horizonDays: 90, from: 19_000, to: null } as const;
    const progress: number[] = [];
    const statements: number[] = [];
    const counting: Queryable = {
      shared: ledger,
      ledgers: ledger.ledgers,
      query: async <R extends object>(text: string, values?: readonly unknown[]) => {
        const rows = await ledger.query<R>(text, values);
        statements.push(rows.length);
        return rows;
      },
      execute: () => Promise.reject(new Error('a backtest writes nothing')),
    };
    const done = await runBacktest([counting], {
      platformId,
      livemode: true,
      options,
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
