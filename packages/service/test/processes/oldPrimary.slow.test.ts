import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
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
import { runProgram, type ServerProcess, serverProcess } from '../crash/serverProcess.js';

const NAME = 'old_primary';

/** Nobody fences the old primary: it accepts writes on timeline 1 all the time. */
describe.skipIf(findPostgres() === undefined)('after a failover without fencing', () => {
  const stateDir = scratchFolder('reliability-old-primary-');
  let old: PostgresCluster;
  let promoted: PostgresCluster;
  let env: Record<string, string>;
  let service: ServerProcess;

  beforeAll(async () => {
    old = await startPostgresCluster({ fsync: false });
    await old.createDatabase(NAME);
    promoted = await old.addStandby('standby1');
    const hosts = [promoted, old].map((cluster) => new URL(cluster.url(NAME)).host);
    env = {
      DATABASE_URL: `postgres://postgres@${hosts}/${NAME}?target_session_attrs=read-write`,
      DATABASE_POOL_SIZE: '4',
      LOG_STATE_DIR: stateDir,
      DATA_DIR: stateDir,
      DATA_KEY: 'data-key-of-the-tests-thirty-two-characters',
      BOOTSTRAP_LIVE_KEY: LIVE_KEY,
      BOOTSTRAP_TEST_KEY: TEST_KEY,
      VELOCITY_MAX_PER_HOUR: '1000000000',
      ANONYMOUS_RATE_LIMIT_PER_MINUTE: '1000000',
      LOG_LEVEL: 'error',
    };
    service = await serverProcess(env);
    service.start();
    await service.untilReady();
  });

  afterAll(async () => {
    if (service?.isRunning) await service.kill9();
    await promoted?.remove();
    await old?.remove();
    rmSync(stateDir, { recursive: true, force: true });
  });

  test('an old primary that hung, and goes on after the promotion, gets no further write', async () => {
    await reportUntil(async () => (await signedSize()) > 20);
    // What is signed is on the standby: otherwise the log would have to stop.
    await eventually(async () => (await unsignedOn(old)) === 0);
    await eventually(async () => (await treeSizeOn(promoted)) === (await treeSizeOn(old)));
    await eventually(async () => (await unsignedOn(promoted)) === 0);
    old.freeze();
    await onServer(promoted.url('postgres'), (admin) => admin.query('select pg_promote(true)'));
    const before = await eventsOn(promoted);
    // A connection has to fail before the service looks for another server.
    await reportUntil(async () => (await eventsOn(promoted)) > before);
    old.thaw();
    const onOld = await eventsOn(old);
    for (let i = 0; i < 100; i += 1) expect([201, 503]).toContain(await report());
    await reportUntil(async () => (await signedSize()) > (await treeSizeOn(old)) + 20);
    expect(await eventsOn(old)).toBe(onOld);
  });

  test('while the new primary hangs, the old one is not used: 503, and nothing is acknowledged', async () => {
    const [onOld, signed] = [await eventsOn(old), await signedSize()];
    const headBefore = headFile();
    promoted.freeze();
    const statuses = new Set<number>();
    await eventually(async () => {
      statuses.add(await report());
      return (await databaseStatus()) === 'wrong_server';
    });
    for (let i = 0; i < 20; i += 1) statuses.add(await report());
    expect([...statuses]).toEqual([503]);
    expect(await eventsOn(old)).toBe(onOld);
    expect(service.output).toMatch(
      /"level":"error".*the database server 127\.0\.0\.1:\d+ accepts writes on timeline 1, and timeline 2 was used before on 127/,
    );
    promoted.thaw();
    await reportUntil(async () => (await signedSize()) > signed);
    expect(await databaseStatus()).toBe('ok');
    expect(headFile().size).toBeGreaterThan(headBefore.size);
    expect(await eventsOn(old)).toBe(onOld);
  });

  test('a restart remembers it by the file, and starts when the new primary is back', async () => {
    await service.kill9();
    promoted.freeze();
    const onOld = await eventsOn(old);
    service.start();
    await eventually(async () => (await databaseStatus()) === 'wrong_server');
    expect(await report()).toBe(503);
    promoted.thaw();
    await service.untilReady();
    expect(await report()).toBe(201);
    expect(await eventsOn(old)).toBe(onOld);
  });

  test('going back takes the operator: the timeline first, then the leaves that are lost', async () => {
    expect(await service.stop()).toBe(0);
    await promoted.stop();
    const refused = await command([]);
    expect(refused).toMatchObject({ code: 1, output: expect.stringContaining('is an old primary') });
    expect(await command(['--timeline', '1'])).toMatchObject({
      code: 0,
      output: expect.stringContaining('Timeline 2 on'),
    });
    const lost = headFile().size;
    const listed = await command([]);
    expect(listed).toMatchObject({ code: 1, output: expect.stringContaining(`log of ${lost} leaves`) });
    expect(await command([String(lost)])).toMatchObject({ code: 0 });
    service.start();
    await service.untilReady();
    expect(await report()).toBe(201);
  });

  async function report(): Promise<number> {
    const response = await fetch(`${service.url}/api/v1/events`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${LIVE_KEY}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ userId: 'worker-1', eventType: 'TRANSACTION_COMPLETED' }),
    });
    await response.arrayBuffer();
    return response.status;
  }

  /** Reports all the time, several at once, so that connections are made. */
  async function reportUntil(isOver: () => Promise<boolean>): Promise<void> {
    await eventually(async () => {
      await Promise.all([report(), report(), report()]);
      return isOver();
    });
  }

  /** As any reader sees it. */
  async function signedSize(): Promise<number> {
    const response = await fetch(`${service.url}/log/checkpoint`);
    return response.status === 200 ? sizeOf(await response.text()) : 0;
  }

  function headFile(): { size: number } {
    return { size: sizeOf(readFileSync(join(stateDir, 'log-head'), 'utf8')) };
  }

  async function databaseStatus(): Promise<string | undefined> {
    const response = await fetch(`${service.url}/health/ready`).catch(() => null);
    if (!response) return undefined;
    const { checks } = (await response.json()) as { checks: { database: { status: string } } };
    expect(response.status).toBe(checks.database.status === 'ok' ? 200 : 503);
    return checks.database.status;
  }

  const command = (args: readonly string[]) => runProgram('acceptRollback', env, args);
});

function eventsOn(cluster: PostgresCluster): Promise<number> {
  return numberOn(cluster, 'select count(*)::integer as n from event');
}

/** Facts that a checkpoint does not cover yet. */
function unsignedOn(cluster: PostgresCluster): Promise<number> {
  return numberOn(
    cluster,
    `select (tree_size - (select max(tree_size) from log_checkpoint) + (select count(*) from log_queue)
       + (select count(*) from recompute_queue))::integer as n from log_state`,
  );
}

function treeSizeOn(cluster: PostgresCluster): Promise<number> {
  return numberOn(cluster, 'select tree_size::integer as n from log_state');
}

function numberOn(cluster: PostgresCluster, statement: string): Promise<number> {
  return onServer(cluster.url(NAME), async (client) => {
    const { rows } = await client.query<{ n: number }>(statement);
    return rows[0]?.n ?? Number.NaN;
  });
}

function sizeOf(checkpoint: string): number {
  return Number(checkpoint.split('\n')[1]);
}
