import { beforeAll, describe, expect, test } from 'vitest';
import { ExactInteger } from '#domain/exactInteger.js';
import type { OutcomeEvent } from '#domain/outcomeEvent.js';
import { logDifferencesIn } from '#harness/differencesIn.js';
import { engines } from '#harness/engines.js';
import { ownDatabase } from '#harness/ownDatabase.js';
import type { Database, Tx } from '#kit/db/database.js';
import type { Ledger } from '#ledger/append/append.js';
import { createKnownLog, type KnownLog, logBatch } from '#ledger/log/batch.js';
import { dropQueued, QUEUE_START, readQueue } from '#ledger/log/queue.js';
import { subjectIdOf } from '#ledger/subjectId.js';
import { addPlatform, append, drainOn, ledgerOn, outcome, reporter } from '../deps.js';
import { logAll } from './logDeps.js';

describe.each(engines)('facts that the log reads on %s', (engine) => {
  const own = ownDatabase(engine);
  let db: Database;
  let known: KnownLog;
  let ledger: Ledger;
  let count = 0;

  beforeAll(async () => {
    db = own.db;
    await addPlatform(db);
    known = createKnownLog();
    ledger = ledgerOn(db);
    await logAll(db);
  });

  test('become the leaves that the audit finds, with every kind of text', async () => {
    const { name } = newSubject();
    await append(
      ledger,
      texts.map((text) => outcome({ ...text, externalId: name })),
    );
    await recompute();
    await append(ledger, [outcome({ externalId: name })]);
    await recompute();
    expect(await takeAll(db)).toBe(texts.length + 3);
    expect(await logDifferencesIn(db)).toEqual([]);
  });

  test('a snapshot names the event that it rests on, wherever the log has come to', async () => {
    const { name } = newSubject();
    const add = () => append(ledger, [outcome({ externalId: name })]);
    await add();
    await takeAll(db);
    await recompute();
    await add();
    expect(await takeAll(db)).toBe(2); // rests on the last logged event, with a newer one in the batch
    await recompute();
    await add();
    await add();
    await recompute();
    await add();
    expect(await takeAll(db)).toBe(5); // on events before the batch and within it
    await recompute();
    await add();
    const rows = await db.transaction((tx) => readQueue(tx, QUEUE_START, 10));
    await db.execute('delete from log_queue where kinds = 2');
    expect(await takeAll(db)).toBeGreaterThan(0);
    await db.execute('insert into log_queue (subject_ids, kinds, queued_at) select $1::uuid[], 2, now()', [
      rows.rows.flatMap(({ subjectIds }) => subjectIds),
    ]);
    await recompute();
    await takeAll(db);
    expect(await logDifferencesIn(db)).toEqual([]);
  });

  test('of one subject share batches within their limit', async () => {
    const { name } = newSubject();
    await append(
      ledger,
      Array.from({ length: 50 }, () => outcome({ externalId: name })),
    );
    await recompute();
    const batch = await logBatch(db, 10, known);
    expect(batch).toMatchObject({ leaves: 10, hasMore: true });
    expect(await takeAll(db)).toBe(41);
    expect(await logDifferencesIn(db)).toEqual([]);
  });

  test('are there for the next batch after one that failed', async () => {
    const { name } = newSubject();
    await append(ledger, [outcome({ externalId: name })]);
    await expect(logBatch(failing(), LIMIT, known)).rejects.toThrow('lost');
    expect(await takeAll(db)).toBe(1);
    expect(await logDifferencesIn(db)).toEqual([]);
  });

  test('a subject that is taken out of the queue leaves those in it that share its row', async () => {
    const [gone, stays] = [newSubject(), newSubject()];
    await append(ledger, [outcome({ externalId: gone.name }), outcome({ externalId: stays.name })]);
    await dropQueued(db, [gone.id]);
    const { rows } = await db.transaction((tx) => readQueue(tx, QUEUE_START, 10));
    expect(rows.map(({ subjectIds }) => subjectIds)).toEqual([[stays.id]]);
    expect(await takeAll(db)).toBe(1);
  });

  function newSubject(): { id: string; name: string } {
    count += 1;
    const name = `fresh-${count}`;
    return { name, id: subjectIdOf(reporter.platformId, true, name) };
  }

  async function recompute(): Promise<void> {
    await drainOn(db)(() => false);
  }

  /** The number of new leaves. */
  async function takeAll(on: Database): Promise<number> {
    for (let leaves = 0; ; ) {
      const batch = await logBatch(on, LIMIT, known);
      leaves += batch?.leaves ?? 0;
      if (!batch?.hasMore) return leaves;
    }
  }

  /** The same database, which loses each transaction at its end. */
  function failing(): Database {
    const transaction = <T>(work: (tx: Tx) => Promise<T>) =>
      db.transaction(async (tx): Promise<T> => {
        await work(tx);
        throw new Error('lost');
      });
    return { ...db, transaction };
  }
});

const LIMIT = 100;

const texts: Partial<OutcomeEvent>[] = [
  {},
  { metadata: { z: 1, a: { y: [1.5, -0, 'ü', null], b: true } } },
  {
    metadata: {
      order: new ExactInteger('12345678901234567890'),
      list: [new ExactInteger('-99999999999999999999')],
    },
  },
  {
    transactionValue: 1234.5,
    completedAt: new Date('2026-01-02T03:04:05.678Z'),
    dueDate: new Date('2026-01-03'),
  },
  {
    attester: 'Zoë & "Co" \\ Ltd',
    transactionValue: 1e21,
    eventType: 'CONTRACT_BREACHED',
    stakeLevel: 'HIGH',
  },
];
