import { describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { everyPage } from '#harness/everyPage.js';
import { givenSharedService } from '#harness/givenService.js';
import { exportAll, outcome, report } from '../intake/eventFixtures.js';
import { breached, fulfilled, reportAll } from './recordFixtures.js';

interface Item {
  kind: 'event' | 'score';
  at: string;
  event?: { id: string; createdAt: string };
  score?: { computedAt: string; totalEvents: number };
}

describe.each(breadth)('the timeline on %s', (engine) => {
  const service = givenSharedService(engine);
  const read = async (id: string, query = '') =>
    (await service.request('GET', `/users/${id}/timeline${query}`)).body;
  const walk = (id: string, limit: number) =>
    everyPage<Item>(service, `/users/${id}/timeline`, 'items', { limit });

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
    const [first] = await reportAll(service, 'told', [{ ...fulfilled, metadata: { order: 1 } }]);
    const [second] = await reportAll(service, 'told', [breached]);
    const body = await read('told');
    expect(body.items.map(({ kind }: Item) => kind)).toEqual(['score', 'event', 'score', 'event']);
    expect(body.nextCursor).toBeNull();
    const [newest, event, , oldest] = body.items;
    const { history } = (await service.request('GET', '/users/told/score/history')).body;
    expect(newest).toEqual({ kind: 'score', at: history[0].computedAt, score: history[0] });
    const exported = (await exportAll(service)).filter(({ userId }) => userId === 'told');
    expect(oldest).toEqual({ kind: 'event', at: exported[0]?.createdAt, event: exported[0] });
    expect([oldest.event.id, event.event.id]).toEqual([first, second]);
  });

  test('is complete and in order in pages of any size', async () => {
    await reportAll(service, 'paged', Array(9).fill(fulfilled));
    await reportAll(service, 'paged', [breached]);
    await reportAll(service, 'paged', Array(4).fill({ eventType: 'CONTRACT_CANCELLED' }));
    const stored = await storedKeysOf('paged');
    for (const limit of [1, 2, 3, 7, 100]) {
      const items = await walk('paged', limit);
      expect(items.map(keyOf).sort()).toEqual(stored);
      const times = items.map(({ at }) => at);
      expect(times).toEqual([...times].sort().reverse());
    }
  });

  test('rows written during a walk neither repeat nor hide one', async () => {
    await reportAll(service, 'busy', Array(12).fill(fulfilled));
    await reportAll(service, 'busy', Array(12).fill({ eventType: 'TRANSACTION_DISPUTED' }));
    const before = await storedKeysOf('busy');
    const keys: string[] = [];
    for (let cursor = ''; ; ) {
      const { items, nextCursor } = await read('busy', `?limit=3${cursor}`);
      keys.push(...items.map(keyOf));
      if (nextCursor === null) break;
      cursor = `&cursor=${nextCursor}`;
      await Promise.all([1, 2, 3].map(() => report(service, outcome({ userId: 'busy', isVerified: true }))));
    }
    expect(keys.sort()).toEqual(before);
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
});
