import { Registry } from 'prom-client';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { breadth, openTestDatabase, type TestDatabase } from '#harness/engines.js';
import { SOON } from '#harness/eventually.js';
import { type Database, DatabaseUnavailableError } from '#kit/db/database.js';
import { createMetrics } from '#kit/http/metrics.js';
import { endsInTime } from '#kit/inTime.js';
import { createHealthCheck } from '../../../src/features/system/system/checkHealth.js';
import { takeSample } from '../../../src/features/system/system/sampleStatus.js';
import { showMetrics } from '../../../src/features/system/system/showMetrics.js';
import { readStatus, showReadiness } from '../../../src/features/system/system/showStatus.js';
import { DistributedGroup } from '../../../src/shape/citus/distributedGroup.js';
import { reachableGroups } from '../../../src/shape/groups/groups.js';
import { joinProcesses, metricsOf } from '../../../src/shape/processes/link.js';

const MINUTE_MS = 60_000;
const START = new Date('2026-11-21T12:00:00.000Z');
const ready = { isReady: true };
const noneClosed: ReadonlySet<number> = new Set();
const silent = { warn: () => {} };

function groupsOf(groups: Database[], closed = noneClosed) {
  return { groups: () => groups, reachableGroups: () => reachableGroups(groups, closed) };
}

function stopped(db: Database, now: Date, groups = groupsOf([db]), readiness = ready) {
  const deps = { db, ...groups, clock: { now: () => now }, readiness };
  const processes = joinProcesses(() => metricsOf(new Registry()));
  return { ...deps, log: silent, processes, checkHealth: createHealthCheck(deps) };
}

describe('without a database', () => {
  const away = {
    ping: () => Promise.reject(new DatabaseUnavailableError('refused')),
  } as unknown as Database;
  const hanging = { ping: () => new Promise(() => {}) } as unknown as Database;

  test('the service is not ready, and its status is an outage without a history', async () => {
    const deps = stopped(away, START);
    expect(await showReadiness(deps)).toMatchObject({
      status: 503,
      body: { status: 'degraded', checks: { database: { status: 'failed' }, worker: { status: 'unknown' } } },
    });
    expect(await showReadiness(deps)).toMatchObject({ body: { checks: { outbox: { status: 'unknown' } } } });
    expect(await readStatus(deps)).toMatchObject({ status: 'outage', history: null });
  });

  test('a database that hangs makes the service not ready within seconds', async () => {
    const shown = showReadiness(stopped(hanging, START));
    expect(await endsInTime(Promise.resolve(shown), SOON.timeout)).toBe(true);
    expect(await shown).toMatchObject({ status: 503 });
  });

  test('concurrent checks share one ping of the database', async () => {
    let pings = 0;
    const counted = {
      ...away,
      ping() {
        pings += 1;
        return Promise.reject(new Error('away'));
      },
    } as unknown as Database;
    const { checkHealth } = stopped(counted, START);
    await Promise.all([checkHealth(), checkHealth(), checkHealth()]);
    expect(pings).toBe(1);
    await checkHealth();
    expect(pings).toBe(2);
  });
});

