import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { joinTestService, type TestService } from '#harness/service.js';
import { anotherPlatform, exportAll, outcome, report } from '../intake/eventFixtures.js';
import { breached, fulfilled, reportOf } from './recordFixtures.js';

interface Item {
  kind: 'event' | 'score';
  at: string;
  event?: { id: string; createdAt: string };
  score?: { computedAt: string; totalEvents: number };
}

describe.each(breadth)('the timeline on %s', (engine) => {
  let service: TestService;
  beforeAll(async () => {
    service = await joinTestService(engine);
  });
  afterAll(() => service.close());

  const read = (id: string, query = '', key = service.liveKey) =>
    service.request('GET', `/users/${id}/timeline${query}`, { key });

  async function walk(id: string, limit: number, between = async () => {}): Promise<Item[]> {
    const items: Item[] = [];
    for (let cursor = ''; ; ) {
      const { status, body } = await read(id, `?limit=${limit}${cursor}`);
      expect(status).toBe(200);
      expect(body.items.length).toBeLessThanOrEqual(limit);
      items.push(...body.items);
      if (body.nextCursor === null) return items;
      cursor = `&cursor=${body.nextCursor}`;
      await between();
    }
  }

  /** Events and snapshots of a subject as the tables hold them. */
  async function storedKeysOf(externalId: string): Promise<string[]> {
    const rows = await service.db.query<{ key: string }>(
      `select e.event_id::text as key from event e join subject s using (subject_id) where s.external_id = $1
       union all
       select 'score of ' || c.total_events from score_snapshot c join subject s using (subject_id) where s.external_id = $1`,
      [externalId],
    );
    return rows.map(({ key }) => key).sort();
  }

  const keyOf = ({ event, score }: Item) => event?.id ?? `score of ${score?.totalEvents}`;

  test('merges events and changes of the score, newest first, each as its own read shows it', async () => {
    const [first] = await reportOf(service, 'told', [{ ...fulfilled, metadata: { order: 1 } }]);
    const [second] = await reportOf(service, 'told', [breached]);
    const { body } = await read('told');
    expect(body.items.map(({ kind }: Item) => kind)).toEqual(['score', 'event', 'score', 'event']);
    expect(body.nextCursor).toBeNull();
    const [newest, event, , oldest] = body.items;
    const { history } = (await service.request('GET', '/users/told/score/history')).body;
    expect(newest).toEqual({ kind: 'score', at: history[0].computedAt, score: history[0] });
    const exported = (await exportAll(service)).filter(({ userId }) => userId === 'told');
    expect(oldest).toEqual({ kind: 'event', at: exported[0]?.createdAt, event: exported[0] });
    expect([oldest.event.id, event.event.id]).toEqual([first, second]);
  });

  test.each([1, 2, 3, 7, 100])('is complete and in order in pages of %i', async (limit) => {
    const id = `paged-${limit}`;
    await reportOf(service, id, Array(9).fill(fulfilled));
    await reportOf(service, id, [breached]);
    await reportOf(service, id, Array(4).fill({ eventType: 'CONTRACT_CANCELLED' }));
    const items = await walk(id, limit);
    expect(items.map(keyOf).sort()).toEqual(await storedKeysOf(id));
    const times = items.map(({ at }) => at);
    expect(times).toEqual([...times].sort().reverse());
  });

  test('rows written during a walk neither repeat nor hide one', async () => {
    await reportOf(service, 'busy', Array(12).fill(fulfilled));
    await reportOf(service, 'busy', Array(12).fill({ eventType: 'TRANSACTION_DISPUTED' }));
    const before = await storedKeysOf('busy');
    const items = await walk('busy', 3, async () => {
      await Promise.all([1, 2, 3].map(() => report(service, outcome({ userId: 'busy', isVerified: true }))));
    });
    expect(items.map(keyOf).sort()).toEqual(before);
  });

  test('a walk during writes has every row acknowledged before it began exactly once', async () => {
    const acknowledged: string[] = [];
    let isOver = false;
    const write = async () => {
      while (!isOver) {
        const { body } = await report(service, outcome({ userId: 'hot', isVerified: true }));
        acknowledged.push(body.eventId);
      }
    };
    const writers = [write(), write(), write(), write()];
    for (let round = 0; round < 5; round += 1) {
      await report(service, outcome({ userId: 'hot' })).then(({ body }) => acknowledged.push(body.eventId));
      const known = [...acknowledged];
      const keys = (await walk('hot', 20)).map(keyOf);
      expect(new Set(keys).size).toBe(keys.length);
      expect(known.filter((id) => !keys.includes(id))).toEqual([]);
    }
    isOver = true;
    await Promise.all(writers);
    await service.settle();
    expect((await walk('hot', 100)).map(keyOf).sort()).toEqual(await storedKeysOf('hot'));
  });

  test('shows the caller’s own subject alone', async () => {
    const other = await anotherPlatform(service);
    await reportOf(service, 'same-name', [fulfilled]);
    await reportOf(service, 'same-name', [breached], other.liveKey);
    const { items } = (await read('same-name')).body;
    expect(items.flatMap(({ event }: { event?: { eventType: string } }) => event?.eventType ?? [])).toEqual([
      'CONTRACT_FULFILLED',
    ]);
    for (const answer of [await read('nobody'), await read('same-name', '', service.testKey)]) {
      expect([answer.status, answer.body.code]).toEqual([404, 'USER_NOT_FOUND']);
    }
  });
});
