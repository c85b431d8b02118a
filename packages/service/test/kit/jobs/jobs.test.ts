import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { engines, openTestDatabase, type TestDatabase } from '#harness/engines.js';
import { eventually, PATIENCE_MS } from '#harness/eventually.js';
import { gate } from '#harness/gate.js';
import { quietLog } from '#harness/quietLog.js';
import { DatabaseUnavailableError } from '#kit/db/database.js';
import {
  type ClaimedJob,
  claimNext,
  enqueueJob,
  HopelessJob,
  isQueueServed,
  type JobHandler,
  LeaseLost,
} from '#kit/jobs/jobs.js';
import type { JobWorker } from '#kit/jobs/jobWorker.js';
import { openDatabase } from '../../../src/shape/openDatabase.js';
import {
  chunksOf,
  finish,
  handlerOf,
  jobRow,
  jobWorkerOn,
  KIND,
  makeWorkTable,
  note,
  noteChunk,
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

  function start(handler: JobHandler, options?: Parameters<typeof jobWorkerOn>[2]): JobWorker {
    const worker = jobWorkerOn(db(), handler, options);
    started.push(worker);
    worker.start();
    return worker;
  }

  const queueOne = async () => (await queue(db(), 1))[0] ?? '';

  /** Until the job is done or abandoned. A worker given here is woken for each retry. */
  const untilGone = (jobId: string, worker?: JobWorker) =>
    eventually(async () => {
      worker?.wake();
      return (await jobRow(db(), jobId)) === undefined;
    });
  const untilAllGone = () =>
    eventually(async () => (await db().query('select 1 as one from job')).length === 0);

  const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

  /** Notes the chunks that are not done, up to the last one. Ends between two when it is stopped. */
  const countTo = (last: number, note = noteChunk) =>
    handlerOf(async (job, until) => {
      for (let chunk = (await chunksOf(db(), job.jobId)).length + 1; chunk <= last; chunk += 1) {
        if (until.aborted) return;
        await note(job, chunk);
      }
      await finish(job, until);
    });

  test('each job runs once on one of many workers', async () => {
    const ids = await queue(db(), 30);
    const handler = handlerOf(async (job) => {
      await noteChunk(job, 1);
      await job.finish((tx) => note(tx, job.jobId, 2));
    });
    for (let n = 0; n < 4; n += 1) start(handler);
    await untilAllGone();
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
    const handler = handlerOf(finish);
    const worker = start(handler);
    await eventually(async () => {
      const before = handler.attempts.length;
      await queue(db(), 1);
      const startedAt = performance.now();
      worker.wake();
      const hasRun = () => handler.attempts.length > before;
      while (!hasRun() && performance.now() - startedAt < 500) await pause(1);
      return hasRun() && performance.now() - startedAt < 300;
    });
  });

  test('a job of a dead worker continues from its last chunk when the lease ends, not earlier', async () => {
    const jobId = await queueOne();
    const leaseEndsAt = new Date(Date.now() + 700);
    const claim = { kinds: [KIND], claim: randomUUID(), now: new Date(), leaseEndsAt };
    expect((await claimNext(db(), claim))?.jobId).toBe(jobId);
    await db().transaction((tx) => note(tx, jobId, 1));
    const handler = countTo(3, (job, chunk) => {
      expect(Date.now()).toBeGreaterThanOrEqual(leaseEndsAt.getTime());
      return noteChunk(job, chunk);
    });
    await untilGone(jobId, start(handler));
    expect(handler.attempts).toEqual([2]);
    expect(await chunksOf(db(), jobId)).toEqual([1, 2, 3]);
  });

  test('a lease is renewed during a long pause between two chunks', async () => {
    const jobId = await queueOne();
    const longPause = gate();
    const handler = handlerOf(async (job, until) => {
      await longPause.wait();
      await finish(job, until);
    });
    const dueAt = async () => (await jobRow(db(), jobId))?.dueAt.getTime() ?? 0;
    const leaseMs = 300;
    // It waits for each renewal: a slow machine loses no lease.
    const time = { ms: Date.now() };
    const clock = { now: () => new Date(time.ms) };
    const workers = [1, 2].map(() => start(handler, { clock, leaseMs }));
    await eventually(() => longPause.waiting === 1);
    for (let passedMs = 0; passedMs < 3 * leaseMs; passedMs += 100) {
      time.ms += 100;
      await eventually(async () => (await dueAt()) === time.ms + leaseMs);
      for (const worker of workers) worker.wake();
    }
    longPause.open();
    await untilGone(jobId);
    expect(handler.attempts).toEqual([1]);
  });

  test('a worker that lost its lease fails at its next chunk and writes nothing more', async () => {
    const jobId = await queueOne();
    const holdUp = gate();
    let late: unknown;
    const slow = handlerOf(async (job) => {
      await noteChunk(job, 1);
      await holdUp.wait();
      late = await noteChunk(job, 99).catch((error: unknown) => error);
      await job.finish((tx) => note(tx, job.jobId, 100));
    });
    start(slow);
    await eventually(() => holdUp.waiting === 1);
    const quick = handlerOf((job) => job.finish((tx) => note(tx, job.jobId, 2)));
    start(quick, { clock: { now: () => new Date(Date.now() + 60_000) } });
    await untilGone(jobId);
    holdUp.open();
    await eventually(() => late !== undefined);
    expect(late).toBeInstanceOf(LeaseLost);
    expect(await chunksOf(db(), jobId)).toEqual([1, 2]);
    expect(slow.abandoned).toEqual([]);
  });

  test('a platform with many jobs does not delay one with few', async () => {
    const many = await queue(db(), 12);
    const order: string[] = [];
    // Two run at once. Each waits for the other, so that none is quick and none slow.
    let pair = gate();
    const handler = handlerOf(async (job, until) => {
      order.push(job.jobId);
      const own = pair;
      if (order.length % 2 === 0 || order.length === 15) {
        own.open();
        pair = gate();
      }
      await own.wait();
      await finish(job, until);
    });
    const few = await queue(db(), 3);
    start(handler);
    await eventually(() => order.length === 15);
    expect(Math.max(...few.map((id) => order.indexOf(id)))).toBeLessThan(7);
    expect(order.filter((id) => many.includes(id))).toEqual(many);
  });

  test('at most two jobs run in one process', async () => {
    await queue(db(), 6);
    let [now, most] = [0, 0];
    const both = gate();
    const handler = handlerOf(async (job, until) => {
      now += 1;
      most = Math.max(most, now);
      await both.wait();
      await pause(15);
      now -= 1;
      await finish(job, until);
    });
    start(handler);
    await eventually(() => both.waiting === 2);
    both.open();
    await untilAllGone();
    expect(most).toBe(2);
  });

  const fails = (error: Error) => () => Promise.reject(error);
  const away = new DatabaseUnavailableError(new Error('away'));

  test.each<[string, (job: ClaimedJob, runs: number) => Promise<void>, number[], string | null]>([
    ['an error, five times', fails(new Error('for the log alone')), [1, 2, 3, 4, 5], 'All attempts failed.'],
    ['a permanent error, once', fails(new HopelessJob('The file is gone.')), [1], 'The file is gone.'],
    [
      'a return without finish, which counts as an error',
      async (job) => (job.attempt === 2 ? job.finish(async () => {}) : undefined),
      [1, 2],
      null,
    ],
    [
      'a database that is away, which costs no attempt',
      (job, runs) => (runs < 3 ? Promise.reject(away) : job.finish(async () => {})),
      [1, 1, 1],
      null,
    ],
  ])('a job is tried again or abandoned once with its reason: %s', async (_, run, attempts, reason) => {
    const jobId = await queueOne();
    const handler = handlerOf(
      (job) => run(job, handler.attempts.length),
      (tx, id) => note(tx, id, -1),
    );
    await untilGone(jobId, start(handler));
    expect(handler.attempts).toEqual(attempts);
    expect(handler.abandoned).toEqual(reason === null ? [] : [{ jobId, reason }]);
    expect(handler.emitted).toBe(handler.abandoned.length);
    expect(await chunksOf(db(), jobId)).toEqual(reason === null ? [] : [-1]);
  });

  test('a job that crashed its process twenty times does not run again', async () => {
    const jobId = await queueOne();
    await db().execute('update job set deaths = 20');
    const handler = handlerOf(finish);
    start(handler);
    await untilGone(jobId);
    expect(handler.attempts).toEqual([]);
    expect(handler.abandoned).toHaveLength(1);
  });

  test('a job that cannot be abandoned stays and does not block others', async () => {
    const first = await queueOne();
    const handler = handlerOf(
      (job, until) => (job.jobId === first ? Promise.reject(new HopelessJob('no way')) : finish(job, until)),
      fails(new Error('nor that')),
    );
    start(handler);
    for (const id of await queue(db(), 3)) await untilGone(id);
    expect(await jobRow(db(), first)).toBeDefined();
  });

  const slowly = async (job: ClaimedJob, chunk: number) => {
    await noteChunk(job, chunk);
    await pause(5);
  };

  test('a stop waits for the current chunk and releases the job without counting an attempt', async () => {
    const jobId = await queueOne();
    const first = countTo(1000, slowly);
    const worker = start(first);
    await eventually(async () => (await chunksOf(db(), jobId)).length > 3);
    await worker.stop();
    const doneSoFar = (await chunksOf(db(), jobId)).length;
    expect(await jobRow(db(), jobId)).toMatchObject({ claim: null, failures: 0, deaths: 0 });
    const second = countTo(doneSoFar + 5);
    start(second);
    await untilGone(jobId);
    expect([first.attempts, second.attempts]).toEqual([[1], [1]]);
    expect(await chunksOf(db(), jobId)).toEqual(upTo(doneSoFar + 5));
  });

  test('a handler that ignores a stop cannot begin another chunk', async () => {
    const jobId = await queueOne();
    const worker = start(
      handlerOf(async (job) => {
        for (let chunk = 1; ; chunk += 1) await slowly(job, chunk);
      }),
    );
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
    await eventually(() => hang.waiting === 1);
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
      const jobId = await queueOne();
      const handler = countTo(60, (job, chunk) =>
        job.inLease(async (tx) => {
          await note(tx, job.jobId, chunk);
          await pause(5);
        }),
      );
      start(handler);
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
      expect(await chunksOf(other, jobId)).toEqual(upTo(60));
      expect(new Set(handler.attempts)).toEqual(new Set([1]));
      await other.close();
    },
  );
});
