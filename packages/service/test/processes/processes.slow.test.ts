import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { applicationUrl, createApplicationRole } from '#harness/applicationRole.js';
import { hasPostgres } from '#harness/engines.js';
import { openEventStream } from '#harness/eventStream.js';
import { eventually, soon } from '#harness/eventually.js';
import { call, LIVE_KEY, platformWithLimit, Subscribed, TEST_KEY, UNDER_LOAD } from '../crash/api.js';
import { startLoad } from '../crash/load.js';
import { type Receiver, startReceiver } from '../crash/receiver.js';
import { runProgram, type ServerProcess, serverProcess } from '../crash/serverProcess.js';
import { findBrokenPromises } from '../crash/verify.js';
import { type ChildService, startChild } from '../startup/childService.js';
import { cleanUp, emptyDatabase, newFolder } from '../startup/places.js';

const ADMIN_SECRET = 'admin-secret-of-the-processes';

describe.runIf(hasPostgres)('two processes that answer and two that work, on one PostgreSQL', () => {
  let apis: [ServerProcess, ServerProcess];
  let workers: [ChildService, ChildService];
  /** The environment of every process, without its role. */
  let env: Record<string, string>;
  let receiver: Receiver;

  /** All are started at once on an empty database. */
  beforeAll(async () => {
    receiver = await startReceiver(11);
    const owner = await emptyDatabase();
    await createApplicationRole(inject('testPostgresUrl') ?? '');
    env = {
      DATABASE_URL: applicationUrl(owner),
      DATABASE_POOL_SIZE: '5',
      DATA_DIR: newFolder(),
      DATA_KEY: randomBytes(32).toString('hex'),
      ADMIN_SECRET,
      BOOTSTRAP_LIVE_KEY: LIVE_KEY,
      BOOTSTRAP_TEST_KEY: TEST_KEY,
      ...UNDER_LOAD,
    };
    const newApi = () => serverProcess({ ...env, ROLE: 'api', LOG_LEVEL: 'error' });
    apis = [await newApi(), await newApi()];
    const worker = { ...env, ROLE: 'worker' };
    // One process migrates; the others have no right to, and wait for it.
    workers = [startChild({ ...worker, DATABASE_MIGRATION_URL: owner }), startChild(worker)];
    for (const api of apis) api.start();
    await Promise.all(apis.map((api) => api.untilReady()));
    await Promise.all(workers.map((each) => each.printed(/"msg":"ready"/)));
  });

  afterAll(async () => {
    for (const api of apis ?? []) if (api.isRunning) await api.kill9();
    await cleanUp();
    await receiver?.close();
  });

  test('a key revoked in one process is refused by the other within a second', async () => {
    const [here, there] = apis;
    const minted = await call(here.url, 'POST', '/platform/keys', { body: '{}' });
    const { id, key } = JSON.parse(minted.text);
    const statusThere = async () =>
      (await call(there.url, 'GET', '/usage', { headers: { Authorization: `Bearer ${key}` } })).status;
    expect(await statusThere()).toBe(200);
    expect((await call(here.url, 'DELETE', `/platform/keys/${id}`)).status).toBeLessThan(300);
    await soon(statusThere, 401);
  });

  test('without Redis each process counts the rate limit separately', async () => {
    const [here, there] = apis;
    const headers = { Authorization: `Bearer ${await platformWithLimit(here.url, ADMIN_SECRET, 2)}` };
    const statusOf = async ({ url }: ServerProcess) => (await call(url, 'GET', '/usage', { headers })).status;
    expect([await statusOf(here), await statusOf(here), await statusOf(here)]).toEqual([200, 200, 429]);
    expect([await statusOf(there), await statusOf(there), await statusOf(there)]).toEqual([200, 200, 429]);
  });

  test('killing one process of each role under load loses and duplicates nothing, and all work catches up', async () => {
    const [doomed, survivor] = apis;
    const hook = JSON.stringify({ url: receiver.url, events: ['score.updated'] });
    const subscribed = await call(doomed.url, 'POST', '/webhooks', { body: hook });
    receiver.secret = Subscribed.parse(JSON.parse(subscribed.text)).secret;
    const stream = await openEventStream(survivor.url, { key: LIVE_KEY, types: 'score.updated' });

    // With rests, so that it stays below the rate limit.
    const urls: [string, string] = [doomed.url, survivor.url];
    const load = startLoad({ urls, clients: 4, seed: 11, runName: 'processes', restMs: 20 });
    const untilTaken = (more: number) => {
      const wanted = load.taken.length + more;
      return eventually(() => load.taken.length >= wanted);
    };
    await untilTaken(50);
    workers[0].signal('SIGKILL');
    await untilTaken(10);
    await doomed.kill9();
    await eventually(() => load.retries.brokenConnections > 0);
    await untilTaken(30);
    doomed.start();
    await doomed.untilReady();
    await untilTaken(20);
    await load.finish();

    // Asks the killed process about requests, replays included, that the other one accepted.
    expect(await findBrokenPromises(doomed.url, load.taken, receiver)).toEqual([]);
    const streamed = () => new Set(stream.parsed.events.map(({ lastEventId }) => lastEventId));
    await expect.poll(() => [...receiver.taken.keys()].filter((id) => !streamed().has(id))).toEqual([]);
    expect(stream.parsed.events).toHaveLength(streamed().size);
    stream.close();

    workers[1].signal('SIGTERM');
    expect(await Promise.all([...apis.map((api) => api.stop()), workers[1].ended()])).toEqual([0, 0, 0]);
    expect(await runProgram('auditLedger', env)).toMatchObject({ code: 0 });
  });
});
