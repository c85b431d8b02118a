import { describe, expect, test } from 'vitest';
import { routeTable } from '#harness/routeTable.js';
import { mapInTurns } from '#kit/backpressure/yielder.js';
import { readJson } from '#kit/http/bodies.js';
import { describeApi } from '../../../src/features/system/system/describeApi.js';
import { siteSteps } from '../../../src/pages/docs/site.js';

/** How often other work could run while a promise was pending. */
async function turnsOf(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await work.finally(() => {
    isOver = true;
  });
  return turns;
}

function busyFor(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

describe('other requests are answered', () => {
  test('between the items of a request, if they take long', async () => {
    expect(await turnsOf(mapInTurns([1, 2, 3, 4, 5, 6, 7, 8], () => busyFor(3)))).toBeGreaterThan(5);
    expect(await mapInTurns(['a', 'b'], (item, index) => item + index)).toEqual(['a0', 'b1']);
  });

  test('between the steps in which a long body is parsed', async () => {
    const text = `{"a":"\\u0041","metadata":[${'9'.repeat(200)}]}`;
    const body = Buffer.from(text.padEnd(64 * 1024 + 1));
    expect(await turnsOf(Promise.resolve(readJson(body)))).toBeGreaterThan(4);
  });

  test('while the OpenAPI document and the documentation are made', async () => {
    const table = routeTable();
    const document = describeApi(() => table, 'http://127.0.0.1');
    expect(await turnsOf(document())).toBeGreaterThan(Object.keys(table).length);
    const steps = [...siteSteps(await document(), 'http://127.0.0.1')];
    expect(steps.length).toBeGreaterThan(40);
  });
});
