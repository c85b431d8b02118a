import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS } from '#domain/timestamp.js';
import { engines, openTestDatabase } from '#harness/engines.js';
import { eventually } from '#harness/eventually.js';
import { ownDatabase } from '#harness/ownDatabase.js';
import type { BackgroundLoop } from '#kit/backgroundLoop.js';
import type { Clock } from '#kit/clock.js';
import type { Database } from '#kit/db/database.js';
import { createIdSource } from '#kit/ids.js';
import { recomputeRecords } from '#ledger/recompute/recompute.js';
import { queueAgedScores } from '#ledger/recompute/store.js';
import { subjectIdOf } from '#ledger/subjectId.js';
import { addPlatform, append, drainOn, ledgerOn, outcome, reporter, workerOn } from './deps.js';

describe.each(engines)('the recompute worker on %s', (engine) => {
  const own = ownDatabase(engine);
  let db: Database;
  let workers: BackgroundLoop[] = [];

  beforeAll(async () => {
    db = own.db;
    await addPlatform(db);
  });
  afterEach(async () => {
    for (const worker of workers) await worker.stop();
    workers = [];
  });

  test('many events of one subject need one recompute, which counts them all', async () => {
    const ledger = ledgerOn(db);
    for (let round = 0; round < 5; round += 1) await append(ledger, [outcome({ externalId: 'many' })]);
    start();
    await eventually(async () => (await scoreOf('many'))?.totalEvents === 5);
    expect(await snapshotsOf('many')).toHaveLength(1);
  });

  test('two concurrent workers compute each record once per change', async () => {
    const ledger = ledgerOn(db);
    start();
    start();
    for (let round = 0; round < 20; round += 1) {
      const events = Array.from({ length: 10 }, (_, index) => outcome({ externalId: `shared-${index}` }));
      await append(ledger, events);
    }
    for (let index = 0; index < 10; index += 1) {
      await eventually(async () => (await scoreOf(`shared-${index}`))?.totalEvents === 20);
      const numbers = (await snapshotsOf(`shared-${index}`)).map((row) => row.snapshotNo);
      expect(numbers).toEqual(numbers.map((_, at) => at + 1));
    }
  });

  test('a recompute looks its subjects up by index, although its plans were made while there were few', async () => {
    const few = await openTestDatabase(engine);
    try {
      await addPlatform(few.db);
      const ledger = ledgerOn(few.db);
      const drain = drainOn(few.db);
      const compute = async () => {
        while (await drain(() => false)) {}
      };
      for (let round = 0; round < 10; round += 1) {
        await append(ledger, [outcome({ externalId: `early-${round}` })]);
        await compute();
      }
      const scanned = await rowsScanned(few.db);
      const many = Array.from({ length: 1000 }, (_, index) => outcome({ externalId: `late-${index}` }));
      await append(ledger, many);
      await compute();
      expect(await rowsScanned(few.db)).toBe(scanned);
      const [scored] = await few.db.query('select count(*)::integer as count from subject where is_scored');
      expect(scored).toEqual({ count: 1010 });
    } finally {
      await few.close();
    }
  });

  test('a subject above the velocity limit is frozen with an audit entry, and its events are still recorded', async () => {
    const ledger = ledgerOn(db);
    start({ velocityMaxPerHour: 5 });
    await append(ledger, [outcome({ externalId: 'hasty' })]);
    await eventually(async () => (await scoreOf('hasty'))?.totalEvents === 1);
    await append(ledger, Array(5).fill(outcome({ externalId: 'hasty' })));
    await eventually(async () => (await scoreOf('hasty'))?.frozenAt != null);
    await append(ledger, [outcome({ externalId: 'hasty', eventType: 'CONTRACT_BREACHED' })]);
    await settled();
    expect(await scoreOf('hasty')).toMatchObject({ totalEvents: 1 });
    const flags = await db.query("select 1 from activity where action = 'VELOCITY_FLAG_SET'");
    expect(flags).toHaveLength(1);
    const counted = await db.query(
      "select 1 from event join subject using (subject_id) where subject.external_id = 'hasty'",
    );
    expect(counted).toHaveLength(7);
  });

  test('a subject whose first burst exceeds the limit gets a frozen score', async () => {
    start({ velocityMaxPerHour: 5 });
    await append(ledgerOn(db), Array(6).fill(outcome({ externalId: 'burst' })));
    await eventually(async () => (await scoreOf('burst'))?.frozenAt != null);
    expect(await scoreOf('burst')).toMatchObject({ totalEvents: 6 });
  });

  test('imported and test events do not count towards the limit', async () => {
    start({ velocityMaxPerHour: 5 });
    await append(ledgerOn(db), Array(9).fill(outcome({ externalId: 'history', imported: true })));
    await eventually(async () => (await scoreOf('history'))?.totalEvents === 9);
    expect((await scoreOf('history'))?.frozenAt).toBeNull();
  });

  test('an import scores a subject that it makes in its own transaction, as a recompute would; later events queue it', async () => {
    const ledger = ledgerOn(db);
    const kinds = [
      'CONTRACT_FULFILLED',
      'CONTRACT_BREACHED',
      'CONTRACT_CANCELLED',
      'TRANSACTION_DISPUTED',
    ] as const;
    const events = kinds.flatMap((eventType) =>
      [100, 10].map((days) => {
        const completedAt = new Date(Date.now() - days * DAY_MS);
        return outcome({ externalId: 'brought', eventType, completedAt, imported: true });
      }),
    );
    const bring = () => db.transaction((tx) => ledger.appendIn(tx, reporter, events, { by: 'reporter' }));
    await bring();
    const [made] = await scoreRowsOf('brought');
    expect(made).toMatchObject({ totalEvents: 8, position: 8, snapshotNo: 1 });
    const recordId = subjectIdOf(reporter.platformId, true, 'brought');
    expect(await queuedOf(recordId)).toBe(0);
    await db.execute('insert into recompute_queue (record_id, enqueued_at) values ($1, now())', [recordId]);
    await recomputeRecords(
      { db, clock: { now: () => made?.computedAt as Date }, ids: createIdSource(), velocityMaxPerHour: 500 },
      [recordId],
    );
    expect(await scoreRowsOf('brought')).toEqual([made]);
    expect(await snapshotsOf('brought')).toHaveLength(1);
    await bring();
    expect(await queuedOf(recordId)).toBe(1);
    start();
    await eventually(async () => (await scoreOf('brought'))?.totalEvents === 16);
  });

  test('scores change by age once a day, with that reason', async () => {
    const now = { at: new Date() };
    const clock: Clock = { now: () => now.at };
    await append(ledgerOn(db, clock), [outcome({ externalId: 'ageing' })]);
    start({ clock });
    await eventually(async () => (await scoreOf('ageing')) !== undefined);
    const fresh = await scoreOf('ageing');
    now.at = new Date(now.at.getTime() + 30 * DAY_MS);
    await eventually(async () => (await scoreOf('ageing'))?.asOf === (fresh?.asOf ?? 0) + 30);
    await settled();
    const snapshots = await snapshotsOf('ageing');
    expect(snapshots.map((row) => row.reason)).toEqual([null, 'decay']);
    expect(Number(snapshots[1]?.finalScore)).toBeLessThan(Number(snapshots[0]?.finalScore));
  });

  test('the reason of a score follows from what it counts, not from what queued it', async () => {
    const now = { at: new Date() };
    const clock: Clock = { now: () => now.at };
    const recordId = subjectIdOf(reporter.platformId, true, 'between');
    const computeFor = async (reason: string | null) => {
      await db.execute('delete from recompute_queue where record_id = $1', [recordId]);
      const queue = 'insert into recompute_queue (record_id, reason, enqueued_at) values ($1, $2, now())';
      await db.execute(queue, [recordId, reason]);
      await recomputeRecords({ db, clock, ids: createIdSource(), velocityMaxPerHour: 500 }, [recordId]);
      now.at = new Date(now.at.getTime() + DAY_MS);
    };
    await append(ledgerOn(db, clock), [outcome({ externalId: 'between' })]);
    await computeFor(null);
    await append(ledgerOn(db, clock), [outcome({ externalId: 'between' })]);
    await computeFor('decay');
    await computeFor(null);
    expect((await snapshotsOf('between')).map((row) => row.reason)).toEqual([null, null, 'decay']);
  });

  test('a record that cannot be computed does not delay others and is retried later', async () => {
    const now = { at: new Date() };
    const logged: [string, string | undefined][] = [];
    const log = {
      error: ({ recordId }: { recordId?: string }) => logged.push(['error', recordId]),
      info: ({ recordId }: { recordId?: string }) => logged.push(['info', recordId]),
    };
    const queue = drainOn(db, { clock: { now: () => now.at }, log });
    const drainAfter = async (ms: number) => {
      now.at = new Date(now.at.getTime() + ms);
      return queue(() => false);
    };
    const ledger = ledgerOn(db);
    await append(ledger, [outcome({ externalId: 'sound-1' }), outcome({ externalId: 'broken' })]);
    await append(ledger, [outcome({ externalId: 'broken' }), outcome({ externalId: 'sound-2' })]);
    const [broken] = await db.query<{ recordId: string; code: number }>(
      `select record_id, code from tally join subject using (subject_id) where external_id = 'broken'`,
    );
    if (!broken) throw new Error('there is no tally to damage');
    const setCode = (code: number) =>
      db.execute('update tally set code = $2 where subject_id = $1', [broken.recordId, code]);
    await setCode(8191);

    expect(await drainAfter(0)).toBe(true);
    expect(await scoreOf('sound-1')).toMatchObject({ totalEvents: 1 });
    expect(await scoreOf('sound-2')).toMatchObject({ totalEvents: 1 });
    expect(await scoreOf('broken')).toBeUndefined();
    expect(await queuedOf(broken.recordId)).toBe(1);
    for (const seconds of [10, 20, 40]) {
      expect(await drainAfter(seconds * 1000 - 1)).toBe(false);
      expect(await drainAfter(2)).toBe(true);
    }
    expect(await failures()).toMatchObject([{ recordId: broken.recordId, failedAttempts: 4 }]);
    expect(logged).toEqual([['error', broken.recordId]]);

    await setCode(broken.code);
    await append(ledger, [outcome({ externalId: 'broken' })]);
    expect(await drainAfter(80_000)).toBe(true);
    expect(await scoreOf('broken')).toMatchObject({ totalEvents: 3 });
    expect(await failures()).toEqual([]);
    expect(logged).toEqual([
      ['error', broken.recordId],
      ['info', broken.recordId],
    ]);
  });

  test('a new day queues each aged score once and skips records already queued', async () => {
    const now = { at: new Date() };
    const clock: Clock = { now: () => now.at };
    await append(ledgerOn(db), [outcome({ externalId: 'next-day' }), outcome({ externalId: 'stuck' })]);
    const worker = start({ clock });
    await eventually(async () => (await scoreOf('stuck')) !== undefined);
    const [stuck] = await db.query<{ recordId: string }>(
      `update tally set code = 8191 from subject
       where tally.subject_id = subject.subject_id and external_id = 'stuck' returning record_id`,
    );
    const recordId = stuck?.recordId ?? '';
    now.at = new Date(now.at.getTime() + DAY_MS);
    const today = Math.floor(now.at.getTime() / DAY_MS);
    await eventually(async () => (await scoreOf('next-day'))?.asOf === today);
    await eventually(async () => (await failures()).length === 1);
    await worker.stop();
    expect(await queuedOf(recordId)).toBe(1);
    expect(await queueAgedScores(db, today, null, 1, now.at)).toEqual({
      queued: 0,
      next: { asOf: expect.any(Number), subjectId: expect.any(String) },
    });
    expect(await queueAgedScores(db, today, null, 1000, now.at)).toEqual({ queued: 0, next: null });
    await db.execute('delete from recompute_queue where record_id = $1', [recordId]);
    await db.execute('delete from recompute_failure');
  });

  async function queuedOf(recordId: string): Promise<number> {
    return (await db.query('select 1 from recompute_queue where record_id = $1', [recordId])).length;
  }

  function failures(): Promise<{ recordId: string; failedAttempts: number }[]> {
    return db.query('select record_id, failed_attempts from recompute_failure');
  }

  function start(options: Parameters<typeof workerOn>[1] = {}): BackgroundLoop {
    const worker = workerOn(db, options);
    workers.push(worker);
    worker.start();
    return worker;
  }

  async function scoreOf(externalId: string) {
    const [row] = await db.query<{ totalEvents: number; frozenAt: Date | null; asOf: number }>(
      'select c.total_events, c.frozen_at, c.as_of from score c join subject using (subject_id) where subject.external_id = $1',
      [externalId],
    );
    return row;
  }

  function scoreRowsOf(externalId: string) {
    return db.query<{ computedAt: Date }>(
      'select score.*, is_scored from score join subject using (subject_id) where subject.external_id = $1',
      [externalId],
    );
  }

  function snapshotsOf(externalId: string) {
    return db.query<{ snapshotNo: number; reason: string | null; finalScore: number }>(
      `select n.snapshot_no, n.reason, n.final_score from score_snapshot n join subject using (subject_id)
       where subject.external_id = $1 order by n.snapshot_no`,
      [externalId],
    );
  }

  async function settled(): Promise<void> {
    await eventually(async () => (await db.query('select 1 from recompute_queue limit 1')).length === 0);
  }
});

/** Rows of `subject` that the connection in use has read without an index. */
async function rowsScanned(db: Database): Promise<number | undefined> {
  await db.query('select pg_stat_force_next_flush()');
  const [row] = await db.query<{ count: number }>(
    "select seq_tup_read::integer as count from pg_stat_user_tables where relid = 'subject'::regclass",
  );
  return row?.count;
}
