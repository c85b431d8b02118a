import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { hasPostgres, openTestDatabase } from '#harness/engines.js';
import { quietLog } from '#harness/quietLog.js';
import { scratchFolder } from '#harness/scratchFolder.js';
import { ledgerOf, TEST_KEYS } from '#harness/service.js';
import type { Database } from '#kit/db/database.js';
import { openDatabase } from '../../../src/shape/openDatabase.js';
import { type ServerProcess, serverProcess } from '../../crash/serverProcess.js';
import { csvOf, goodRows, MAPPING } from './importFixtures.js';

const ROWS = 10_000;
const COMPLETE = { status: 'COMPLETED', createdCount: ROWS, failedCount: 0 };
const ENV = {
  BOOTSTRAP_LIVE_KEY: TEST_KEYS.live,
  BOOTSTRAP_TEST_KEY: TEST_KEYS.test,
  ADMIN_SECRET: TEST_KEYS.admin,
  LOG_LEVEL: 'error',
};

const running = new Set<ServerProcess>();
afterEach(async () => {
  for (const server of running) if (server.isRunning) await server.kill9();
  running.clear();
});

test('embedded: an import interrupted by kill -9 continues at the next start and records each row once', async () => {
  const dataDir = scratchFolder('reliability-import-');
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const withDatabase = async (work: (db: Database) => Promise<void>) => {
    const db = await openDatabase({ dataDir: join(dataDir, 'database'), log: quietLog });
    await work(db).finally(() => db.close());
  };
  const server = await started({ ...ENV, DATA_DIR: dataDir });
  const id = await cutOff(server);
  await withDatabase(letLeaseEnd);
  server.start();
  await server.untilReady();
  expect(await ended(server, id)).toMatchObject(COMPLETE);
  await server.stop();
  await withDatabase(expectEachRowOnce);
});

test.runIf(hasPostgres)(
  'on a server: another process takes over from the one that was killed, each row once',
  async () => {
    const database = await openTestDatabase('postgresql');
    try {
      const env = { ...ENV, DATABASE_URL: database.url ?? '', DATA_KEY: TEST_KEYS.data };
      const server = await started(env);
      const other = await started({ ...env, ROLE: 'api' });
      const id = await cutOff(server);
      expect((await call(other, 'GET', `/imports/${id}`)).status).toBe('RUNNING');
      const ledger = await ledgerOf(database);
      await letLeaseEnd(ledger);
      const successor = await started(env);
      expect(await ended(other, id)).toMatchObject(COMPLETE);
      await expectEachRowOnce(ledger);
      for (const process of [successor, other]) await process.stop();
    } finally {
      await database.close();
    }
  },
);

async function started(env: Record<string, string>): Promise<ServerProcess> {
  const server = await serverProcess(env);
  running.add(server);
  server.start();
  await server.untilReady();
  return server;
}

/** Sends a file, and kills the process after a part of it is recorded. */
async function cutOff(server: ServerProcess): Promise<string> {
  const { id } = await call(server, 'POST', '/imports', { csv: csvOf(goodRows(ROWS)), mapping: MAPPING });
  for (let done = 0; done === 0; ) {
    const job = await call(server, 'GET', `/imports/${id}`);
    done = job.createdCount;
    if (done === ROWS) throw new Error('the import was over before anybody could kill the process');
  }
  await server.kill9();
  return id;
}

async function ended(server: ServerProcess, id: string): Promise<ImportJob> {
  for (;;) {
    const job = await call(server, 'GET', `/imports/${id}`);
    if (job.completedAt !== null) return job;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

interface ImportJob {
  id: string;
  status: string;
  createdCount: number;
  completedAt: string | null;
}

async function call(server: ServerProcess, method: string, path: string, body?: object): Promise<ImportJob> {
  const answer = await fetch(`${server.url}/api/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${TEST_KEYS.live}`, 'Content-Type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as ImportJob;
}

/** Ends the claim of the dead process without waiting 30 s. */
async function letLeaseEnd(db: Database): Promise<void> {
  const count = await db.execute(`update job set due_at = now() where kind = 'import'`);
  if (count !== 1) throw new Error('the job of the import is not there');
}

async function expectEachRowOnce(db: Database): Promise<void> {
  const [row] = await db.query<{ events: number; lines: number; chunks: number }>(
    `select (select count(*)::integer from event) as events, (select count(*)::integer from import_chunk) as chunks,
       (select count(distinct metadata->>'line')::integer from event_text) as lines`,
  );
  expect(row).toEqual({ events: ROWS, lines: ROWS, chunks: 0 });
}
