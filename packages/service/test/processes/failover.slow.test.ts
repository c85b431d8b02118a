import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { openEventStream } from '#harness/eventStream.js';
import { eventually } from '#harness/eventually.js';
import { findPostgres, onServer, type PostgresCluster } from '#harness/postgresCluster.js';
import { quietLog } from '#harness/quietLog.js';
import type { Database } from '#kit/db/database.js';
import { openDatabase } from '../../src/shape/openDatabase.js';
import { call, LIVE_KEY } from '../crash/api.js';
import { runProgram } from '../crash/serverProcess.js';
import { anyOf, DATABASE, promote, replicated, report } from './replicated.js';

describe.skipIf(findPostgres() === undefined)('a primary with a synchronous standby', () => {
  const on = replicated({
    fsync: true,
    env: (primary, standby) => ({ DATABASE_URL: anyOf(primary, standby), LOG_LEVEL: 'warn' }),
    prepare: (primary) => waitForStandby(primary, 'standby1'),
  });

  test('a promoted standby takes over: 503 with Retry-After meanwhile, and nothing acknowledged is lost', async () => {
    const { primary, standby, service, env } = on;
    const stream = await openEventStream(service.url, { key: LIVE_KEY, types: 'score.updated' });
    const acknowledged = new Map<string, string>();
    const refusals: { status: number; retryAfter: string | null }[] = [];
    let isOver = false;
    const working = Array.from({ length: 6 }, async (_, client) => {
      for (let number = 0; !isOver; number += 1) {
        const key = `failover-${client}-${number}`;
        for (;;) {
          const answer = await report(on, `worker-${client}`, { 'Idempotency-Key': key });
          if (answer.status === 201) {
            acknowledged.set(key, JSON.parse(answer.text).eventId);
            break;
          }
          refusals.push({ status: answer.status, retryAfter: answer.headers.get('retry-after') });
          await pause(50);
        }
      }
    });
    Promise.all(working).catch(() => undefined); // awaited below
    await eventually(() => acknowledged.size > 100);

    await primary.kill9();
    await eventually(() => refusals.length > 10);
    const before = acknowledged.size;
    await promote(standby);
    await eventually(() => acknowledged.size > before + 100);
    isOver = true;
    await Promise.all(working);

    for (const { status, retryAfter } of refusals) {
      expect(status).toBe(503);
      expect(retryAfter).toMatch(/^\d+$/);
    }
    const db = await openDatabase({ databaseUrl: env.DATABASE_URL, log: quietLog });
    try {
      const rows = await db.query<{ eventId: string }>('select event_id from event');
      const stored = new Set(rows.map(({ eventId }) => eventId));
      expect([...acknowledged.values()].filter((id) => !stored.has(id))).toEqual([]);
      // Each key wrote one event, however often it was sent.
      expect(stored.size).toBe(acknowledged.size);
      await expectWorkersToFollow(db, service.url, stored.size);
    } finally {
      await db.close();
    }
    // The stream is woken by LISTEN, on the new primary.
    const streamed = stream.parsed.events.length;
    await report(on, 'worker-after');
    await eventually(() => stream.parsed.events.length > streamed);
    stream.close();
    expect(await service.stop()).toBe(0);
    expect(await runProgram('auditLedger', env)).toMatchObject({ code: 0 });
  });

  test('an old primary that comes back is not used, although it accepts writes', async () => {
    const { primary, standby } = on;
    await onServer(standby.url(DATABASE), (admin) => admin.query('create table newest (n int)'));
    await primary.start();
    const db = await openDatabase({ databaseUrl: anyOf(standby, primary), log: quietLog });
    try {
      expect(await db.query('select * from newest')).toEqual([]);
    } finally {
      await db.close();
    }
  });
});

/** The queue is empty, scores count every event, and the log has signed all facts. */
async function expectWorkersToFollow(db: Database, url: string, events: number): Promise<void> {
  await eventually(async () => (await db.query('select 1 from recompute_queue limit 1')).length === 0);
  const [counted] = await db.query<{ total: number }>(
    'select sum(n)::integer as total from (select event_count as n from subject) as counts',
  );
  expect(counted?.total).toBe(events);
  await eventually(async () => {
    const { log } = JSON.parse((await call(url, 'GET', '!/status.json')).text).checks;
    return log.status === 'ok' && log.treeSize > events && log.signedSize === log.treeSize;
  });
}

async function waitForStandby(primary: PostgresCluster, name: string): Promise<void> {
  await onServer(primary.url('postgres'), async (admin) => {
    await admin.query(`alter system set synchronous_standby_names = '${name}'`);
    await admin.query('select pg_reload_conf()');
    await eventually(async () => {
      const { rows } = await admin.query<{ state: string }>(
        'select sync_state as state from pg_stat_replication',
      );
      return rows[0]?.state === 'sync';
    });
  });
}
