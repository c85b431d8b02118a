import { describe, expect, test } from 'vitest';
import { createBatcher } from '#kit/batcher.js';

const options = { maxWeight: 100, concurrency: 1, maxWaiting: 1000, refuse: () => new Error('full') };

describe('the batcher', () => {
  test('runs concurrent items in one batch, each with its own answer', async () => {
    const runs: number[][] = [];
    const batcher = createBatcher<number, number>({
      ...options,
      run: async (items) => {
        runs.push(items);
        return items.map((item) => item * 2);
      },
    });
    const answers = await Promise.all([1, 2, 3].map((item) => batcher.submit(item)));
    expect(answers).toEqual([2, 4, 6]);
    expect(runs).toEqual([[1, 2, 3]]);
  });

  test('an item that arrives during a batch waits for the next one', async () => {
    const runs: number[][] = [];
    let release = (): void => {};
    const batcher = createBatcher<number, number>({
      ...options,
      run: async (items) => {
        runs.push(items);
        if (runs.length === 1) await new Promise<void>((resolve) => (release = resolve));
        return items;
      },
    });
    const first = batcher.submit(1);
    await new Promise((resolve) => setImmediate(resolve));
    const rest = [2, 3].map((item) => batcher.submit(item));
    release();
    await Promise.all([first, ...rest]);
    expect(runs).toEqual([[1], [2, 3]]);
  });

  test('items that arrive turn after turn share a batch, for a while', async () => {
    const runs: number[][] = [];
    const run = async (items: number[]) => {
      runs.push(items);
      return items;
    };
    const batcher = createBatcher<number, number>({ ...options, lingerMs: 60_000, run });
    const answers = [batcher.submit(1), batcher.submit(2)];
    for (const item of [3, 4, 5]) {
      await new Promise((resolve) => setImmediate(resolve));
      answers.push(batcher.submit(item));
    }
    await Promise.all(answers);
    expect(runs).toEqual([[1, 2, 3, 4, 5]]);
  });

  test('an error as answer fails only its item', async () => {
    const batcher = createBatcher<number, number>({
      ...options,
      run: async (items) => items.map((item) => (item === 2 ? new Error('bad') : item)),
    });
    const settled = await Promise.allSettled([1, 2, 3].map((item) => batcher.submit(item)));
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  test('a batch never exceeds its weight, but has at least one item', async () => {
    const runs: number[][] = [];
    const batcher = createBatcher<number, number>({
      ...options,
      maxWeight: 10,
      weigh: (item) => item,
      run: async (items) => {
        runs.push(items);
        return items;
      },
    });
    await Promise.all([4, 5, 6, 50, 1].map((item) => batcher.submit(item)));
    expect(runs).toEqual([[4, 5], [6], [50], [1]]);
  });

  test('items and weight are pending until they are answered or refused', async () => {
    const batcher = createBatcher<number, number>({
      ...options,
      weigh: (item) => item,
      run: async (items) => (items.includes(13) ? Promise.reject(new Error('unlucky')) : items),
    });
    const kept = [4, 5].map((item) => batcher.submit(item));
    expect([batcher.pending, batcher.pendingWeight]).toEqual([2, 9]);
    await Promise.all(kept);
    await expect(batcher.submit(13)).rejects.toThrow('unlucky');
    await batcher.idle();
    expect([batcher.pending, batcher.pendingWeight]).toEqual([0, 0]);
  });

  test('items beyond the queue limit are refused at once', async () => {
    const batcher = createBatcher<number, number>({
      ...options,
      maxWaiting: 2,
      run: async (items) => items,
    });
    const settled = await Promise.allSettled([1, 2, 3].map((item) => batcher.submit(item)));
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  });

  test('idle resolves when every accepted item has its answer', async () => {
    let answered = 0;
    const batcher = createBatcher<number, number>({
      ...options,
      run: async (items) => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        answered += items.length;
        return items;
      },
    });
    void batcher.submit(1);
    void batcher.submit(2);
    await batcher.idle();
    expect(answered).toBe(2);
    await batcher.idle();
  });
});
