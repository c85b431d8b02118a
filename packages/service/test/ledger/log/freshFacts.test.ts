import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ExactInteger } from '../../../src/domain/exactInteger.js';
import type { OutcomeEvent } from '../../../src/domain/outcomeEvent.js';
import type { Database, Tx } from '../../../src/kit/db/database.js';
import type { Ledger } from '../../../src/ledger/append/append.js';
import type { RecordedEvent } from '../../../src/ledger/append/stampedEvent.js';
import { auditLog } from '../../../src/ledger/log/audit/auditLog.js';
import { createKnownLog, type KnownLog, logBatch, takeFacts } from '../../../src/ledger/log/batch.js';
import { createFreshFacts, type FreshFacts } from '../../../src/ledger/log/freshFacts.js';
import { createLogKeeper, type FactRows } from '../../../src/ledger/log/logKeeper.js';
import { dropQueued, QUEUE_START, readQueue } from '../../../src/ledger/log/queue.js';
import { subjectIdOf } from '../../../src/ledger/subjectId.js';
import { engines, openTestDatabase, type TestDatabase } from '../../harness/engines.js';
import { eventually } from '../../harness/eventually.js';
import { addPlatform, append, drainOn, ledgerOn, outcome, reporter } from '../deps.js';
import { logAll } from './logDeps.js';

