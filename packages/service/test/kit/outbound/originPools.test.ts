import { expect, test } from 'vitest';
import { createOriginPools } from '#kit/outbound/guardedConnector.js';
import { receive } from './receivers.js';

async function ask(pools: ReturnType<typeof createOriginPools>, origin: string): Promise<string> {
  return new Promise((resolve) => {
    pools.dispatch(
      { origin, path: '/', method: 'POST', body: 'x' },
      {
        onRequestStart: () => {},
        onResponseStart: () => {},
        onResponseData: () => {},
        onResponseEnd: () => resolve('answered'),
        onResponseError: () => resolve('failed'),
      },
    );
  });
}

test('an origin that closes after each answer stays within its connection limit, and its pool is removed', async () => {
  let now = 0;
  let most = 0;
  const { url } = await receive((_request, response) => {
    now += 1;
    most = Math.max(most, now);
    setTimeout(() => {
      now -= 1;
      response.setHeader('connection', 'close').end();
    }, 2);
  });
  const pools = createOriginPools({ connections: 2 });
  const { origin } = new URL(url);
  const paced = Array.from({ length: 60 }, async (_, index) => {
    await new Promise((resolve) => setTimeout(resolve, index));
    return ask(pools, origin);
  });
  expect(new Set(await Promise.all(paced))).toEqual(new Set(['answered']));
  expect(most).toBe(2);
  await expect.poll(() => pools.size).toBe(0);
});

test('an origin that refuses connections fails waiting requests, and its pool is removed', async () => {
  const pools = createOriginPools({ connections: 2 });
  const all = await Promise.all(Array.from({ length: 30 }, () => ask(pools, 'http://127.0.0.1:1')));
  expect(new Set(all)).toEqual(new Set(['failed']));
  await expect.poll(() => pools.size).toBe(0);
  await pools.destroy();
});
