import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '#harness/eventually.js';
import {
  findPostgres,
  onServer,
  type PostgresCluster,
  startPostgresCluster,
} from '#harness/postgresCluster.js';
import { scratchFolder } from '#harness/scratchFolder.js';
import { LIVE_KEY, TEST_KEY } from '../crash/api.js';
import { type ServerProcess, serverProcess } from '../crash/serverProcess.js';

const NAME = 'replicated';
const SUBJECTS = 30;

describe.skipIf(findPostgres() === undefined)('a read replica', () => {
  const dataDir = scratchFolder('reliability-replica-');
  let primary: PostgresCluster;
  let replica: PostgresCluster;
  let service: ServerProcess;

  beforeAll(async () => {
    primary = await startPostgresCluster({ fsync: false });
    await primary.createDatabase(NAME);
    replica = await primary.addStandby('replica');
    service = await serverProcess({
      DATABASE_URL: primary.url(NAME),
      DATABASE_REPLICA_URL: replica.url(NAME),
      DATA_DIR: dataDir,
      DATA_KEY: 'data-key-of-the-tests-thirty-two-characters',
      BOOTSTRAP_LIVE_KEY: LIVE_KEY,
      BOOTSTRAP_TEST_KEY: TEST_KEY,
      ANONYMOUS_RATE_LIMIT_PER_MINUTE: '1000000',
      LOG_LEVEL: 'info',
    });
    service.start();
    await service.untilReady();
    for (let index = 0; index < SUBJECTS; index += 1) await report(`worker-${index}`);
  });

  afterAll(async () => {
    if (service?.isRunning) await service.kill9();
    await replica?.remove();
    await primary?.remove();
    rmSync(dataDir, { recursive: true, force: true });
  });

  test('serves book, exports, analytics, screenings and tiles of the log', async () => {
    await untilServing();
    const screening = { body: JSON.stringify({ userIds: ['worker-0', 'worker-1'] }) };
    for (const read of [
      () => call('GET', '/users?limit=100'),
      () => call('GET', '/users?format=csv'),
      () => call('GET', '/users/summary'),
      () => call('GET', '/events/export'),
      () => call('GET', '/events/export?format=csv'),
      () => call('GET', '/analytics/events'),
      () => call('GET', '/analytics/events?by=outcome'),
      () => call('GET', '/analytics/scores'),
      () => call('POST', '/screenings', screening),
      () => fetch(`${service.url}/log/tile/0/000.p/1`),
    ]) {
      // A replica that falls behind on a busy machine is left out for a moment.
      await eventually(async () => {
        const before = await reads();
        const answer = await read();
        expect(answer.status).toBeLessThan(300);
        await answer.text();
        const after = await reads();
        expect(after.retried, answer.url).toBe(before.retried);
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
    await onServer(replica.url('postgres'), (admin) => admin.query('select pg_wal_replay_pause()'));
    await report('written-while-paused');
    // The primary answers as soon as the replica is older than allowed.
    await eventually(async () => (await bookSize()) === SUBJECTS + 1);
    const before = await reads();
    expect(await bookSize()).toBe(SUBJECTS + 1);
    expect((await reads()).primary).toBe(before.primary + 1);
    await onServer(replica.url('postgres'), (admin) => admin.query('select pg_wal_replay_resume()'));
    await untilServing();
    expect(await bookSize()).toBe(SUBJECTS + 1);
  });

  test('that dies under load costs no request, and serves again when it is back', async () => {
    await untilServing();
    const statuses = new Map<number, number>();
    let isOver = false;
    const working = Array.from({ length: 6 }, async () => {
      while (!isOver) {
        const { status } = await call('GET', '/users?limit=100');
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    });
    const answered = () => [...statuses.values()].reduce((sum, count) => sum + count, 0);
    await eventually(() => answered() > 50);
    await replica.kill9();
    const atDeath = answered();
    await eventually(() => answered() > atDeath + 100);
    isOver = true;
    await Promise.all(working);
    expect([...statuses.keys()]).toEqual([200]);
    expect(await metric(/^replica_lag_seconds (\S+)$/m)).toBeNaN();
    await replica.start();
    await untilServing();
  });

  test('that is no standby serves nothing, and the log says why', async () => {
    await untilServing();
    await onServer(replica.url('postgres'), (admin) => admin.query('select pg_promote(true)'));
    await eventually(() => service.output.includes('is not a standby'));
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
    const answer = await call('GET', '/users?limit=100');
    return ((await answer.json()) as { users: unknown[] }).users.length;
  }

  async function reads(): Promise<Record<'replica' | 'primary' | 'retried', number>> {
    const text = await (await fetch(`${service.url}/metrics`)).text();
    const count = (source: string) =>
      Number(new RegExp(`^replica_reads_total\\{source="${source}"\\} (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
    return { replica: count('replica'), primary: count('primary'), retried: count('retried') };
  }

  async function metric(pattern: RegExp): Promise<number> {
    const text = await (await fetch(`${service.url}/metrics`)).text();
    const value = pattern.exec(text)?.[1];
    return value === 'Nan' ? Number.NaN : Number(value);
  }

  async function report(userId: string): Promise<void> {
    const body = JSON.stringify({ userId, eventType: 'TRANSACTION_COMPLETED' });
    expect((await call('POST', '/events', { body })).status).toBe(201);
  }

  function call(method: string, path: string, { body }: { body?: string } = {}): Promise<Response> {
    return fetch(`${service.url}/api/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${LIVE_KEY}`, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body }),
    });
  }
});
