import { beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { givenService, givenSharedService } from '#harness/givenService.js';
import { heldTransaction } from '#harness/heldTransaction.js';
import { exportAll, outcome, report, reportBatch } from './eventFixtures.js';

const MOMENTS = [
  '2026-05-01T23:59:59.999Z',
  '2026-05-02T00:00:00.000Z',
  '2026-05-02T12:30:00.500Z',
  '2026-05-02T23:59:59.999Z',
  '2026-05-03T00:00:00.000Z',
];

describe.each(breadth)('exporting events on %s', (engine) => {
  let now = new Date('2026-05-01T00:00:00.000Z');
  const service = givenService(engine, { clock: { now: () => now } });
  const written: string[] = [];
  beforeAll(async () => {
    for (const at of MOMENTS) {
      now = new Date(at);
      written.push((await report(service, outcome({ userId: at }))).body.eventId);
    }
  });

  test('events are listed oldest first, equal to the answers of POST /events', async () => {
    const events = await exportAll(service);
    expect(events.map(({ id }) => id)).toEqual(written);
    expect(events.map(({ createdAt }) => createdAt)).toEqual(MOMENTS);
    const body = outcome({
      userId: 'compared',
      stakeLevel: 'LOW',
      isVerified: true,
      transactionValue: 0.1,
      dueDate: '2026-04-30T10:00:00Z',
      completedAt: '2026-04-30T09:00:00Z',
      metadata: { autoImported: true, z: 1, a: [{}] },
    });
    const key = service.testKey;
    const answered = (await report(service, body, { key })).body.event;
    expect(await exportAll(service, { key })).toEqual([answered]);
  });

  test.each([
    ['from=2026-05-02', [1, 2, 3, 4]],
    ['to=2026-05-02', [0, 1, 2, 3]],
    ['from=2026-05-02&to=2026-05-02', [1, 2, 3]],
    ['from=2026-05-02T12:30:00.500Z&to=2026-05-02T12:30:00.500Z', [2]],
    ['from=2026-05-02T12:30:00.501Z', [3, 4]],
    ['to=2026-05-02T12:30:00.499Z', [0, 1]],
    ['from=2026-05-02T02:00:00%2B02:00&to=2026-05-02T14:30:00.500%2B02:00', [1, 2]],
    ['from=2026-05-04', []],
    ['to=1970-01-01', []],
    ['from=0001-01-01&to=9999-12-31', [0, 1, 2, 3, 4]],
  ])('%s includes both ends; a date means its whole UTC day', async (query, expected) => {
    const events = await exportAll(service, { query: `&${query}` });
    expect(events.map(({ id }) => written.indexOf(id))).toEqual(expected);
  });

  test('pages of any size add up to the same events', async () => {
    for (const limit of [1, 2, 4, 5, 1000]) {
      const events = await exportAll(service, { limit });
      expect(events.map(({ id }) => id)).toEqual(written);
    }
    const read = async (more = '') =>
      (await service.request('GET', `/events/export?from=2026-05-02&to=2026-05-02&limit=2${more}`)).body;
    const first = await read();
    expect(first.events).toHaveLength(2);
    const second = await read(`&cursor=${first.nextCursor}`);
    expect(second).toMatchObject({ events: [{ id: written[3] }], nextCursor: null });
  });

  test.each([
    ['format=xml', 'EXPORT_FORMAT_INVALID'],
    ['from=yesterday', 'EXPORT_RANGE_INVALID'],
    ['from=', 'EXPORT_RANGE_INVALID'],
    ['from=2026-02-30', 'EXPORT_RANGE_INVALID'],
    ['to=2026-05-02T12:00:00', 'EXPORT_RANGE_INVALID'],
    ['to=1777000000', 'EXPORT_RANGE_INVALID'],
    ['from=2026-05-03&to=2026-05-02', 'EXPORT_RANGE_INVALID'],
    ['from=2026-05-02T12:00:00.001Z&to=2026-05-02T12:00:00.000Z', 'EXPORT_RANGE_INVALID'],
    ['from=2026-05-02&from=2026-05-03', 'EXPORT_RANGE_INVALID'],
    ['cursor=', 'BAD_REQUEST'],
    ['cursor=%00', 'BAD_REQUEST'],
    [`cursor=${Buffer.from('["not an id"]').toString('base64url')}`, 'BAD_REQUEST'],
    [`cursor=${Buffer.from('[]').toString('base64url')}`, 'BAD_REQUEST'],
  ])('%s is refused as %s', async (query, code) => {
    const answer = await service.request('GET', `/events/export?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code, retryable: false });
  });
});

describe.each(breadth)('exporting events while others write, on %s', (engine) => {
  const service = givenSharedService(engine);

  test('pages read during writes neither repeat nor skip an event', async () => {
    const acknowledged: string[] = [];
    let isWriting = true;
    const write = async (writer: number): Promise<void> => {
      for (let round = 0; round < 25; round += 1) {
        const userId = `writer-${writer}-${round % 5}`;
        const event = outcome({ userId });
        const answers = await Promise.all(
          round % 3 === 0
            ? [reportBatch(service, [event, outcome({ userId, idempotencyKey: `${userId}-${round}` })])]
            : [report(service, event), report(service, event)],
        );
        for (const { body } of answers) {
          acknowledged.push(...(body.results ?? [body]).map(({ eventId }: { eventId: string }) => eventId));
        }
      }
    };
    const read = async (): Promise<string[]> => {
      const seen: string[] = [];
      for (let cursor = '', isLast = false; ; ) {
        // Read before the page: events written after the last page need not be on it.
        isLast = !isWriting;
        const { body } = await service.request('GET', `/events/export?limit=7${cursor}`);
        // Read the last page again: it has a cursor only if events follow.
        if (body.nextCursor === null && !isLast) continue;
        seen.push(...body.events.map(({ id }: { id: string }) => id));
        if (body.nextCursor === null) return seen;
        cursor = `&cursor=${body.nextCursor}`;
      }
    };
    const reading = Promise.all([read(), read()]);
    await Promise.all([0, 1, 2, 3, 4, 5].map(write));
    isWriting = false;
    for (const seen of await reading) {
      expect(new Set(seen).size).toBe(seen.length);
      expect([...seen].sort()).toEqual([...acknowledged].sort());
      expect(seen).toEqual([...seen].sort());
    }
  });

  test('an acknowledged event is in the next export', async () => {
    for (let round = 0; round < 30; round += 1) {
      const from = new Date(Date.now() - 5000).toISOString();
      const neighbours = [1, 2, 3].map((n) => report(service, outcome({ userId: `busy-${n}` })));
      const { eventId } = (await report(service, outcome({ userId: 'read-at-once' }))).body;
      const events = await exportAll(service, { query: `&from=${from}` });
      expect(events.map(({ id }) => id)).toContain(eventId);
      await Promise.all(neighbours);
    }
  });

  test('an export waits for an open transaction and loses nothing that was written after it began', async () => {
    if (engine === 'pglite') return; // it has one connection: nothing is open while a page is read
    const before = (await exportAll(service)).length;
    const commit = await heldTransaction(service.db, (tx) => tx.query('select pg_current_xact_id()'));
    const { eventId } = (await report(service, outcome({ userId: 'behind-open' }))).body;
    const hidden = await service.request('GET', `/events/export?limit=1000`);
    expect(hidden.body.events).toHaveLength(before);
    expect(hidden.body.nextCursor).not.toBeNull();
    await commit();
    const rest = await service.request('GET', `/events/export?limit=1000&cursor=${hidden.body.nextCursor}`);
    expect(rest.body.events.map(({ id }: { id: string }) => id)).toContain(eventId);
  });
});
