import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { hasPostgres } from '#harness/engines.js';
import { TEST_KEYS } from '#harness/service.js';
import { call } from '../crash/api.js';
import { ready, startChild, stopped } from './childService.js';
import { cleanUp, emptyDatabase, newFolder } from './places.js';

const WITNESS = fileURLToPath(new URL('promiseHooks.cjs', import.meta.url));

afterAll(cleanUp);

// An asynchronous store costs a tenth of the time of a write from its first use on.
describe.each(['pglite', ...(hasPostgres ? ['postgres'] : [])])('a service on %s', (engine) => {
  test('runs no hook for each promise, also after migrations and a write', async () => {
    const service = startChild({
      ...(engine === 'postgres' && { DATABASE_URL: await emptyDatabase() }),
      DATA_DIR: newFolder(),
      BOOTSTRAP_LIVE_KEY: TEST_KEYS.live,
      BOOTSTRAP_TEST_KEY: TEST_KEYS.test,
      NODE_OPTIONS: `--require=${WITNESS}`,
    });
    const url = await ready(service);
    const headers = { Authorization: `Bearer ${TEST_KEYS.live}` };
    const body = JSON.stringify({ userId: 'somebody', eventType: 'TRANSACTION_COMPLETED' });
    expect((await call(url, 'POST', '/events', { headers, body })).status).toBe(201);
    await stopped(service);
    expect(service.output()).toContain('marks on a promise of thread 0: 0');
    expect(service.output()).not.toMatch(/marks on a promise of thread \d+: [1-9]/);
  });
});
