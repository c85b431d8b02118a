import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { breadth, hasPostgres, openTestDatabase } from '#harness/engines.js';
import { PATIENCE_MS } from '#harness/eventually.js';
import { givenService } from '#harness/givenService.js';
import { quietLog } from '#harness/quietLog.js';
import { startTestService } from '#harness/service.js';
import { readsOfPrimary } from '#kit/db/database.js';
import { createWakes } from '#kit/db/wakes.js';
import { createIdSource } from '#kit/ids.js';
import type { ClaimedJob } from '#kit/jobs/jobs.js';
import { screeningJobs } from '../../../src/features/insight/screenings/screeningJobs.js';
import { screenings } from '../../../src/features/insight/screenings/store.js';
import { openDatabase } from '../../../src/shape/openDatabase.js';
import { endChildren, startChild } from '../../startup/childService.js';
import { once } from '../intake/eventFixtures.js';
import { movableClock } from '../tenancy/keyFixtures.js';
import { fulfilled, reportAll } from './recordFixtures.js';
import { emittedOf, ended, nobodies, putHeartbeat, resultsOf, screen } from './screeningFixtures.js';

const MINUTE_MS = 60_000;
const quietLogger = pino({ level: 'silent' });

describe.each(breadth)('screenings that wait on %s', (engine) => {
  const clock = movableClock();
  // Answers requests, and leaves what is queued to others.
  const service = givenService(engine, { clock, env: { ROLE: 'api' }, log: quietLogger });
  const startWorker = () => startTestService(engine, { db: service.db, clock });
  const read = async (id: string) => (await service.request('GET', `/screenings/${id}`)).body;
  const queued = async (count: number): Promise<string> => {
    await putHeartbeat(service, clock.now());
    return (await screen(service, nobodies(count))).body.id;
  };

  test('without a worker a large screening is refused with a retry and nothing is stored', async () => {
    const key = once('queue-unavailable-1');
    const refused = await screen(service, nobodies(101), key);
    const unavailable = { code: 'SCREENING_QUEUE_UNAVAILABLE', retryable: true };
    expect(refused).toMatchObject({ status: 503, body: unavailable });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await service.db.query('select 1 from screening')).toEqual([]);
    expect(await service.db.query('select 1 from job')).toEqual([]);
    expect((await screen(service, nobodies(100))).body.status).toBe('COMPLETED');
    await putHeartbeat(service, clock.now());
    expect((await screen(service, nobodies(101), key)).body.status).toBe('QUEUED');
  });

  test('a screening without progress for fifteen minutes is FAILED from the next read on and announced once', async () => {
    const id = await queued(600);
    for (const query of ['', '?format=csv']) {
      const { body } = await service.request('GET', `/screenings/${id}/results${query}`);
      expect(body.code).toBe('SCREENING_NOT_COMPLETED');
    }
    // A minute less, and more: a slow machine takes some seconds for a step.
    clock.aheadMs += 14 * MINUTE_MS;
    expect((await read(id)).status).toBe('QUEUED');
    const { platformId } = service;
    const progress = { status: 'RUNNING', progressAt: clock.now() };
    await service.ledger.transaction((tx) => screenings.change(tx, { platformId, jobId: id }, progress));
    clock.aheadMs += 14 * MINUTE_MS; // more than fifteen minutes since it came, but it moved meanwhile
    expect((await read(id)).status).toBe('RUNNING');
    clock.aheadMs += 1.1 * MINUTE_MS;
    const reads = await Promise.all(
      ['', '', '', '/results', ''].map((end) => service.request('GET', `/screenings/${id}${end}`)),
    );
    expect(reads.map(({ status }) => status)).toEqual([200, 200, 200, 409, 200]);
    const failed = reads[0]?.body;
    const error = expect.stringContaining('15 minutes');
    expect(failed).toMatchObject({ status: 'FAILED', error, foundCount: 0, completedAt: expect.any(String) });
    const { completedAt } = failed;
    const emitted = { status: 'FAILED', total: 600, foundCount: 0, error: failed.error, completedAt };
    expect(await emittedOf(service, id)).toMatchObject([{ data: { screeningJobId: id, ...emitted } }]);

    const worker = await startWorker();
    await expect.poll(() => service.db.query('select 1 from job where job_id = $1', [id])).toEqual([]);
    await worker.close();
    expect(await read(id)).toEqual(failed);
    expect(await emittedOf(service, id)).toHaveLength(1);
    expect((await service.request('GET', `/screenings/${id}/results`)).status).toBe(409);
  });

  test('a queued screening runs when a worker starts', async () => {
    const waiting = await Promise.all([600, 101, 1500].map(queued));
    const worker = await startWorker();
    for (const id of waiting) expect(await ended(service, id)).toMatchObject({ status: 'COMPLETED' });
    await worker.close();
  });

  /** The worker's part, without the queue around it. */
  const handler = () =>
    screeningJobs({
      clock,
      ids: createIdSource(),
      reads: readsOfPrimary(service.ledger),
      wakes: createWakes(service.ledger, quietLogger),
    });

  async function waitingOne(): Promise<ClaimedJob> {
    const id = await queued(101);
    await service.db.execute('delete from job where job_id = $1', [id]);
    const inTransaction: ClaimedJob['inLease'] = (work) => service.ledger.transaction(work);
    return {
      jobId: id,
      platformId: service.platformId,
      attempt: 1,
      inLease: inTransaction,
      finish: inTransaction,
    };
  }

  test('an abandoned screening is FAILED with the reason and announced once', async () => {
    const { jobId, platformId } = await waitingOne();
    for (let time = 0; time < 2; time += 1) {
      await service.ledger.transaction((tx) => handler().abandon(tx, jobId, 'It was not to be.', platformId));
    }
    const failed = { status: 'FAILED', error: 'It was not to be.' };
    expect(await read(jobId)).toMatchObject(failed);
    expect(await emittedOf(service, jobId)).toMatchObject([{ data: failed }]);
    const results = await service.request('GET', `/screenings/${jobId}/results`);
    expect([results.status, results.body.code]).toEqual([409, 'SCREENING_NOT_COMPLETED']);
  });

  test('a screening that ends while readers find it stale ends once', async () => {
    for (let round = 0; round < 10; round += 1) {
      const job = await waitingOne();
      await service.db.execute(
        "update screening set progress_at = progress_at - interval '1 hour' where screening_id = $1",
        [job.jobId],
      );
      const work = handler().run(job, new AbortController().signal);
      await Promise.all([read(job.jobId), work, read(job.jobId), read(job.jobId)]);
      const { status } = await read(job.jobId);
      expect(['COMPLETED', 'FAILED']).toContain(status);
      expect(await emittedOf(service, job.jobId)).toMatchObject([{ data: { status } }]);
    }
  });

  test('SCREENING_STALE_MINUTES sets the time without progress', async () => {
    const env = { ROLE: 'api', SCREENING_STALE_MINUTES: '0.001' };
    const hasty = await startTestService(engine, { db: service.db, clock, env });
    const id = await queued(101);
    clock.aheadMs += 100;
    expect((await read(id)).status).toBe('QUEUED');
    expect((await hasty.request('GET', `/screenings/${id}`)).body.status).toBe('FAILED');
    await hasty.close();
  });
});

