import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { hasPostgres } from '#harness/engines.js';
import { openEventStream } from '#harness/eventStream.js';
import { eventually, soon } from '#harness/eventually.js';
import { call, LIVE_KEY, Subscribed } from '../crash/api.js';
import { type Receiver, startReceiver } from '../crash/receiver.js';
import { runProgram } from '../crash/serverProcess.js';
import { findBrokenPromises } from '../crash/verify.js';
import { ADMIN_SECRET, type Installation, startInstallation } from './installation.js';
import { startWanderingLoad } from './wanderingLoad.js';

const NewKey = z.object({ id: z.string(), key: z.string() });
const PlatformCreated = z.object({
  platform: z.object({ id: z.string() }),
  keys: z.object({ live: NewKey }),
});

describe.runIf(hasPostgres)('two processes that answer and two that work, on one PostgreSQL', () => {
  let all: Installation;
  let receiver: Receiver;

  beforeAll(async () => {
    receiver = await startReceiver(11);
    all = await startInstallation();
  });

  afterAll(async () => {
    await all?.remove();
    await receiver?.close();
  });

  test('a key revoked in one process is refused by the other within a second', async () => {
    const [here, there] = all.apis;
    const minted = await call(here.url, 'POST', '/platform/keys', { body: '{}' });
    const { id, key } = NewKey.parse(JSON.parse(minted.text));
    const statusThere = async () =>
      (await call(there.url, 'GET', '/usage', { headers: { Authorization: `Bearer ${key}` } })).status;
    expect(await statusThere()).toBe(200);
    expect((await call(here.url, 'DELETE', `/platform/keys/${id}`)).status).toBeLessThan(300);
    await soon(statusThere, 401);
  });

  test('without Redis each process counts the rate limit separately', async () => {
    const [here, there] = all.apis;
    const asOperator = { headers: { 'X-Admin-Secret': ADMIN_SECRET } };
    const body = JSON.stringify({ name: 'Small', trustTier: 'STARTER', plan: 'starter' });
    const made = await call(here.url, 'POST', '/admin/platforms', { ...asOperator, body });
    const { platform, keys } = PlatformCreated.parse(JSON.parse(made.text));
    const limit = JSON.stringify({ rateLimitPerMinute: 2 });
    await call(here.url, 'PATCH', `/admin/platforms/${platform.id}`, { ...asOperator, body: limit });
    const statusOf = async ({ url }: { url: string }) =>
      (await call(url, 'GET', '/usage', { headers: { Authorization: `Bearer ${keys.live.key}` } })).status;
    expect([await statusOf(here), await statusOf(here), await statusOf(here)]).toEqual([200, 200, 429]);
    expect([await statusOf(there), await statusOf(there), await statusOf(there)]).toEqual([200, 200, 429]);
  });

  test('killing one process of each role under load loses and duplicates nothing, and all work catches up', async () => {
    const [doomed, survivor] = all.apis;
    const hook = JSON.stringify({ url: receiver.url, events: ['score.updated'] });
    const subscribed = await call(doomed.url, 'POST', '/webhooks', { body: hook });
    receiver.secret = Subscribed.parse(JSON.parse(subscribed.text)).secret;
    const stream = await openEventStream(survivor.url, { key: LIVE_KEY, types: 'score.updated' });

    const load = startWanderingLoad([doomed.url, survivor.url], 4, 11);
    const untilTaken = (more: number) => {
      const wanted = load.taken.length + more;
      return eventually(() => load.taken.length >= wanted);
    };
    await untilTaken(50);
    all.workers[0].signal('SIGKILL');
    await untilTaken(10);
    await doomed.kill9();
    await eventually(() => load.brokenOff > 0);
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

    expect(await all.stop()).toEqual([0, 0, 0]);
    expect(await runProgram('auditLedger', all.env)).toMatchObject({ code: 0 });
  });
});