describe.each(breadth)('status on %s', (engine) => {
  let database: TestDatabase;
  let db: Database;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    db = database.db;
  });
  afterEach(async () => {
    const written = 'worker_heartbeat recompute_queue recompute_failure outbox_queue webhook status_sample';
    for (const table of written.split(' ')) await db.execute(`delete from ${table}`);
  });
  afterAll(() => database.close());

  const beat = (at: Date) => db.execute('insert into worker_heartbeat values (gen_random_uuid(), $1)', [at]);
  const enqueue = (at: Date) =>
    db.execute('insert into recompute_queue (record_id, enqueued_at) values (gen_random_uuid(), $1)', [at]);
  const after = (minutes: number) => new Date(START.getTime() + minutes * MINUTE_MS);
  const statusAt = (now: Date) => readStatus(stopped(db, now));
  const expectStatus = async (now: Date, status: string, checks: object) =>
    expect(await statusAt(now)).toMatchObject({ status, checks });

  test.each<[string, () => Promise<never>]>([
    ['is away', () => Promise.reject(new DatabaseUnavailableError('refused'))],
    ['hangs', () => new Promise(() => {})],
  ])('a ledger group whose server %s makes the service degraded, not unready', async (_, locate) => {
    await beat(START);
    const away = new DistributedGroup({ group: 1, coordinator: db, locate, prepare: async () => {} });
    const deps = stopped(db, START, groupsOf([db, away]));
    const database = { status: 'ok', unreachableGroups: 1 };
    expect(await showReadiness(deps)).toMatchObject({ status: 200, body: { checks: { database } } });
    expect(await readStatus(deps)).toMatchObject({ status: 'degraded', checks: { database } });
  });

  test('a ledger group that this process does not serve yet counts as unreachable', async () => {
    await beat(START);
    const closed = { ledgers: { own: 1 } } as Database; // nothing can be read from it
    const deps = stopped(db, START, groupsOf([db, closed], new Set([1])));
    const database = { status: 'ok', unreachableGroups: 1 };
    expect(await readStatus(deps)).toMatchObject({ status: 'degraded', checks: { database } });
  });

  test('a database that is not prepared yet does not make the service ready', async () => {
    for (const [isReady, status] of [
      [false, 503],
      [true, 200],
    ] as const) {
      const deps = stopped(db, START, groupsOf([db]), { isReady });
      expect(await showReadiness(deps)).toMatchObject({ status });
    }
  });

  test('a worker is absent before its first heartbeat and a minute after its last one', async () => {
    await expectStatus(START, 'degraded', { worker: { status: 'absent' } });
    await beat(START);
    await expectStatus(after(1), 'operational', { worker: { status: 'ok' } });
    await expectStatus(after(1.1), 'degraded', { worker: { status: 'absent' } });
  });

  test('a queue that waits for more than a minute means the worker cannot keep up', async () => {
    await beat(after(2));
    await enqueue(START);
    await expectStatus(after(1), 'operational', { worker: { queueLagSeconds: 60 } });
    await expectStatus(after(1.5), 'degraded', { worker: { status: 'lagging', queueLagSeconds: 90 } });
  });

  test('a record that cannot be computed is counted, and is no lag of the worker', async () => {
    await beat(after(2));
    await enqueue(START);
    await db.execute(
      `insert into recompute_failure (record_id, failed_attempts, failing_since, retry_at, error)
       select record_id, 3, $1::timestamptz, $1::timestamptz, 'a fault' from recompute_queue union all select gen_random_uuid(), 1, $1, $1, 'idle'`,
      [START],
    );
    await expectStatus(after(2), 'operational', {
      worker: { status: 'ok', queueLagSeconds: 0, failingRecords: 1 },
    });
    const metrics = createMetrics();
    const host = (name: string) => (name === 'host' ? 'localhost' : undefined);
    const scrape = { remoteAddress: '127.0.0.1', header: host };
    const config = { metricsToken: undefined, trustProxy: undefined, host: '127.0.0.1' };
    const processes = joinProcesses(() => metricsOf(metrics.registry));
    const deps = { metrics, processes, replica: null, config };
    await showMetrics({ ...deps, ...groupsOf([db]) }, scrape);
    expect((await metrics.recomputeFailingRecords.get()).values).toMatchObject([{ value: 1 }]);

    // A worker of a cluster that is away: the sums are over the other groups.
    const locate = () => Promise.reject(new DatabaseUnavailableError('refused'));
    const away = new DistributedGroup({ group: 1, coordinator: db, locate, prepare: async () => {} });
    const closed = { ledgers: { own: 2 } } as Database; // nothing can be read from it
    await showMetrics({ ...deps, ...groupsOf([db, away, closed], new Set([2])) }, scrape);
    expect((await metrics.recomputeFailingRecords.get()).values).toMatchObject([{ value: 1 }]);
    expect((await metrics.logHalted.get()).values).toMatchObject([{ value: 0 }]);
    expect((await metrics.ledgerGroupUp.get()).values).toMatchObject([
      { labels: { group: 0 }, value: 1 },
      { labels: { group: 1 }, value: 0 },
      { labels: { group: 2 }, value: 0 },
    ]);

    await showMetrics({ ...deps, ...groupsOf([away]) }, scrape);
    expect((await metrics.recomputeFailingRecords.get()).values).toMatchObject([{ value: Number.NaN }]);
    expect((await metrics.logLeaves.get()).values).toMatchObject([{ value: Number.NaN }]);
  });

  test('a delivery that is due for more than a minute counts as lagging, unless its target fails', async () => {
    await beat(after(2));
    const wait = (target: string) =>
      db.execute(
        `insert into outbox_queue (kind, target_id, envelope_id, platform_id, due_at)
         values ('webhook', $1, gen_random_uuid(), gen_random_uuid(), $2)`,
        [target, START],
      );
    const addTarget = async (failingSince: Date | null) => {
      const [row] = await db.query<{ webhookId: string }>(
        `insert into webhook (webhook_id, platform_id, livemode, url, events, sealed_secret, failing_since, created_at,
           updated_at)
         values (gen_random_uuid(), gen_random_uuid(), true, 'https://a.example', '{}', '', $1, $2, $2)
         returning webhook_id`,
        [failingSince, START],
      );
      await wait(row?.webhookId ?? '');
    };
    await addTarget(START);
    await expectStatus(after(2), 'operational', { outbox: { status: 'ok', waitingSeconds: 0 } });
    await addTarget(null);
    await expectStatus(after(1), 'operational', { outbox: { status: 'ok', waitingSeconds: 60 } });
    await expectStatus(after(2), 'degraded', { outbox: { status: 'lagging', waitingSeconds: 120 } });
  });

  test('uptime counts good minutes, and minutes in which nobody took a sample as down', async () => {
    expect(await statusAt(START)).toMatchObject({ history: { '24h': { uptime: null, samples: 0 } } });
    await beat(after(5));
    for (const minute of [0, 1, 1.4, 2, 3, 5, 6, 7]) await takeSample(stopped(db, after(minute)));
    await takeSample(stopped(db, after(8))); // the worker has been silent for three minutes by now
    const expected = { uptime: 0.6667, samples: 8 };
    // The tenth minute counts as soon as it has a sample, or is over without one.
    for (const minute of [8.5, 9.2])
      expect(await statusAt(after(minute))).toMatchObject({
        history: { '24h': expected, '7d': expected },
      });
    expect(await statusAt(after(10.2))).toMatchObject({ history: { '24h': { uptime: 0.6 } } });
  });

  test('samples that no window reaches are removed', async () => {
    await takeSample(stopped(db, START));
    await takeSample(stopped(db, after(9 * 24 * 60)));
    expect(await db.query('select sampled_at from status_sample')).toHaveLength(1);
  });
});