describe.skipIf(!hasPostgres)('a screening whose worker is killed', () => {
  test('is continued by another process, and nothing is lost or repeated', async () => {
    const database = await openTestDatabase('postgresql');
    const service = await startTestService('postgresql', { db: database.db, env: { ROLE: 'api' } });
    const child = startChild({ DATABASE_URL: database.url ?? '', ROLE: 'worker', LOG_LEVEL: 'info' });
    await child.printed(/"msg":"ready"/);
    await reportAll(service, 'worker-1', [fulfilled]);
    const userIds = nobodies(3000).map((id, index) => (index % 3 === 0 ? 'worker-1' : id));

    // Somebody holds the third chunk, so that the worker comes to stand still in the middle.
    const databaseUrl = database.url;
    const holder = await openDatabase({ databaseUrl, log: quietLog, connectWithinMs: PATIENCE_MS });
    let letGo = (): void => {};
    const isReleased = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    let id = '';
    const holding = holder.transaction(async (tx) => {
      id = (await screen(service, userIds)).body.id;
      await tx.query(
        'select 1 as one from screening_chunk where screening_id = $1 and first_place = 1000 for update',
        [id],
      );
      await isReleased;
    });
    const found = async () => (await service.request('GET', `/screenings/${id}`)).body.foundCount;
    await expect.poll(found).toBeGreaterThanOrEqual(334);
    child.signal('SIGKILL');
    await child.ended();
    letGo();
    await holding;
    await holder.close();
    expect((await service.request('GET', `/screenings/${id}`)).body.status).toBe('RUNNING');

    const clock = { now: () => new Date(Date.now() + MINUTE_MS) }; // for whom the lease is over
    const heir = await startTestService('postgresql', { db: database.db, clock });
    expect(await ended(service, id)).toMatchObject({ status: 'COMPLETED', foundCount: 1000 });
    expect((await resultsOf(service, id)).map(({ userId }) => userId)).toEqual(userIds);
    expect(await emittedOf(service, id)).toHaveLength(1);
    await heir.close();
    await service.close();
    await endChildren();
    await database.close();
  });
});
