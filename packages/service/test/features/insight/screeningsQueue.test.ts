import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breadth, hasPostgres, openTestDatabase, type TestDatabase } from '#harness/engines.js';
import { PATIENCE_MS } from '#harness/eventually.js';
import { quietLog } from '#harness/quietLog.js';
import { startTestService, type TestService } from '#harness/service.js';
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
import { emittedOf, ended, nobodies, putHeartbeat, resultsOf, screen } from './screeningFixtures.js';

const MINUTE_MS = 60_000;
const quietLogger = pino({ level: 'silent' });

describe.each(breadth)('screenings that wait on %s', (engine) => {
  let database: TestDatabase;
  let service: TestService; // answers requests, and leaves what is queued to others
  const clock = movableClock();

  beforeAll(async () => {
    database = await openTestDatabase(engine);
    service = await startTestService(engine, {
      db: database.db,
      clock,
      env: { ROLE: 'api' },
      log: quietLogger,
    });
  });

  afterAll(async () => {
    await service.close();
    await database.close();
  });

  test('without a worker a large screening is refused with a retry and nothing is stored', async () => {
    const key = once('queue-unavailable-1');
    const refused = await screen(service, nobodies(101), key);
    expect([refused.status, refused.body.code, refused.body.retryable]).toEqual([
      503,
      'SCREENING_QUEUE_UNAVAILABLE',
      true,
    ]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await service.db.query('select 1 from screening')).toEqual([]);
    expect(await service.db.query('select 1 from job')).toEqual([]);
    expect((await screen(service, nobodies(100))).body.status).toBe('COMPLETED');
    await putHeartbeat(service, clock.now());
    expect((await screen(service, nobodies(101), key)).body.status).toBe('QUEUED');
  });

  test('an incomplete screening has no results', async () => {
    await putHeartbeat(service, clock.now());
    const { id } = (await screen(service, nobodies(101))).body;
    for (const query of ['', '?format=csv']) {
      const answer = await service.request('GET', `/screenings/${id}/results${query}`);
      expect([answer.status, answer.body.code]).toEqual([409, 'SCREENING_NOT_COMPLETED']);
    }
  });

  test('a screening without progress for fifteen minutes is FAILED from the next read on and announced once', async () => {
    await putHeartbeat(service, clock.now());
    const { id } = (await screen(service, nobodies(600))).body;
    // A minute less, and more: a slow machine takes some seconds for a step.
    clock.aheadMs += 14 * MINUTE_MS;
    expect((await service.request('GET', `/screenings/${id}`)).body.status).toBe('QUEUED');
    const [{ platformId } = { platformId: '' }] = await service.db.query<{
      platformId: string;
    }>('select platform_id from screening where screening_id = $1', [id]);
    const progress = { status: 'RUNNING', progressAt: clock.now() };
    await service.ledger.transaction((tx) => screenings.change(tx, { platformId, jobId: id }, progress));
    clock.aheadMs += 14 * MINUTE_MS; // more than fifteen minutes since it came, but it moved meanwhile
    expect((await service.request('GET', `/screenings/${id}`)).body.status).toBe('RUNNING');
    clock.aheadMs += 1.1 * MINUTE_MS;
    const reads = await Promise.all(
      ['', '', '', '/results', ''].map((end) => service.request('GET', `/screenings/${id}${end}`)),
    );
    expect(reads.map(({ status }) => status)).toEqual([200, 200, 200, 409, 200]);
    const failed = reads[0]?.body;
    expect(failed).toMatchObject({
      status: 'FAILED',
      error: expect.stringContaining('15 minutes'),
      foundCount: 0,
    });
    expect(failed.completedAt).not.toBeNull();
    expect((await emittedOf(service, id)).map(({ data }) => data)).toEqual([
      {
        screeningJobId: id,
        status: 'FAILED',
        total: 600,
        foundCount: 0,
        error: failed.error,
        completedAt: failed.completedAt,
      },
    ]);

    const worker = await startTestService(engine, { db: database.db, clock });
    await expect.poll(() => service.db.query('select 1 from job where job_id = $1', [id])).toEqual([]);
    await worker.close();
    expect((await service.request('GET', `/screenings/${id}`)).body).toEqual(failed);
    expect(await emittedOf(service, id)).toHaveLength(1);
    expect((await service.request('GET', `/screenings/${id}/results`)).status).toBe(409);
  });

  test('a queued screening runs when a worker starts', async () => {
    await putHeartbeat(service, clock.now());
    const waiting = await Promise.all([600, 101, 1500].map((count) => screen(service, nobodies(count))));
    const worker = await startTestService(engine, { db: database.db, clock });
    for (const { body } of waiting)
      expect(await ended(service, body.id)).toMatchObject({ status: 'COMPLETED' });
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
    await putHeartbeat(service, clock.now());
    const { id } = (await screen(service, nobodies(101))).body;
    const [row] = await service.db.query<{ platformId: string }>(
      'delete from job where job_id = $1 returning platform_id',
      [id],
    );
    const inTransaction: ClaimedJob['inLease'] = (work) => service.ledger.transaction(work);
    const platformId = row?.platformId ?? '';
    return { jobId: id, platformId, attempt: 1, inLease: inTransaction, finish: inTransaction };
  }

  test('an abandoned screening is FAILED with the reason and announced once', async () => {
    const { jobId, platformId } = await waitingOne();
    for (let time = 0; time < 2; time += 1) {
      await service.ledger.transaction((tx) => handler().abandon(tx, jobId, 'It was not to be.', platformId));
    }
    const { body } = await service.request('GET', `/screenings/${jobId}`);
    expect(body).toMatchObject({ status: 'FAILED', error: 'It was not to be.' });
    expect(await emittedOf(service, jobId)).toMatchObject([
      { data: { status: 'FAILED', error: 'It was not to be.' } },
    ]);
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
      const read = () => service.request('GET', `/screenings/${job.jobId}`);
      const work = handler().run(job, new AbortController().signal);
      await Promise.all([read(), work, read(), read()]);
      const { body } = await read();
      expect(['COMPLETED', 'FAILED']).toContain(body.status);
      expect(await emittedOf(service, job.jobId)).toMatchObject([{ data: { status: body.status } }]);
    }
  });

  test('SCREENING_STALE_MINUTES sets the time without progress', async () => {
    const hasty = await startTestService(engine, {
      db: database.db,
      clock,
      env: { ROLE: 'api', SCREENING_STALE_MINUTES: '0.001' },
    });
    await putHeartbeat(service, clock.now());
    const { id } = (await screen(hasty, nobodies(101))).body;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect((await service.request('GET', `/screenings/${id}`)).body.status).toBe('QUEUED');
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
    await service.request('POST', '/events', {
      body: { userId: 'worker-1', eventType: 'CONTRACT_FULFILLED', isVerified: true },
    });
    await service.settle();
    const userIds = Array.from({ length: 3000 }, (_, index) =>
      index % 3 === 0 ? 'worker-1' : `nobody-${index}`,
    );

    // Somebody holds the third chunk, so that the worker comes to stand still in the middle.
    const holder = await openDatabase({
      databaseUrl: database.url,
      log: quietLog,
      connectWithinMs: PATIENCE_MS,
    });
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
