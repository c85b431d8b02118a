import { describe, expect, test } from 'vitest';
import { hasPostgres } from '#harness/engines.js';
import { soon } from '#harness/eventually.js';
import { neighboursEnded } from '#harness/neighbours.js';
import { outcome, report } from '../intake/eventFixtures.js';
import { mint, revoke } from '../tenancy/keyFixtures.js';
import { idsOf, pause, streamKit, untilReceived, write, writtenIds } from './streamFixtures.js';

describe.skipIf(!hasPostgres)('a live stream among several processes', () => {
  const { startOnOne, open } = streamKit();

  async function twoProcesses(roles: [string, string] = ['all', 'all']) {
    const { processes } = await startOnOne(roles);
    const [here = expect.unreachable(), there = expect.unreachable()] = processes;
    return [here, there] as const;
  }

  test('sends within a second what another process has written', async () => {
    const [here, there] = await twoProcesses(['all', 'api']);
    const stream = await open(there.service, here.live.key);
    await report(here.service, outcome({ userId: 'worker', isVerified: true }), { key: here.live.key });
    // Transactions that began before that of the score delay every stream of the server.
    await here.service.settle();
    await neighboursEnded(here.service.db);
    await soon(() => idsOf(stream).length, 1);
  });

  test('moves between processes under load without a gap or a duplicate', async () => {
    const [here, there] = await twoProcesses();
    const { platformId, live } = here;
    let stream = await open(here.service, live.key);
    const received: string[] = [];
    let isWriting = true;
    let count = 0;
    const writers = [here, there].map(async ({ service }) => {
      while (isWriting) {
        await write(service.db, { platformId, count: 2, holdMs: 3 });
        count += 2;
        // Transactions of other files hold the stream back, and it resumes at most 1000 behind.
        while (isWriting && count - received.length > 500) await pause(5);
      }
    });
    for (let cut = 0; cut < 16; cut += 1) {
      await untilReceived(stream, 3);
      stream.close();
      received.push(...idsOf(stream));
      const { lastEventId } = stream.parsed;
      stream = await open((cut % 2 === 0 ? there : here).service, live.key, { lastEventId });
    }
    isWriting = false;
    await Promise.all(writers);
    const written = await writtenIds(here.service.db, platformId);
    await expect.poll(() => received.length + idsOf(stream).length).toBe(written.length);
    expect([...received, ...idsOf(stream)]).toEqual(written);
  });

  test('ends within a second when its key is revoked in another process', async () => {
    const [here, there] = await twoProcesses();
    const { id, key } = (await mint(here.service, here.live.key, {})).body;
    const stream = await open(there.service, key);
    await revoke(here.service, here.live.key, id);
    await soon(() => stream.isOver, true);
  });
});
