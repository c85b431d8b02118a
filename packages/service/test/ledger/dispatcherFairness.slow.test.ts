import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { engines, openTestDatabase } from '#harness/engines.js';
import { eventually } from '#harness/eventually.js';
import type { Database } from '#kit/db/database.js';
import { adapterOf, dispatcherOn, enqueue, pending, target } from './dispatcherDeps.js';

const GOOD = [1, 2, 3, 4, 5, 6, 7, 8].map(target);
const HANGING = target(101);
const FAILING = target(102);
const ROUNDS = 15;
/** The delay that is looked for is in each turn, that of a busy machine is not. */
const MAX_TURNS = 12;

describe.each(engines)('fairness on %s', (engine) => {
  test('one hanging and one failing target hardly delay eight good ones', async () => {
    const { db, close } = await openTestDatabase(engine);
    let alone = Number.POSITIVE_INFINITY;
    let beside = Number.POSITIVE_INFINITY;
    const isFair = () => beside < 1.5 * alone + 100;
    // The best of some turns: other work delays single ones of either.
    for (let turn = 0; turn < MAX_TURNS && !isFair(); turn += 1) {
      alone = Math.min(alone, await p95OfGood(db, []));
      beside = Math.min(beside, await p95OfGood(db, [HANGING, FAILING]));
    }
    expect(isFair(), `${beside} ms beside ${alone} ms alone`).toBe(true);
    await close();
  });

  test('more hanging targets than slots do not stop a good target', async () => {
    const { db, close } = await openTestDatabase(engine);
    const [good = ''] = GOOD;
    const adapter = adapterOf({
      send: ({ targetId }, signal) => (targetId === good ? true : hang(signal)),
    });
    const dispatcher = dispatcherOn(db, [adapter]);
    await enqueue(db, good, 1);
    dispatcher.start();
    await eventually(async () => (await pending(db)).length === 0);
    for (let count = 0; count < 150; count += 1) await enqueue(db, target(200 + count), 6);
    dispatcher.wake();
    await eventually(async () => adapter.sent.length > 200);
    await enqueue(db, good, 20);
    dispatcher.wake();
    await eventually(async () => (await pending(db)).every((row) => row.targetId !== good));
    const stopping = dispatcher.stop();
    // At most 250 hang.
    expect(adapter.sent.filter(({ targetId }) => targetId !== good)).toHaveLength(256);
    await stopping;
    await close();
  });
});

/** The p95 in milliseconds from due to delivered. */
async function p95OfGood(db: Database, others: readonly string[]): Promise<number> {
  const tookMs: number[] = [];
  const adapter = adapterOf({
    async send({ targetId, items }, signal) {
      if (targetId === HANGING) return hang(signal);
      await pause(5);
      if (targetId === FAILING) return false;
      for (const item of items) tookMs.push(Date.now() - item.envelopeCreatedAt.getTime());
      return true;
    },
    retryAt: () => new Date(Date.now() + 20),
  });
  const dispatcher = dispatcherOn(db, [adapter]);
  dispatcher.start();
  for (const id of others) await enqueue(db, id, 100);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const id of GOOD) await enqueue(db, id, 3);
    dispatcher.wake();
    await pause(20);
  }
  await eventually(async () => tookMs.length === ROUNDS * GOOD.length * 3);
  await dispatcher.stop();
  await db.execute('delete from outbox_queue');
  return tookMs.sort((a, b) => a - b)[Math.ceil(tookMs.length * 0.95) - 1] ?? 0;
}

function hang(signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(false), { once: true });
  });
}
