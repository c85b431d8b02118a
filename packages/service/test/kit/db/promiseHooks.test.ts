import { executionAsyncId } from 'node:async_hooks';
import { expect, test } from 'vitest';
import { untilGivenUp } from '#kit/db/transaction.js';

test('promises cost no hook behind the migrations of a start', async () => {
  const idBehindAPromise = () => Promise.resolve().then(executionAsyncId);
  const during = await untilGivenUp(new AbortController().signal, idBehindAPromise);
  expect(during).toBeGreaterThan(0);
  // Node numbers continuations only while something hooks into promises.
  expect(await idBehindAPromise()).toBe(0);
});
