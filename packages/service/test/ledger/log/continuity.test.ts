import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { verifierKey } from '@reliability/proof';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { breadth, openTestDatabase, type TestDatabase } from '#harness/engines.js';
import { eventually } from '#harness/eventually.js';
import { scratchFolder } from '#harness/scratchFolder.js';
import { startTestService, type TestService } from '#harness/service.js';
import { systemClock } from '#kit/clock.js';
import type { Database } from '#kit/db/database.js';
import { runScript } from '#kit/db/transaction.js';
import { auditLog } from '#ledger/log/audit/auditLog.js';
import { findLossByDatabase, type SigningOptions, signCheckpoint } from '#ledger/log/checkpoints.js';
import { headFileIn } from '#ledger/log/heads.js';
import { noteKey } from '#ledger/log/logKey.js';
import { rotateSigningKey } from '#ledger/signingKeys.js';
import { outcome, report } from '../../features/intake/eventFixtures.js';
import { appendAll, queueAll, settledLog, testLogSigner, testVault } from './logDeps.js';

describe.each(breadth)('a log on %s that lost what was signed', (engine) => {
  const folder = scratchFolder('reliability-continuity-');
  const logged: { level: number; reason?: string; msg: string }[] = [];
  let database: TestDatabase;
  let db: Database;
  let service: TestService | null = null;

  /** Leaves of a signed log, which was signed once before, smaller. */
  let signed = 0;
  beforeEach(async () => {
    database = await openTestDatabase(engine);
    db = database.db;
    service = await start();
    await add(service, 3);
    await remember(db);
    await add(service, 3);
    signed = await treeSize(db);
  });
  afterEach(async () => {
    await service?.close();
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('stops if a process remembers a tree that the database no longer holds', async () => {
    rmSync(join(folder, 'log-head'));
    await rewind(db);
    await stopped('does not contain the log of \\d+ that was signed \\(known by this process\\)');
    // The next process knows it by the database.
    await service?.close();
    service = await start();
    await stopped('does not contain the log of \\d+ that was signed \\(known by the database\\)');
    expect(await findLossByDatabase(db)).toMatchObject({ size: signed });
  });

  test('stops if the head file knows such a tree, also after it has grown to that size, and leaves the file as it is', async () => {
    const head = headFileIn(folder, 0);
    const kept = await head.read();
    await service?.close();
    await rewind(db);
    await queueAll(db);
    await appendAll(db);
    expect(await treeSize(db)).toBeGreaterThanOrEqual(signed);
    const signer = await testLogSigner(db);
    const sign = (options: SigningOptions) => signCheckpoint(db, signer, new Date(), false, options);
    await expect(sign({ head })).rejects.toThrow(/log of \d+ that was signed \(known by the file log-head\)/);
    expect(await head.read()).toBe(kept);
    await expect(sign({ remembered: kept })).rejects.toThrow(/known by this process/);
    await expect(sign({ remembered: 'no note' })).rejects.toThrow(/checkpoint that cannot be read/);
    expect((await sign({})).checkpoint).not.toBeNull();
  });

  test('stops if its checkpoints and the head file were deleted together', async () => {
    await service?.close();
    rmSync(join(folder, 'log-head'));
    await asOwner(db, 'delete from log_checkpoint');
    expect(await audited(db)).toContainEqual(
      expect.stringMatching(`the checkpoint of ${signed} leaves was signed, and it is missing`),
    );
    service = await start();
    await stopped(`the checkpoint of ${signed} leaves was signed, and it is missing`);
    await service.close();
    const [state] = await db.query<{ signedHead: string }>('select signed_head from log_state');
    await rewind(db);
    await asOwner(db, 'delete from log_checkpoint');
    await db.execute('update log_state set signed_head = $1', [state?.signedHead]);
    service = await start();
    await stopped(`does not contain the log of ${signed} that was signed`);
  });

  test('stops if its key was deleted, makes no other, and goes on with one that the log names', async () => {
    await service?.close();
    await db.execute(`delete from signing_key where purpose = 'log'`);
    expect(await audited(db)).toContainEqual(
      expect.stringMatching(
        /the key .+\/log\+[0-9a-f]{8} that signs the log is not in the table signing_key/,
      ),
    );
    service = await start();
    await stopped('the log has begun, and the table signing_key has no key that signs it');
    expect(await service.request('GET', '!/.well-known/ledger-log.json', { key: null })).toMatchObject({
      status: 503,
      body: { error: 'The key of the transparency log is missing. The operator has to restore it.' },
    });
    expect(await db.query(`select 1 from signing_key where purpose = 'log'`)).toEqual([]);
    await service.close();

    // As `rotate-signing-key --purpose log` without its note: a row that somebody made.
    await rotateSigningKey(db, testVault, systemClock, 'log');
    service = await start();
    await stopped('the key .+ that signs the log is not in the table signing_key');
    await service.close();

    const { key, privateKey } = await testLogSigner(db);
    const [origin = ''] = (await lastNote(db)).split('\n');
    await noteKey(db, { key: verifierKey(origin, key.publicKey), privateKey }, new Date());
    service = await start();
    await add(service, 1);
    expect(await audited(db)).toEqual([]);
  });

  test('stops if its newest checkpoint is signed by a key that it does not name', async () => {
    await service?.close();
    const signer = await testLogSigner(db);
    const other = { ...signer, key: { ...signer.key, name: 'other.example/log' } };
    await asOwner(db, `update log_note set fact = '{"kind":"other"}' where fact ->> 'kind' = 'logKey'`);
    await expect(signCheckpoint(db, other, new Date(), true)).rejects.toThrow(
      /is not signed by a key of the log/,
    );
  });

  /** With a log of its own, whose lines are kept. */
  function start(): Promise<TestService> {
    logged.length = 0;
    const log = pino({ level: 'error' }, { write: (line: string) => logged.push(JSON.parse(line)) });
    return startTestService(engine, { db, log, env: { LOG_STATE_DIR: folder }, inFirstGroup: true });
  }

  async function stopped(reason: string): Promise<void> {
    const running = service as TestService;
    const head = await headFileIn(folder, 0).read();
    const before = await lastNote(db);
    await report(running, outcome({ userId: 'still-recorded' }));
    const line = () => logged.find((each) => each.msg.includes('no checkpoint will be signed'));
    await eventually(() => line() !== undefined);
    expect(line()).toMatchObject({ level: 50, reason: expect.stringMatching(reason) });
    // The reason is stored after it is logged.
    await eventually(
      async () => (await running.request('GET', '!/health/ready', { key: null })).status === 503,
    );
    const ready = await running.request('GET', '!/health/ready', { key: null });
    expect(ready.status).toBe(503);
    expect(ready.body).toMatchObject({ status: 'degraded', checks: { log: { status: 'halted' } } });
    const status = await running.request('GET', '!/status.json', { key: null });
    expect(status.body).toMatchObject({ status: 'degraded', checks: { log: { status: 'halted' } } });
    expect((await report(running, outcome({ userId: 'still-recorded' }))).status).toBe(201);
    expect(await lastNote(db)).toBe(before);
    expect(await headFileIn(folder, 0).read()).toBe(head);
  }
});

/** Reports events and waits until the log has signed them. */
async function add(service: TestService, events: number): Promise<void> {
  for (let i = 0; i < events; i += 1)
    expect((await report(service, outcome({ userId: `worker-${i}` }))).status).toBe(201);
  await service.settle();
  await settledLog(service.db);
}

const LOG_TABLES = ['log_fact', 'log_block', 'log_checkpoint', 'log_note', 'log_state'];

async function remember(db: Database): Promise<void> {
  for (const table of LOG_TABLES) {
    await db.execute(`drop table if exists kept_${table}`);
    await db.execute(`create table kept_${table} as select * from ${table}`);
  }
}

/** The log as it was remembered, and none of its facts queued again yet. */
async function rewind(db: Database): Promise<void> {
  const again = (table: string) => [
    `delete from ${table}`,
    `insert into ${table} select * from kept_${table}`,
  ];
  await asOwner(db, ...LOG_TABLES.flatMap(again));
}

/** As the owner of the database, who can switch triggers off. */
async function asOwner(db: Database, ...statements: string[]): Promise<void> {
  await db.transaction((tx) =>
    runScript(tx, ['set local session_replication_role = replica', ...statements].join(';')),
  );
}

async function treeSize(db: Database): Promise<number> {
  const [row] = await db.query<{ size: number }>('select tree_size as size from log_state');
  return row?.size ?? 0;
}

async function lastNote(db: Database): Promise<string> {
  const [row] = await db.query<{ note: string }>(
    'select note from log_checkpoint order by tree_size desc limit 1',
  );
  return row?.note ?? '';
}

/** Of the log that the test changes: those of other groups name their keys themselves. */
async function audited(db: Database): Promise<string[]> {
  const found: string[] = [];
  await auditLog(db, { now: new Date(), onDifference: (what) => found.push(what) });
  return found;
}
