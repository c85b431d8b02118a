import { beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '#harness/eventually.js';
import { findPostgres, onServer } from '#harness/postgresCluster.js';
import { call } from '../crash/api.js';
import { DATABASE, promote, replicated, report } from './replicated.js';

const SUBJECTS = 30;

describe.skipIf(findPostgres() === undefined)('a read replica', () => {
  const on = replicated({
    fsync: false,
    env: (primary, standby) => ({
      DATABASE_URL: primary.url(DATABASE),
      DATABASE_REPLICA_URL: standby.url(DATABASE),
      LOG_LEVEL: 'info',
    }),
  });
  const get = (path: string) => call(on.service.url, 'GET', path);

  beforeAll(async () => {
    for (let index = 0; index < SUBJECTS; index += 1) await reported(`worker-${index}`);
  });

  test('serves book, exports, analytics, screenings and tiles of the log', async () => {
    await untilServing();
    const body = JSON.stringify({ userIds: ['worker-0', 'worker-1'] });
    for (const path of [
      '/users?limit=100',
      '/users?format=csv',
      '/users/summary',
      '/events/export',
      '/events/export?format=csv',
      '/analytics/events',
      '/analytics/events?by=outcome',
      '/analytics/scores',
      '/screenings',
      '!/log/tile/0/000.p/1',
    ]) {
      // A replica that falls behind on a busy machine is left out for a moment.
      await eventually(async () => {
        const before = await reads();
        const isScreening = path === '/screenings';
        const answer = isScreening ? await call(on.service.url, 'POST', path, { body }) : await get(path);
        expect(answer.status).toBeLessThan(300);
        const after = await reads();
        expect(after.retried, path).toBe(before.retried);
        return after.replica === before.replica + 1;
      });
    }
    await eventually(async () => (await bookSize()) === SUBJECTS);
  });

  test('an idle primary causes no lag', async () => {
    await untilServing();
    await expect.poll(() => metric(/^replica_lag_seconds (\S+)$/m)).toBeLessThan(1);
  });

  test('that no longer replays is left out after REPLICA_MAX_LAG_MS, and serves again when it has caught up', async () => {
    await untilServing();
    await onServer(on.standby.url('postgres'), (admin) => admin.query('select pg_wal_replay_pause()'));
    await reported('written-while-paused');
    // The primary answers as soon as the replica is older than allowed.
    await eventually(async () => (await bookSize()) === SUBJECTS + 1);
    const before = await reads();
    expect(await bookSize()).toBe(SUBJECTS + 1);
    expect((await reads()).primary).toBe(before.primary + 1);
    await onServer(on.standby.url('postgres'), (admin) => admin.query('select pg_wal_replay_resume()'));
    await untilServing();
    expect(await bookSize()).toBe(SUBJECTS + 1);
  });

  test('that dies under load costs no request, and serves again when it is back', async () => {
    await untilServing();
    const statuses = new Map<number, number>();
    let isOver = false;
    const working = Array.from({ length: 6 }, async () => {
      while (!isOver) {
        const { status } = await get('/users?limit=100');
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    });
    const answered = () => [...statuses.values()].reduce((sum, count) => sum + count, 0);
    await eventually(() => answered() > 50);
    await on.standby.kill9();
    const atDeath = answered();
    await eventually(() => answered() > atDeath + 100);
    isOver = true;
    await Promise.all(working);
    expect([...statuses.keys()]).toEqual([200]);
    expect(await metric(/^replica_lag_seconds (\S+)$/m)).toBeNaN();
    await on.standby.start();
    await untilServing();
  });

  test('that is no standby serves nothing, and the log says why', async () => {
    await untilServing();
    await promote(on.standby);
    await eventually(() => on.service.output.includes('is not a standby'));
    const before = await reads();
    expect(await bookSize()).toBe(SUBJECTS + 1);
    const after = await reads();
    expect(after.replica).toBe(before.replica);
  });

  /** Reads until the replica answers. */
  async function untilServing(): Promise<void> {
    await eventually(async () => {
      const before = await reads();
      await bookSize();
      return (await reads()).replica > before.replica;
    });
  }

  async function bookSize(): Promise<number> {
    return JSON.parse((await get('/users?limit=100')).text).users.length;
  }

  async function reads(): Promise<Record<'replica' | 'primary' | 'retried', number>> {
    const { text } = await get('!/metrics');
    const count = (source: string) =>
      Number(new RegExp(`^replica_reads_total\\{source="${source}"\\} (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
    return { replica: count('replica'), primary: count('primary'), retried: count('retried') };
  }

  async function metric(pattern: RegExp): Promise<number> {
    const { text } = await get('!/metrics');
    const value = pattern.exec(text)?.[1];
    return value === 'Nan' ? Number.NaN : Number(value);
  }

  async function reported(userId: string): Promise<void> {
    expect((await report(on, userId)).status).toBe(201);
  }
});
