import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Engine } from '#harness/engines.js';
import { engines, openTestDatabase, type TestDatabase } from '#harness/engines.js';
import { startTestService, type TestService } from '#harness/service.js';
import type { Database } from '#kit/db/database.js';
import { once } from './eventFixtures.js';
import { csvOf, finished, goodRows, issuesOf, sendImport } from './importFixtures.js';

/**
 * Several processes on one database: one answers requests, the others are workers that start and
 * stop.
 */
describe.each(engines)('queued imports on %s', (engine) => {
  let database: TestDatabase;
  let api: TestService;

  beforeAll(async () => {
    database = await openTestDatabase(engine);
    api = await startTestService(engine, { db: database.db, env: { ROLE: 'api', LOG_LEVEL: 'silent' } });
  });
  beforeEach(() => lastBeat(database.db, 0));
  afterAll(async () => {
    await api.close();
    await database.close();
  });

  test('without a worker large files are refused and small ones recorded', async () => {
    const { db } = database;
    await db.execute('delete from worker_heartbeat');
    const send = () => sendImport(api, csvOf(goodRows(101, { prefix: 'nobody' })), once('queue-is-down'));
    const refused = await send();
    expect([refused.status, refused.body.code]).toEqual([503, 'IMPORT_QUEUE_UNAVAILABLE']);
    expect(refused.body.retryable).toBe(true);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await rowsOf(api.db, 'import_job')).toBe(0);
    expect((await sendImport(api, csvOf(goodRows(100, { prefix: 'few' })))).body.status).toBe('COMPLETED');

    await lastBeat(db, 61_000);
    expect((await send()).status).toBe(503);
    // A minute is the limit; the rest is for a busy machine.
    await lastBeat(db, 40_000);
    const taken = await send();
    expect([taken.status, taken.body.status]).toEqual([202, 'QUEUED']);
    await withWorkers(engine, database, 1, () => finished(api, taken.body.id));
  });

  test('counts grow while an import runs, and several workers record each row of several files once', async () => {
    const ROWS = 10_000;
    const seen = new Set<number>();
    await withWorkers(engine, database, 2, async () => {
      // Watch each from the start: it may end while the others are watched.
      const sendAndWatch = async (prefix: string) => {
        const rows = [...goodRows(ROWS - 1, { prefix, subjects: 40 }), { worker: '' }];
        const { id } = (await sendImport(api, csvOf(rows))).body;
        let job = (await api.request('GET', `/imports/${id}`)).body;
        for (; job.completedAt === null; job = (await api.request('GET', `/imports/${id}`)).body) {
          seen.add(job.createdCount);
          if (job.createdCount > 0)
            expect(job).toMatchObject({ status: 'RUNNING', startedAt: expect.any(String) });
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
        expect(job).toMatchObject({ status: 'COMPLETED', createdCount: ROWS - 1, failedCount: 1 });
        expect((await issuesOf(api, id)).errors).toMatchObject([{ row: ROWS }]);
      };
      await Promise.all(['a', 'b', 'c'].map(sendAndWatch));
      await api.settle();
    });
    expect(seen.size).toBeGreaterThan(2);
    for (const prefix of ['a', 'b', 'c']) {
      const lines = await linesOf(api.db, prefix);
      expect(lines).toHaveLength(ROWS - 1);
      expect(new Set(lines).size).toBe(ROWS - 1);
      const { body } = await api.request('GET', `/users/${prefix}-0/score`);
      expect(body.totalEvents).toBe(lines.filter((line) => (line - 1) % 40 === 0).length);
    }
  });

  test('two files about the same subjects in opposite order run at once without a deadlock', async () => {
    const rows = goodRows(3000, { prefix: 'both', subjects: 1500 });
    await withWorkers(engine, database, 2, async () => {
      const files = [rows, [...rows].reverse()];
      const sent = await Promise.all(files.map(async (file) => (await sendImport(api, csvOf(file))).body.id));
      for (const id of sent)
        expect(await finished(api, id)).toMatchObject({ status: 'COMPLETED', createdCount: 3000 });
    });
    expect(await linesOf(api.db, 'both')).toHaveLength(6000);
  });

  test('the rows of a subject keep the order of the file', async () => {
    const { id } = (await sendImport(api, csvOf(goodRows(1500, { prefix: 'order', subjects: 3 })))).body;
    await withWorkers(engine, database, 1, () => finished(api, id));
    const lines = await linesOf(api.db, 'order', '1');
    expect(lines).toHaveLength(500);
    expect(lines).toEqual([...lines].sort((a, b) => a - b));
  });

  test('an abandoned import is FAILED, sends one notification, keeps its recorded rows and deletes the others', async () => {
    const { db } = api;
    const { id } = (await sendImport(api, csvOf(goodRows(2500, { prefix: 'broken' })))).body;
    await db.execute(`update import_chunk set rows = 'no JSON' where import_id = $1 and chunk_no = 2`, [id]);
    await db.execute('update job set failures = 4 where job_id = $1', [id]); // its last attempt
    const job = await withWorkers(engine, database, 1, () => finished(api, id), { LOG_LEVEL: 'silent' });
    const done = engine === 'pglite' ? 100 : 2000; // the first chunk
    const counts = { createdCount: done, failedCount: 0 };
    expect(job).toMatchObject({ status: 'FAILED', ...counts, error: expect.any(String) });
    expect(await linesOf(db, 'broken')).toHaveLength(done);
    expect([await rowsOf(db, 'import_chunk'), await rowsOf(db, 'job')]).toEqual([0, 0]);
    const emitted = await db.query<{ body: string }>(`select body from envelope where body like $1`, [
      `%"importJobId":"${id}"%`,
    ]);
    expect(emitted.map(({ body }) => JSON.parse(body).data)).toMatchObject([
      { status: 'FAILED', createdCount: done, error: job.error },
    ]);
  });
});

async function withWorkers<T>(
  engine: Engine,
  { db }: TestDatabase,
  count: number,
  work: () => Promise<T>,
  env: Record<string, string> = {},
): Promise<T> {
  const workers: TestService[] = [];
  try {
    for (let index = 0; index < count; index += 1) {
      workers.push(await startTestService(engine, { db, env: { ROLE: 'worker', ...env } }));
    }
    return await work();
  } finally {
    for (const worker of workers) await worker.close();
  }
}

async function lastBeat(db: Database, agoMs: number): Promise<void> {
  await db.execute('delete from worker_heartbeat');
  await db.execute('insert into worker_heartbeat (worker_id, beat_at) values (gen_random_uuid(), $1)', [
    new Date(Date.now() - agoMs),
  ]);
}

async function rowsOf(db: Database, table: 'import_job' | 'import_chunk' | 'job'): Promise<number> {
  const [row] = await db.query<{ count: number }>(`select count(*)::integer as count from ${table}`);
  return row?.count ?? -1;
}

/** The recorded lines of the file, of subjects with this prefix, those of a subject in its order. */
async function linesOf(db: Database, prefix: string, subject = '%'): Promise<number[]> {
  const rows = await db.query<{ line: number }>(
    `select (t.metadata->>'line')::integer as line
       from event e join event_text t using (subject_id, event_id) join subject s using (subject_id)
     where s.external_id like $1 order by subject_id, e.position`,
    [`${prefix}-${subject}`],
  );
  return rows.map(({ line }) => line);
}
