import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasPostgres } from '#harness/engines.js';
import { TEST_KEYS } from '#harness/service.js';
import { call } from '../crash/api.js';
import { type ChildService, ready, startChild } from './childService.js';
import { cleanUp, emptyDatabase, newFolder } from './places.js';

const HOLDER = fileURLToPath(new URL('holdWorkerThread.cjs', import.meta.url));
const folder = newFolder();
/** The worker thread does nothing while the first exists, and dies of the second. */
const [hold, die] = [join(folder, 'hold'), join(folder, 'die')];

afterAll(cleanUp);

describe.runIf(hasPostgres)('ROLE=all on PostgreSQL has a worker thread', () => {
  let service: ChildService;
  let url: string;
  let databaseUrl: string;

  beforeAll(async () => {
    databaseUrl = await emptyDatabase();
    await start();
  });

  async function start(): Promise<void> {
    service = startChild({
      DATABASE_URL: databaseUrl,
      DATA_DIR: folder,
      BOOTSTRAP_LIVE_KEY: TEST_KEYS.live,
      BOOTSTRAP_TEST_KEY: TEST_KEYS.test,
      NODE_OPTIONS: `--require=${HOLDER}`,
      HOLD: hold,
      DIE: die,
    });
    url = await ready(service);
    await service.printed(/"thread":"worker".*"msg":"the worker thread runs"/);
  }

  const headers = { Authorization: `Bearer ${TEST_KEYS.live}` };
  const get = (path: string) => call(url, 'GET', path, { headers });
  const report = async (userId: string) => {
    const body = JSON.stringify({ userId, eventType: 'TRANSACTION_COMPLETED' });
    expect((await call(url, 'POST', '/events', { headers, body })).status).toBe(201);
  };
  const counted = async (userId: string): Promise<number | undefined> =>
    JSON.parse((await get(`/users/${userId}/score`)).text).totalEvents;
  const metric = async (name: string) => {
    const found = [...(await get('!/metrics')).text.matchAll(new RegExp(`^${name} (.+)$`, 'gm'))];
    expect(found).toHaveLength(1);
    return Number(found[0]?.[1]);
  };
  const holdThread = async () => {
    writeFileSync(hold, '');
    // It does not answer for its metrics.
    await expect.poll(() => get('!/metrics').then(({ status }) => status)).toBe(503);
  };

  test('which computes scores, and whose metrics are in /metrics, those of the process once', async () => {
    await report('counted');
    await expect.poll(() => counted('counted')).toBe(1);
    // Counted after the commit that lets the score be read.
    await expect.poll(() => metric('recompute_records_total')).toBeGreaterThan(0);
    expect(await metric('ledger_events_appended_total')).toBe(1);
    const startedAt = await metric('process_start_time_seconds');
    expect(Math.abs(startedAt - Date.now() / 1000)).toBeLessThan(86_400);
  });

  test('which hears of them directly, without a notification of the database', async () => {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    const heard: string[] = [];
    client.on('notification', ({ payload = '' }) => heard.push(...payload.split(' ').slice(1)));
    await client.query('listen wakes');
    await report('direct');
    await expect.poll(() => counted('direct')).toBe(1);
    await client.query(`select pg_notify('wakes', ' last')`);
    await expect.poll(() => heard.at(-1)).toBe('last');
    await client.end();
    expect(heard).not.toContain('scores');
  });

  test('whose work of any length delays no request', async () => {
    await holdThread();
    await report('held');
    for (let read = 0; read < 50; read += 1) {
      expect((await get('/users/counted/score')).status).toBe(200);
    }
    expect((await get('!/health/ready')).status).toBe(200);
    expect(await counted('held')).toBeUndefined();
    rmSync(hold);
    await expect.poll(() => counted('held')).toBe(1);
  });

  test('for whose work a stop waits', async () => {
    await holdThread();
    service.signal('SIGTERM');
    await service.printed(/"msg":"stopping"/);
    // Closed after the requests, and the thread is still at work.
    await expect
      .poll(() =>
        fetch(`${url}/health`).then(
          () => 'open',
          () => 'closed',
        ),
      )
      .toBe('closed');
    expect(service.isRunning()).toBe(true);
    rmSync(hold);
    expect(await service.ended()).toBe(0);
    expect(service.output()).toContain('"msg":"stopped"');
  });

  test('whose death ends the process, with a line that says so', async () => {
    await start();
    writeFileSync(die, '');
    expect(await service.ended()).toBe(1);
    expect(service.output()).toMatch(/"thread":"worker".*"err":.*the thread was killed by a test/);
    expect(service.output()).toMatch(/"level":"fatal".*the worker thread ended/);
    expect(existsSync(die)).toBe(true);
  });
});
