import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { engines, hasPostgres, openTestDatabase } from '#harness/engines.js';
import { eventually } from '#harness/eventually.js';
import { over } from '#harness/over.js';
import { ownDatabase } from '#harness/ownDatabase.js';
import { type Database, DatabaseUnavailableError } from '#kit/db/database.js';
import { adapterOf, claimAndDie, dispatcherOn, enqueue, pending, target } from './dispatcherDeps.js';

const SECOND_MS = 1000;

describe.each(engines)('the dispatcher on %s', (engine) => {
  let db: Database;
  const own = ownDatabase(engine);
  beforeAll(() => {
    db = own.db;
  });
  afterEach(() => db.execute('delete from outbox_queue'));

  const isLeft = (count: number) => async () => (await pending(db)).length === count;

  /** Lets a dispatcher work until the condition holds. Default: until nothing is queued. */
  async function dispatch(
    adapter: Parameters<typeof dispatcherOn>[1][number],
    isOver: () => boolean | Promise<boolean> = isLeft(0),
    options: Parameters<typeof dispatcherOn>[2] = {},
  ): Promise<void> {
    const dispatcher = dispatcherOn(db, [adapter], options);
    dispatcher.start();
    await eventually(isOver);
    await dispatcher.stop();
  }

  test('every due item is sent once, the oldest of each target first', async () => {
    const ids = await enqueue(db, target(1), 5);
    const others = await enqueue(db, target(2), 3);
    const adapter = adapterOf({ maxSendsPerTarget: 1 });
    await dispatch(adapter);
    const sentTo = (id: string) =>
      adapter.sent.filter(({ targetId }) => targetId === id).map(({ items }) => items[0]?.envelopeId);
    expect(sentTo(target(1))).toEqual(ids);
    expect(sentTo(target(2))).toEqual(others);
    expect(adapter.sent[0]?.items[0]).toMatchObject({
      attempt: 1,
      type: 'score.updated',
      body: expect.stringContaining('"id"'),
      envelopeCreatedAt: expect.any(Date),
    });
  });

  test('a wake-up starts a send without waiting for the poll', async () => {
    const adapter = adapterOf();
    const dispatcher = dispatcherOn(db, [adapter]);
    dispatcher.start();
    await eventually(async () => {
      await enqueue(db, target(1), 1);
      const startedAt = performance.now();
      dispatcher.wake();
      while (adapter.sent.length === 0 && performance.now() - startedAt < 300)
        await new Promise((resolve) => setTimeout(resolve, 1));
      const tookMs = performance.now() - startedAt;
      adapter.sent.length = 0;
      return tookMs < 200;
    });
    await dispatcher.stop();
  });

  test('an item claimed by a dead process is sent when its lease ends, not earlier', async () => {
    await enqueue(db, target(1), 2);
    const leaseEndsAt = new Date(Date.now() + 700);
    await claimAndDie(db, leaseEndsAt);
    const sentAt: number[] = [];
    const adapter = adapterOf({
      send() {
        sentAt.push(Date.now());
        return true;
      },
    });
    await dispatch(adapter);
    expect(sentAt).toHaveLength(2);
    for (const at of sentAt) expect(at).toBeGreaterThanOrEqual(leaseEndsAt.getTime());
  });

  test('a dispatcher that lost its claim changes nothing', async () => {
    await enqueue(db, target(1), 1);
    let isTaken = false;
    const adapter = adapterOf({
      async send() {
        await claimAndDie(db, new Date(Date.now() + 60 * SECOND_MS)); // another process has claimed it now
        isTaken = true;
        return true;
      },
    });
    await dispatch(adapter, () => isTaken);
    expect(await pending(db)).toMatchObject([{ attempt: 1, claim: expect.any(String) }]);
  });

  test('items without a target or without an envelope are dropped', async () => {
    await enqueue(db, target(1), 3);
    await enqueue(db, target(2), 2, { hasEnvelope: false });
    const remaining = await enqueue(db, target(3), 1);
    const adapter = adapterOf({ isThere: (id) => id !== target(1) });
    await dispatch(adapter);
    expect(adapter.sent.map(({ items: [item] }) => item?.envelopeId)).toEqual(remaining);
  });

  test('an item without an adapter in this process stays in the queue', async () => {
    await enqueue(db, target(1), 1, { kind: 'channel' });
    await enqueue(db, target(2), 1);
    await dispatch(adapterOf(), isLeft(1));
    expect(await pending(db)).toMatchObject([{ targetId: target(1), claim: null }]);
  });

  test('an adapter for batches gets many items in one send, with the minimum interval between sends', async () => {
    await enqueue(db, target(1), 70, { kind: 'channel' });
    const startedAt: number[] = [];
    const adapter = adapterOf({
      kind: 'channel',
      itemsPerSend: 50,
      maxSendsPerTarget: 1,
      minIntervalMs: 300,
      send() {
        startedAt.push(performance.now());
        return true;
      },
    });
    await dispatch(adapter);
    expect(adapter.sent.map(({ items }) => items.length)).toEqual([50, 20]);
    expect((startedAt[1] ?? 0) - (startedAt[0] ?? 0)).toBeGreaterThanOrEqual(299);
  });

  test('a stop waits for sends in progress and releases the unfinished ones without counting an attempt', async () => {
    await enqueue(db, target(1), 1);
    await enqueue(db, target(2), 1);
    let endFirst = (_: boolean): void => {};
    const adapter = adapterOf({
      send: ({ targetId }, signal) =>
        new Promise((resolve) => {
          if (targetId === target(1)) endFirst = resolve;
          else signal.addEventListener('abort', () => resolve(false));
        }),
      retryAt: () => new Date(Date.now() + 3600 * SECOND_MS),
    });
    // It does not look again by itself before the stop.
    const dispatcher = dispatcherOn(db, [adapter], { pollMs: 3600 * SECOND_MS });
    dispatcher.start();
    await eventually(async () => adapter.sent.length === 2);
    await enqueue(db, target(3), 1);
    const stopped = dispatcher.stop();
    endFirst(true);
    // The second send ends because the stop cuts it off.
    await stopped;
    expect(await pending(db)).toMatchObject([
      { targetId: target(2), attempt: 1, claim: null },
      { targetId: target(3), attempt: 1, claim: null },
    ]);
    expect((await pending(db))[0]?.dueAt.getTime()).toBeLessThanOrEqual(Date.now());
    expect(adapter.sent).toHaveLength(2);
  });

  test('a target that cannot be loaded does not block other targets', async () => {
    await enqueue(db, target(1), 1);
    await enqueue(db, target(2), 1);
    const good = adapterOf();
    const adapter = {
      ...good,
      async load(_db: unknown, targetIds: readonly string[]) {
        if (targetIds.includes(target(1))) throw new Error('its secret does not open');
        return new Map(targetIds.map((id) => [id, id]));
      },
    };
    await dispatch(adapter, isLeft(1));
    expect(good.sent.map(({ targetId }) => targetId)).toEqual([target(2)]);
    expect(await pending(db)).toMatchObject([{ targetId: target(1), attempt: 1 }]);
  });

  test('a result that cannot be recorded does not repeat the send after each lease', async () => {
    await enqueue(db, target(1), 1);
    await enqueue(db, target(2), 1);
    const adapter = adapterOf({ send: ({ targetId }) => targetId === target(1) });
    const settle = () => Promise.reject(new Error('an internal error'));
    const isReleased = async () => {
      const rows = await pending(db);
      return rows.length === 1 && rows[0]?.claim === null;
    };
    await dispatch({ ...adapter, settle }, isReleased);
    const [row] = await pending(db);
    expect(row).toMatchObject({ targetId: target(2), attempt: 2 });
    expect(row?.dueAt.getTime()).toBeGreaterThan(Date.now() + 3000 * SECOND_MS);
  });

  test('a send during a database outage is recorded afterwards and not repeated', async () => {
    await enqueue(db, target(1), 3);
    let refusals = 0;
    const adapter = adapterOf({
      onSettle() {
        refusals += 1;
        if (refusals < 3) throw new DatabaseUnavailableError('away');
      },
    });
    await dispatch(adapter);
    expect(refusals).toBeGreaterThanOrEqual(3);
    expect(adapter.sent).toHaveLength(3);
  });

  test('an item whose result is not recorded within the lease is sent again', async () => {
    await enqueue(db, target(1), 1);
    const adapter = adapterOf({
      onSettle() {
        if (adapter.sent.length < 2) throw new DatabaseUnavailableError('away');
      },
    });
    await dispatch(adapter, isLeft(0), { leaseMs: 400 });
    expect(adapter.sent.map(({ items: [item] }) => item?.attempt)).toContain(1);
  });

  test('an idle dispatcher queries the database at most three times a second', async () => {
    await enqueue(db, target(1), 1, { dueAt: new Date(Date.now() + 3600 * SECOND_MS) });
    const counted = countingCalls(db);
    const dispatcher = dispatcherOn(counted.db, [adapterOf()]);
    const startedMs = performance.now();
    dispatcher.start();
    await new Promise((resolve) => setTimeout(resolve, 2 * SECOND_MS));
    await dispatcher.stop();
    const seconds = (performance.now() - startedMs) / SECOND_MS;
    expect(counted.calls).toContain('transaction');
    expect(counted.calls.length).toBeLessThanOrEqual(3 * seconds);
  });

  test('a stop that comes while wake-ups are collected does not wait for the poll', async () => {
    for (let times = 0; times < 5; times += 1) {
      const dispatcher = dispatcherOn(db, [adapterOf()], { pollMs: 3600 * SECOND_MS });
      dispatcher.start();
      for (let wakes = 0; wakes < 20; wakes += 1) {
        dispatcher.wake();
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
      await dispatcher.stop();
    }
  });

  test('wake-ups in quick succession share claims, at most one in 20 ms', async () => {
    const counted = countingCalls(db);
    const dispatcher = dispatcherOn(counted.db, [adapterOf()]);
    const startedMs = performance.now();
    dispatcher.start();
    while (performance.now() - startedMs < 500) {
      dispatcher.wake();
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await dispatcher.stop();
    expect(counted.calls.length).toBeLessThanOrEqual(1 + (performance.now() - startedMs) / 20);
  });
});

describe.skipIf(!hasPostgres)('two dispatchers', () => {
  test('on one database send every item once', async () => {
    const database = await openTestDatabase('postgresql');
    const { db } = database;
    const adapters = [adapterOf(), adapterOf()];
    const dispatchers = adapters.map((adapter) => dispatcherOn(db, [adapter]));
    for (const dispatcher of dispatchers) dispatcher.start();
    for (let round = 0; round < 10; round += 1) {
      await Promise.all([1, 2, 3, 4].map((number) => enqueue(db, target(number), 25)));
      for (const dispatcher of dispatchers) dispatcher.wake();
    }
    await eventually(async () => (await pending(db)).length === 0);
    for (const dispatcher of dispatchers) await dispatcher.stop();
    const sent = adapters.flatMap((adapter) => adapter.sent.map(({ items: [item] }) => item?.envelopeId));
    expect(sent).toHaveLength(1000);
    expect(new Set(sent).size).toBe(1000);
    await database.close();
  });
});

/** A handle of the same database, and its calls. */
function countingCalls(db: Database): { db: Database; calls: string[] } {
  const calls: string[] = [];
  const noting = (name: string) => [
    name,
    (...given: unknown[]) => {
      calls.push(name);
      return Reflect.apply(Reflect.get(db, name), db, given);
    },
  ];
  const members = ['query', 'execute', 'transaction', 'view'].map(noting);
  return { db: over(db, Object.fromEntries(members)), calls };
}
