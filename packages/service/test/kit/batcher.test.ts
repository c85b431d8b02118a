import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { gate } from '#harness/gate.js';
import { createBatcher } from '#kit/batcher.js';

type Answers = (items: number[]) => Promise<(number | Error)[]>;

/** A batcher whose answers are the items themselves, and the batches so far. */
function batcherOf(
  more: Partial<Parameters<typeof createBatcher<number, number>>[0]> = {},
  answer: Answers = async (items) => items,
) {
  const batches: number[][] = [];
  const batcher = createBatcher<number, number>({
    maxWeight: 100,
    concurrency: 1,
    maxWaiting: 1000,
    refuse: () => new Error('full'),
    ...more,
    run(items) {
      batches.push(items);
      return answer(items);
    },
  });
  const submitAll = (...items: number[]) => items.map((item) => batcher.submit(item));
  return { batcher, batches, submitAll };
}

const statusesOf = async (answers: Promise<number>[]) =>
  (await Promise.allSettled(answers)).map(({ status }) => status);

describe('the batcher', () => {
  test('runs concurrent items in one batch, each with its own answer', async () => {
    const { submitAll, batches } = batcherOf({}, async (items) => items.map((item) => item * 2));
    expect(await Promise.all(submitAll(1, 2, 3))).toEqual([2, 4, 6]);
    expect(batches).toEqual([[1, 2, 3]]);
  });

  test('an item that arrives during a batch waits for the next one', async () => {
    const first = gate();
    const { submitAll, batches } = batcherOf({}, async (items) => {
      await first.wait();
      return items;
    });
    const answers = submitAll(1);
    await turn();
    answers.push(...submitAll(2, 3));
    first.open();
    await Promise.all(answers);
    expect(batches).toEqual([[1], [2, 3]]);
  });

  test('items that arrive turn after turn share a batch, for a while', async () => {
    const { submitAll, batches } = batcherOf({ lingerMs: 60_000 });
    const answers = submitAll(1, 2);
    for (const item of [3, 4, 5]) {
      await turn();
      answers.push(...submitAll(item));
    }
    await Promise.all(answers);
    expect(batches).toEqual([[1, 2, 3, 4, 5]]);
  });

  test('an error as answer fails only its item', async () => {
    const { submitAll } = batcherOf({}, async (items) =>
      items.map((item) => (item === 2 ? new Error('bad') : item)),
    );
    expect(await statusesOf(submitAll(1, 2, 3))).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  test('a batch never exceeds its weight, but has at least one item', async () => {
    const { submitAll, batches } = batcherOf({ maxWeight: 10, weigh: (item) => item });
    await Promise.all(submitAll(4, 5, 6, 50, 1));
    expect(batches).toEqual([[4, 5], [6], [50], [1]]);
  });

  test('items and weight are pending until they are answered or refused', async () => {
    const { batcher, submitAll } = batcherOf({ weigh: (item) => item }, async (items) =>
      items.includes(13) ? Promise.reject(new Error('unlucky')) : items,
    );
    const kept = submitAll(4, 5);
    expect([batcher.pending, batcher.pendingWeight]).toEqual([2, 9]);
    await Promise.all(kept);
    await expect(batcher.submit(13)).rejects.toThrow('unlucky');
    await batcher.idle();
    expect([batcher.pending, batcher.pendingWeight]).toEqual([0, 0]);
  });

  test('items beyond the queue limit are refused at once', async () => {
    const { submitAll } = batcherOf({ maxWaiting: 2 });
    expect(await statusesOf(submitAll(1, 2, 3))).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  });

  test('idle resolves when every accepted item has its answer', async () => {
    let answered = 0;
    const { batcher, submitAll } = batcherOf({}, async (items) => {
      await pause(5);
      answered += items.length;
      return items;
    });
    void submitAll(1, 2);
    await batcher.idle();
    expect(answered).toBe(2);
    await batcher.idle();
  });
});