describe.each(engines)('facts that are handed over in memory on %s', (engine) => {
  let database: TestDatabase;
  let db: Database;
  let fresh: FreshFacts;
  let known: KnownLog;
  let ledger: Ledger;
  const recorded: RecordedEvent[] = [];
  let count = 0;

  beforeAll(async () => {
    database = await openTestDatabase(engine);
    db = database.db;
    await addPlatform(db);
    fresh = createFreshFacts();
    known = createKnownLog(fresh);
    ledger = ledgerOn(db, undefined, {
      ...fresh,
      addEvents(events) {
        recorded.push(...events);
        fresh.addEvents(events);
      },
    });
    await logAll(db);
  });
  afterAll(() => database.close());

  test('become the leaves that the database would give, and are not read', async () => {
    const subject = newSubject();
    await append(
      ledger,
      texts.map((text) => outcome({ ...text, externalId: subject.name })),
    );
    await recompute();
    await append(ledger, [outcome({ externalId: subject.name })]);
    await recompute();
    const statements: string[] = [];
    expect(await takeAll(watched(statements))).toBe(texts.length + 3);
    expect(statements.filter((text) => /from (event|subject|score_snapshot) /.test(text))).toEqual([]);
    expect(fresh.of(subject.id)).toBeUndefined();
    expect(await differences()).toEqual([]);
  });

  test('are completed from the database where another process wrote between them', async () => {
    const { id, name } = newSubject();
    const elsewhere = ledgerOn(db);
    for (const by of [ledger, elsewhere, ledger, elsewhere])
      await append(by, [outcome({ externalId: name })]);
    await drainOn(db).drain(() => false);
    expect(await takeAll(db)).toBe(5);
    expect(fresh.of(id)).toBeUndefined();
    expect(await differences()).toEqual([]);
  });

  test('of another process become the leaves that the database would give, and are not read', async () => {
    const { name } = newSubject();
    let handedOver = 0;
    const { ledger: elsewhere, fresh: theirs } = otherProcess((rows) => {
      handedOver += rows.events.length + rows.snapshots.length;
      takeFacts(known, rows);
    });
    await append(
      elsewhere,
      texts.map((text) => outcome({ ...text, externalId: name })),
    );
    await drainOn(db, { onSnapshots: theirs.addSnapshots }).drain(() => false);
    await eventually(() => handedOver === texts.length + 1);
    await append(ledger, [outcome({ externalId: name })]);
    await recompute();
    const statements: string[] = [];
    expect(await takeAll(watched(statements))).toBe(texts.length + 3);
    expect(statements.filter((text) => /from (event|subject|score_snapshot) /.test(text))).toEqual([]);
    expect(await differences()).toEqual([]);
  });

  test('of another process that come after they were logged are not kept', async () => {
    const { id, name } = newSubject();
    const late: FactRows[] = [];
    const { ledger: elsewhere, fresh: theirs } = otherProcess((rows) => late.push(rows));
    await append(elsewhere, [outcome({ externalId: name })]);
    await drainOn(db, { onSnapshots: theirs.addSnapshots }).drain(() => false);
    expect(await takeAll(db)).toBe(2);
    await eventually(() => late.flatMap(({ events, snapshots }) => [...events, ...snapshots]).length === 2);
    for (const rows of late) takeFacts(known, rows);
    expect(fresh.of(id)).toBeUndefined();
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
    await db.execute(
      'insert into log_queue (subject_id, kinds, queued_at) select unnest($1::uuid[]), 2, now()',
      [rows.rows.flatMap(({ subjectIds }) => subjectIds)],
    );
    await recompute();
    await takeAll(db);
    expect(await differences()).toEqual([]);
  });

  test('of one subject share batches within their limit', async () => {
    const { name } = newSubject();
    await append(
      ledger,
      Array.from({ length: 50 }, () => outcome({ externalId: name })),
    );
    await recompute();
    const batch = await logBatch(db, { subjects: 10, facts: 10 }, known, () => undefined);
    expect(batch).toMatchObject({ leaves: 20, hasMore: true });
    expect(await takeAll(db)).toBe(31);
    expect(await differences()).toEqual([]);
  });

  test('are there for the next batch after one that failed', async () => {
    const { id, name } = newSubject();
    await append(ledger, [outcome({ externalId: name })]);
    await expect(logBatch(failing(), LIMITS, known, () => undefined)).rejects.toThrow('lost');
    expect(fresh.of(id)?.events).toHaveLength(1);
    expect(await takeAll(db)).toBe(1);
    expect(await differences()).toEqual([]);
  });

  test('that arrive while a batch is made wait for the next one', async () => {
    const { name } = newSubject();
    await append(ledger, [outcome({ externalId: name })]);
    const [{ stamped, position }] = recorded.slice(-1) as [RecordedEvent];
    const late = () => {
      fresh.addEvents([{ stamped, position: position + 1 }]);
      return undefined;
    };
    expect(await logBatch(db, LIMITS, known, late)).toMatchObject({ leaves: 1, hasMore: false });
    fresh.clear();
    expect(await differences()).toEqual([]);
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

  /** One that leaves the log to this process. */
  function otherProcess(take: (rows: FactRows) => void) {
    const handlers = new Map<string, (message: never) => void>();
    const link = {
      state: () => ({ number: 2, first: 1 }),
      sendToFirst: (topic: string, message: unknown) => handlers.get(topic)?.(message as never),
      onReceived: (topic: string, take: (message: never) => void) => void handlers.set(topic, take),
    };
    const keeper = createLogKeeper(link, 0);
    keeper.serve({ take, wake() {} });
    const own = createFreshFacts(keeper);
    return { fresh: own, ledger: ledgerOn(db, undefined, own) };
  }

  async function recompute(): Promise<void> {
    await drainOn(db, { onSnapshots: fresh.addSnapshots }).drain(() => false);
  }

  /** The number of new leaves. */
  async function takeAll(on: Database): Promise<number> {
    for (let leaves = 0; ; ) {
      const batch = await logBatch(on, LIMITS, known, () => undefined);
      leaves += batch?.leaves ?? 0;
      if (!batch?.hasMore) return leaves;
    }
  }

  async function differences(): Promise<string[]> {
    const found: string[] = [];
    await auditLog(db, { now: new Date(), onDifference: (what) => found.push(what) });
    return found;
  }

  /** The same database, which notes the statements of transactions. */
  function watched(statements: string[]): Database {
    const noting = (tx: Tx): Tx => ({
      ...tx,
      group: tx.group,
      query: (text, values) => {
        statements.push(text);
        return tx.query(text, values);
      },
      execute: (text, values) => tx.execute(text, values),
    });
    return { ...db, group: db.group, transaction: (work) => db.transaction((tx) => work(noting(tx))) };
  }

  /** The same database, which loses each transaction at its end. */
  function failing(): Database {
    const transaction = <T>(work: (tx: Tx) => Promise<T>) =>
      db.transaction(async (tx): Promise<T> => {
        await work(tx);
        throw new Error('lost');
      });
    return { ...db, group: db.group, transaction };
  }
});

const LIMITS = { subjects: 100, facts: 100 };

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
