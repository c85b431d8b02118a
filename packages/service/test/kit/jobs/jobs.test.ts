import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { engines, openTestDatabase, type TestDatabase } from '#harness/engines.js';
import { eventually, PATIENCE_MS } from '#harness/eventually.js';
import { quietLog } from '#harness/quietLog.js';
import { DatabaseUnavailableError } from '#kit/db/database.js';
import { claimNext, enqueueJob, HopelessJob, isQueueServed, LeaseLost } from '#kit/jobs/jobs.js';
import type { JobWorker } from '#kit/jobs/jobWorker.js';
import { openDatabase } from '../../../src/shape/openDatabase.js';
import {
  aheadBy,
  chunksOf,
  gate,
  handlerOf,
  jobRow,
  jobWorkerOn,
  KIND,
  makeWorkTable,
  note,
  queue,
} from './jobDeps.js';

describe.each(engines)('jobs on %s', (engine) => {
  let database: TestDatabase;
  const started: JobWorker[] = [];
  const db = () => database.db;

  beforeAll(async () => {
    database = await openTestDatabase(engine);
    await makeWorkTable(db());
  });

  beforeEach(async () => {
    await Promise.all(started.splice(0).map((worker) => worker.stop()));
    await db().execute('delete from job');
  });

  afterAll(async () => {
    await Promise.all(started.map((worker) => worker.stop()));
    await database.close();
  });

  function start<W extends JobWorker>(worker: W): W {
    started.push(worker);
    worker.start();
    return worker;
  }

  const isGone = (jobId: string) => async () => (await jobRow(db(), jobId)) === undefined;

  test('each job runs once on one of many workers', async () => {
    const ids = await queue(db(), 30);
    const handler = handlerOf(async (job) => {
      await job.inLease((tx) => note(tx, job.jobId, 1));
      await job.finish((tx) => note(tx, job.jobId, 2));
    });
    for (let n = 0; n < 4; n += 1) start(jobWorkerOn(db(), handler));
    await eventually(async () => (await db().query('select 1 as one from job')).length === 0);
    for (const id of ids) expect(await chunksOf(db(), id)).toEqual([1, 2]);
  });

  test('a job of a rolled back transaction never exists', async () => {
    const jobId = randomUUID();
    const failing = db().transaction(async (tx) => {
      await enqueueJob(tx, { jobId, kind: KIND, platformId: randomUUID() }, new Date());
      throw new Error('changed our mind');
    });
    await expect(failing).rejects.toThrow('changed our mind');
    expect(await jobRow(db(), jobId)).toBeUndefined();
  });

  test('a wake-up starts a job at once, also from another process', async () => {
    let ran = 0;
    const handler = handlerOf(async (job) => {
      ran += 1;
      await job.finish(async () => {});
    });
    const worker = start(jobWorkerOn(db(), handler));
    await eventually(async () => {
      const before = ran;
      await queue(db(), 1);
      const startedAt = performance.now();
      worker.wake();
      while (ran === before && performance.now() - startedAt < 500) await pause(1);
      return ran > before && performance.now() - startedAt < 300;
    });
  });

  test('a job of a dead worker continues from its last chunk when the lease ends, not earlier', async () => {
    const [jobId = ''] = await queue(db(), 1);
    const leaseEndsAt = new Date(Date.now() + 700);
    const claimed = await claimNext(db(), {
      kinds: [KIND],
      claim: randomUUID(),
      now: new Date(),
      leaseEndsAt,
    });
    expect(claimed?.jobId).toBe(jobId);
    await db().transaction((tx) => note(tx, jobId, 1));
    const attempts: number[] = [];
    const handler = handlerOf(async (job) => {
      attempts.push(job.attempt);
      expect(Date.now()).toBeGreaterThanOrEqual(leaseEndsAt.getTime());
      const done = (await chunksOf(db(), job.jobId)).length;
      for (let chunk = done + 1; chunk <= 3; chunk += 1)
        await job.inLease((tx) => note(tx, job.jobId, chunk));
      await job.finish(async () => {});
    });
    const worker = start(jobWorkerOn(db(), handler));
    await eventually(async () => {
      worker.wake();
      return isGone(jobId)();
    });
    expect(attempts).toEqual([2]);
    expect(await chunksOf(db(), jobId)).toEqual([1, 2, 3]);
  });

  test('a lease is renewed during a long pause between two chunks', async () => {
    const [jobId = ''] = await queue(db(), 1);
    let runs = 0;
    const longPause = gate();
    const handler = handlerOf(async (job) => {
      runs += 1;
      await longPause.wait();
      await job.finish((tx) => note(tx, job.jobId, 1));
    });
    const dueAt = async () => (await jobRow(db(), jobId))?.dueAt.getTime() ?? 0;
    const leaseMs = 300;
    // It waits for each renewal: a slow machine loses no lease.
    const time = { ms: Date.now() };
    const clock = { now: () => new Date(time.ms) };
    const workers = [1, 2].map(() => start(jobWorkerOn(db(), handler, { clock, leaseMs })));
    await eventually(() => longPause.waiting === 1);
    for (let passedMs = 0; passedMs < 3 * leaseMs; passedMs += 100) {
      time.ms += 100;
      await eventually(async () => (await dueAt()) === time.ms + leaseMs);
      for (const worker of workers) worker.wake();
    }
    longPause.open();
    await eventually(isGone(jobId));
    expect(runs).toBe(1);
  });

  test('a worker that lost its lease fails at its next chunk and writes nothing more', async () => {
    const [jobId = ''] = await queue(db(), 1);
    const holdUp = gate();
    let late: unknown;
    const slow = handlerOf(async (job) => {
      await job.inLease((tx) => note(tx, job.jobId, 1));
      await holdUp.wait();
      late = await job.inLease((tx) => note(tx, job.jobId, 99)).catch((error: unknown) => error);
      await job.finish((tx) => note(tx, job.jobId, 100));
    });
    start(jobWorkerOn(db(), slow));
    await eventually(async () => holdUp.waiting === 1);
    const quick = handlerOf((job) => job.finish((tx) => note(tx, job.jobId, 2)));
    start(jobWorkerOn(db(), quick, { clock: aheadBy(60_000) }));
    await eventually(isGone(jobId));
    holdUp.open();
    await eventually(async () => late !== undefined);
    expect(late).toBeInstanceOf(LeaseLost);
    expect(await chunksOf(db(), jobId)).toEqual([1, 2]);
    expect(slow.abandoned).toEqual([]);
  });

  test('a platform with many jobs does not delay one with few', async () => {
    const [busy, modest] = [randomUUID(), randomUUID()];
    const many = await queue(db(), 12, { platformId: busy });
    const order: string[] = [];
    // Two run at once. Each waits for the other, so that none is quick and none slow.
    let endPair = (): void => {};
    let pair = new Promise<void>((resolve) => (endPair = resolve));
    const handler = handlerOf(async (job) => {
      order.push(job.jobId);
      const own = pair;
      if (order.length % 2 === 0 || order.length === 15) {
        endPair();
        pair = new Promise<void>((resolve) => (endPair = resolve));
      }
      await own;
      await job.finish(async () => {});
    });
    const few = await queue(db(), 3, { platformId: modest });
    start(jobWorkerOn(db(), handler));
    await eventually(async () => order.length === 15);
    expect(Math.max(...few.map((id) => order.indexOf(id)))).toBeLessThan(7);
    expect(order.filter((id) => many.includes(id))).toEqual(many);
  });

  test('at most two jobs run in one process', async () => {
    await queue(db(), 6);
    let [now, most] = [0, 0];
    const both = gate();
    const handler = handlerOf(async (job) => {
      now += 1;
      most = Math.max(most, now);
      await both.wait();
      await pause(15);
      now -= 1;
      await job.finish(async () => {});
    });
    start(jobWorkerOn(db(), handler));
    await eventually(() => both.waiting === 2);
    both.open();
    await eventually(async () => (await db().query('select 1 as one from job')).length === 0);
    expect(most).toBe(2);
  });

  test('a job that fails five times is abandoned once, with a record', async () => {
    const [jobId = ''] = await queue(db(), 1);
    const attempts: number[] = [];
    const handler = handlerOf(
      async (job) => {
        attempts.push(job.attempt);
        throw new Error('the text of an error is for the log alone');
      },
      (tx, id) => note(tx, id, -1),
    );
    const worker = start(jobWorkerOn(db(), handler));
    await eventually(async () => {
      worker.wake();
      return isGone(jobId)();
    });
    expect(attempts).toEqual([1, 2, 3, 4, 5]);
    expect(handler.abandoned).toEqual([{ jobId, reason: expect.stringContaining('All attempts failed') }]);
    expect(handler.abandoned[0]?.reason).not.toContain('for the log');
    expect(handler.emitted).toBe(1);
    expect(await chunksOf(db(), jobId)).toEqual([-1]);
  });

  test('a handler that returns without finish counts as failed', async () => {
    const [jobId = ''] = await queue(db(), 1);
    const handler = handlerOf(async (job) => {
      if (job.attempt === 2) await job.finish(async () => {});
    });
    const worker = start(jobWorkerOn(db(), handler));
    await eventually(async () => {
      worker.wake();
      return isGone(jobId)();
    });
    expect(handler.abandoned).toEqual([]);
  });

  test('a permanent error abandons a job at once with its reason', async () => {
    const [jobId = ''] = await queue(db(), 1);
    let runs = 0;
    const handler = handlerOf(async () => {
      runs += 1;
      throw new HopelessJob('The file is gone.');
    });
    start(jobWorkerOn(db(), handler));
    await eventually(isGone(jobId));
    expect(runs).toBe(1);
    expect(handler.abandoned).toEqual([{ jobId, reason: 'The file is gone.' }]);
  });

  test('a job that crashed its process twenty times does not run again', async () => {
    const [jobId = ''] = await queue(db(), 1);
    await db().execute('update job set deaths = 20');
    let runs = 0;
    const handler = handlerOf(async () => {
      runs += 1;
    });
    start(jobWorkerOn(db(), handler));
    await eventually(isGone(jobId));
    expect(runs).toBe(0);
    expect(handler.abandoned).toHaveLength(1);
  });

  test('a job that cannot be abandoned stays and does not block others', async () => {
    const [first = ''] = await queue(db(), 1);
    const handler = handlerOf(
      async (job) => {
        if (job.jobId === first) throw new HopelessJob('no way');
        await job.finish(async () => {});
      },
      async () => {
        throw new Error('nor that');
      },
    );
    start(jobWorkerOn(db(), handler));
    const others = await queue(db(), 3);
    for (const id of others) await eventually(isGone(id));
    expect(await jobRow(db(), first)).toBeDefined();
  });

  test('a database outage costs no attempt', async () => {
    const [jobId = ''] = await queue(db(), 1);
    const attempts: number[] = [];
    const handler = handlerOf(async (job) => {
      attempts.push(job.attempt);
      if (attempts.length < 3) throw new DatabaseUnavailableError(new Error('away'));
      await job.finish(async () => {});
    });
    const worker = start(jobWorkerOn(db(), handler));
    await eventually(async () => {
      worker.wake();
      return isGone(jobId)();
    });
    expect(attempts).toEqual([1, 1, 1]);
    expect(handler.abandoned).toEqual([]);
  });

  test('a stop waits for the current chunk and releases the job without counting an attempt', async () => {
    const [jobId = ''] = await queue(db(), 1);
    let stopped = 0;
    const countTo = (last: number, waitMs: number) =>
      handlerOf(async (job, until) => {
        expect(job.attempt).toBe(1);
        const done = (await chunksOf(db(), job.jobId)).length;
        for (let chunk = done + 1; chunk <= last && !until.aborted; chunk += 1) {
          await job.inLease((tx) => note(tx, job.jobId, chunk));
          await pause(waitMs);
        }
        if (until.aborted) stopped += 1;
        else await job.finish(async () => {});
      });
    const first = start(jobWorkerOn(db(), countTo(1000, 5)));
    await eventually(async () => (await chunksOf(db(), jobId)).length > 3);
    await first.stop();
    expect(stopped).toBe(1);
    const doneSoFar = (await chunksOf(db(), jobId)).length;
    expect(await jobRow(db(), jobId)).toMatchObject({ claim: null, failures: 0, deaths: 0 });
    const second = start(jobWorkerOn(db(), countTo(doneSoFar + 5, 0)));
    await eventually(isGone(jobId));
    await second.stop();
    expect(await chunksOf(db(), jobId)).toEqual(Array.from({ length: doneSoFar + 5 }, (_, i) => i + 1));
  });

  test('a handler that ignores a stop cannot begin another chunk', async () => {
    const [jobId = ''] = await queue(db(), 1);
    const handler = handlerOf(async (job) => {
      for (let chunk = 1; ; chunk += 1) {
        await job.inLease((tx) => note(tx, job.jobId, chunk));
        await pause(5);
      }
    });
    const worker = start(jobWorkerOn(db(), handler));
    await eventually(async () => (await chunksOf(db(), jobId)).length > 2);
    await worker.stop();
    expect(await jobRow(db(), jobId)).toMatchObject({ claim: null, failures: 0 });
  });

  // Takes five seconds on any engine.
  test.runIf(engine === engines[0])('a handler that hangs does not keep a stop from ending', async () => {
    await queue(db(), 1);
    const hang = gate();
    const worker = jobWorkerOn(
      db(),
      handlerOf(() => hang.wait()),
    );
    worker.start();
    await eventually(async () => hang.waiting === 1);
    await worker.stop();
    hang.open();
  });

  test('the queue counts as served by a worker of this process, or by one with a heartbeat within a minute', async () => {
    const now = new Date('2026-03-01T12:00:00.000Z');
    await db().execute('delete from worker_heartbeat');
    expect(await isQueueServed(db(), now, true)).toBe(true);
    expect(await isQueueServed(db(), now, false)).toBe(false);
    await db().execute('insert into worker_heartbeat (worker_id, beat_at) values ($1, $2)', [
      randomUUID(),
      new Date(now.getTime() - 60_000),
    ]);
    expect(await isQueueServed(db(), now, false)).toBe(true);
    expect(await isQueueServed(db(), new Date(now.getTime() + 1), false)).toBe(false);
  });

  test.runIf(engine === 'postgresql')(
    'connections that are cut in the middle of chunks lose and double nothing',
    async () => {
      const [jobId = ''] = await queue(db(), 1);
      const attempts = new Set<number>();
      const handler = handlerOf(async (job, until) => {
        attempts.add(job.attempt);
        const done = (await chunksOf(db(), job.jobId)).length;
        for (let chunk = done + 1; chunk <= 60 && !until.aborted; chunk += 1) {
          await job.inLease(async (tx) => {
            await note(tx, job.jobId, chunk);
            await pause(5);
          });
        }
        await job.finish(async () => {});
      });
      start(jobWorkerOn(db(), handler));
      const other = await openDatabase({
        databaseUrl: database.url,
        log: quietLog,
        connectWithinMs: PATIENCE_MS,
      });
      for (const reached of [10, 30]) {
        await expect.poll(async () => (await chunksOf(other, jobId)).length).toBeGreaterThan(reached);
        await other.query(
          `select count(pg_terminate_backend(pid)) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid()`,
        );
      }
      await expect.poll(() => jobRow(other, jobId)).toBeUndefined();
      expect(await chunksOf(other, jobId)).toEqual(Array.from({ length: 60 }, (_, index) => index + 1));
      expect([...attempts]).toEqual([1]);
      await other.close();
    },
  );
});
