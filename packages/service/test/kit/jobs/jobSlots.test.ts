import { expect, test } from 'vitest';
import { createJobSlots } from '#kit/jobs/jobWorker.js';

test('workers of a process share its jobs at once, and take turns', () => {
  const slots = createJobSlots(2);
  const woken: string[] = [];
  const [busy, modest] = ['busy', 'modest'].map((name) => () => void woken.push(name)) as [
    () => void,
    () => void,
  ];
  expect([slots.tryTake(busy), slots.tryTake(busy)]).toEqual([true, true]);
  expect([slots.tryTake(modest), slots.tryTake(busy)]).toEqual([false, false]);
  slots.release();
  expect(woken).toEqual(['modest']);
  expect(slots.tryTake(busy)).toBe(false);
  expect(slots.tryTake(modest)).toBe(true);
  slots.release();
  expect(woken).toEqual(['modest', 'busy']);
});

test('a worker that stops while it waits gives its turn to the next', () => {
  const slots = createJobSlots(1);
  const woken: string[] = [];
  const gone = () => void woken.push('gone');
  const next = () => void woken.push('next');
  slots.tryTake(next);
  slots.tryTake(gone);
  slots.tryTake(next);
  slots.leave(gone);
  slots.release();
  expect(woken).toEqual(['next']);
});
