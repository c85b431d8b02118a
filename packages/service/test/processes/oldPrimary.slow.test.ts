import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { eventually } from '#harness/eventually.js';
import { findPostgres, onServer, type PostgresCluster } from '#harness/postgresCluster.js';
import { call } from '../crash/api.js';
import { runProgram } from '../crash/serverProcess.js';
import { anyOf, DATABASE, promote, replicated, report } from './replicated.js';

/** Nobody fences the old primary: it accepts writes on timeline 1 all the time. */
describe.skipIf(findPostgres() === undefined)('after a failover without fencing', () => {
  const on = replicated({
    fsync: false,
    env: (primary, standby, dataDir) => ({
      DATABASE_URL: anyOf(primary, standby),
      DATABASE_POOL_SIZE: '4',
      LOG_STATE_DIR: dataDir,
      LOG_LEVEL: 'error',
    }),
  });

  test('an old primary that hung, and goes on after the promotion, gets no further write', async () => {
    const { primary: old, standby: promoted } = on;
    await reportUntil(async () => (await signedSize()) > 20);
    // What is signed is on the standby: otherwise the log would have to stop.
    await eventually(async () => (await unsignedOn(old)) === 0);
    await eventually(async () => (await treeSizeOn(promoted)) === (await treeSizeOn(old)));
    await eventually(async () => (await unsignedOn(promoted)) === 0);
    old.freeze();
    await promote(promoted);
    const before = await eventsOn(promoted);
    // A connection has to fail before the service looks for another server.
    await reportUntil(async () => (await eventsOn(promoted)) > before);
    old.thaw();
    const onOld = await eventsOn(old);
    for (let i = 0; i < 100; i += 1) expect([201, 503]).toContain(await statusOfReport());
    await reportUntil(async () => (await signedSize()) > (await treeSizeOn(old)) + 20);
    expect(await eventsOn(old)).toBe(onOld);
  });

  test('while the new primary hangs, the old one is not used: 503, and nothing is acknowledged', async () => {
    const { primary: old, standby: promoted, service } = on;
    const [onOld, signed] = [await eventsOn(old), await signedSize()];
    const headBefore = headFile();
    promoted.freeze();
    const statuses = new Set<number>();
    await eventually(async () => {
      statuses.add(await statusOfReport());
      return (await databaseStatus()) === 'wrong_server';
    });
    for (let i = 0; i < 20; i += 1) statuses.add(await statusOfReport());
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
    const { primary: old, standby: promoted, service } = on;
    await service.kill9();
    promoted.freeze();
    const onOld = await eventsOn(old);
    service.start();
    await eventually(async () => (await databaseStatus()) === 'wrong_server');
    expect(await statusOfReport()).toBe(503);
    promoted.thaw();
    await service.untilReady();
    expect(await statusOfReport()).toBe(201);
    expect(await eventsOn(old)).toBe(onOld);
  });

  test('going back takes the operator: the timeline first, then the leaves that are lost', async () => {
    const { standby: promoted, service } = on;
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
    expect(await statusOfReport()).toBe(201);
  });

  const statusOfReport = async () => (await report(on, 'worker-1')).status;

  /** Reports all the time, several at once, so that connections are made. */
  async function reportUntil(isOver: () => Promise<boolean>): Promise<void> {
    await eventually(async () => {
      await Promise.all([report(on, 'worker-1'), report(on, 'worker-1'), report(on, 'worker-1')]);
      return isOver();
    });
  }

  /** As any reader sees it. */
  async function signedSize(): Promise<number> {
    const { status, text } = await call(on.service.url, 'GET', '!/log/checkpoint');
    return status === 200 ? sizeOf(text) : 0;
  }

  function headFile(): { size: number } {
    return { size: sizeOf(readFileSync(join(on.env.LOG_STATE_DIR ?? '', 'log-head'), 'utf8')) };
  }

  async function databaseStatus(): Promise<string | undefined> {
    const answer = await call(on.service.url, 'GET', '!/health/ready').catch(() => null);
    if (!answer) return undefined;
    const { database } = JSON.parse(answer.text).checks;
    expect(answer.status).toBe(database.status === 'ok' ? 200 : 503);
    return database.status;
  }

  const command = (args: readonly string[]) => runProgram('acceptRollback', on.env, args);
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
  return onServer(cluster.url(DATABASE), async (client) => {
    const { rows } = await client.query<{ n: number }>(statement);
    return rows[0]?.n ?? Number.NaN;
  });
}

function sizeOf(checkpoint: string): number {
  return Number(checkpoint.split('\n')[1]);
}
