import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasPostgres, openTestDatabase, type TestDatabase } from '#harness/engines.js';
import { quietLog } from '#harness/quietLog.js';
import { startTestService, type TestService } from '#harness/service.js';
import { createWakes } from '#kit/db/wakes.js';
import { packageFile } from '#kit/packageFile.js';
import { csvOf, finished, goodRows, issuesOf, sendImport } from './importFixtures.js';

/** From the bundle; without the flags of the process that runs the tests. */
const importProgram = { file: packageFile('dist/importThread.js'), execArgv: [] };
/** More than is read among the requests, and several chunks. */
const ROWS = 9000;

describe.runIf(hasPostgres)('imports in the import thread', () => {
  let database: TestDatabase;
  let service: TestService;
  const start = (options: Parameters<typeof startTestService>[1] = {}) => {
    const env = { DATABASE_URL: database.url ?? '', ...options.env };
    return startTestService('postgresql', { ...options, db: database.db, env });
  };
  beforeAll(async () => {
    database = await openTestDatabase('postgresql');
    service = await start({ importProgram });
  });
  afterAll(async () => {
    await service.close();
    await database.close();
  });

  const count = async (what: string) => {
    const [row] = await service.db.query<{ count: number }>(`select count(*)::integer as count ${what}`);
    return row?.count;
  };

  test('a large file is recorded, its invalid rows are listed, and its scores are updated', async () => {
    const rows = [...goodRows(ROWS, { prefix: 'thread' }), { worker: '' }, { worker: 'ü', done: 'never' }];
    const sent = await sendImport(service, csvOf(rows));
    expect([sent.status, sent.body.status, sent.body.totalRows]).toEqual([202, 'QUEUED', ROWS + 2]);
    const job = await finished(service, sent.body.id);
    expect(job).toMatchObject({ status: 'COMPLETED', createdCount: ROWS, failedCount: 2 });
    const { errors } = await issuesOf(service, sent.body.id);
    expect(new Set(errors.map(({ row }: { row: number }) => row))).toEqual(new Set([ROWS + 1, ROWS + 2]));
    await service.settle();
    const { body } = await service.request('GET', '/users/thread-7/score');
    expect(body.totalEvents).toBe(ROWS / 50);
    expect(await count(`from envelope where type = 'import.completed'`)).toBe(1);
  });

  test('a JSON body of more than 1 MiB is parsed there, with the same checks as a small one', async () => {
    const padding = 'ü'.repeat(300);
    const rows = goodRows(3000, { prefix: 'json' }).map((row) => ({ ...row, client: padding }));
    const sent = await sendImport(service, csvOf(rows), { headers: { 'Idempotency-Key': 'large-json' } });
    expect([sent.status, sent.body.totalRows]).toEqual([202, 3000]);
    expect(await finished(service, sent.body.id)).toMatchObject({ status: 'COMPLETED', createdCount: 3000 });
    const large = 'x'.repeat(1_100_000);
    const send = async (body: string) => {
      const { status, body: refusal } = await service.request('POST', '/imports', { body });
      return [status, refusal.code, refusal.details?.[0]?.path ?? refusal.details];
    };
    expect(await send(`{"csv":"${large}","note":"\\u0000"}`)).toEqual([400, 'VALIDATION_ERROR', 'note']);
    expect(await send(`{"csv":"${large}"`)).toEqual([400, 'BAD_REQUEST', undefined]);
    expect(await send(`{"csv":"${large}","note":[${'[],'.repeat(60_000)}[]]}`)).toEqual([
      413,
      'PAYLOAD_TOO_LARGE',
      { limit: 50_000, of: 'values' },
    ]);
  });

  test('a large file that is not a CSV is refused with the same message as a small one', async () => {
    const spoil = (rows: number) => `${csvOf(goodRows(rows))}"never closed,x\r\n`;
    const [small, large] = [await sendImport(service, spoil(2)), await sendImport(service, spoil(ROWS))];
    expect([small.status, large.status]).toEqual([400, 400]);
    expect(large.body.code).toBe(small.body.code);
    expect(large.body.error).toBe(small.body.error.replace('line 4', `line ${ROWS + 2}`));
    const tooMany = await sendImport(service, csvOf(goodRows(50_001)));
    expect([tooMany.body.code, tooMany.body.details]).toEqual(['IMPORT_TOO_MANY_ROWS', { limit: 50_000 }]);
  });

  test('a stopping process releases the import after its chunk, and another one records the rest, each row once', async () => {
    const first = await start({ importProgram });
    const { id } = (await sendImport(first, csvOf(goodRows(40_000, { prefix: 'stopped' })))).body;
    const created = async () => (await service.request('GET', `/imports/${id}`)).body.createdCount as number;
    await expect.poll(created, { interval: 5 }).toBeGreaterThan(0);
    await first.close();
    expect(await finished(service, id)).toMatchObject({ status: 'COMPLETED', createdCount: 40_000 });
    const stopped = `from event e join subject s using (subject_id) where s.external_id like 'stopped-%'`;
    expect(await count(stopped)).toBe(40_000);
    await service.settle();
  });

  const computed = async () => {
    const { text } = await service.request('GET', '!/metrics', { key: null });
    return Number(/^recompute_records_total (\d+)$/m.exec(text)?.[1]);
  };

  test('a process without a worker signals its traffic to the others while it lasts', async () => {
    const api = await start({ env: { ROLE: 'api' } });
    let signs = 0;
    const wakes = createWakes(database.db, quietLog);
    wakes.on('traffic', () => {
      signs += 1;
    });
    const stop = await wakes.listen();
    await expect
      .poll(async () => {
        await Promise.all(Array.from({ length: 40 }, () => api.request('GET', '/users/thread-7/score')));
        return signs;
      })
      .toBeGreaterThan(0);
    // More than two periods without a sign.
    const isSilent = async () => {
      const said = signs;
      await pause(1200);
      return signs === said;
    };
    await expect.poll(isSilent).toBe(true);
    await stop();
    await api.close();
  });

  test('under traffic it rests between steps, recomputes scores in turns, and has the same result', async () => {
    const rowsOf = (count: number) => csvOf(goodRows(count, { prefix: 'modest', subjects: 900 }));
    await finished(service, (await sendImport(service, rowsOf(900))).body.id);
    const before = await computed();
    const csv = rowsOf(ROWS);
    const { id } = (await sendImport(service, csv)).body;
    let isOver = false;
    const reads = (async () => {
      while (!isOver) await service.request('GET', '/users/thread-7/score');
    })();
    const job = await finished(service, id);
    isOver = true;
    await reads;
    expect(job).toMatchObject({ status: 'COMPLETED', createdCount: ROWS });
    await service.settle();
    expect((await service.request('GET', '/users/modest-3/score')).body.totalEvents).toBe(ROWS / 900 + 1);
    expect((await computed()) - before).toBeGreaterThanOrEqual(900);
  });
});

test('if the thread cannot start, a large file gets a 500 and small ones are recorded', async () => {
  const nowhere = { file: new URL('file:///nowhere/importThread.js') };
  const env = { LOG_LEVEL: 'silent' };
  const service = await startTestService('pglite', { importProgram: nowhere, env });
  const large = await sendImport(service, csvOf(goodRows(ROWS)));
  expect([large.status, large.body.code]).toEqual([500, 'INTERNAL_ERROR']);
  expect((await sendImport(service, csvOf(goodRows(20)))).body).toMatchObject({ status: 'COMPLETED' });
  await service.close();
});

test('on the embedded database the thread reads the file and the main thread records the rows', async () => {
  const service = await startTestService('pglite', { importProgram });
  const { body } = await sendImport(service, csvOf(goodRows(3000)));
  expect(await finished(service, body.id)).toMatchObject({ status: 'COMPLETED', createdCount: 3000 });
  await service.settle();
  await service.close();
});
