import { beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { givenSharedService } from '#harness/givenService.js';
import { heldTransaction } from '#harness/heldTransaction.js';
import { outcome, report } from '../intake/eventFixtures.js';
import { addedPlatform, type Entry, type OwnPlatform, trailOf } from './trail.js';

const DAY_MS = 86_400_000;
const dayAt = (offset: number) => new Date(Date.now() + offset * DAY_MS).toISOString().slice(0, 10);

describe.each(breadth)('reading the audit trail on %s', (engine) => {
  const service = givenSharedService(engine);
  let own: OwnPlatform;
  beforeAll(async () => {
    own = await addedPlatform(service);
    for (let count = 0; count < 6; count += 1) {
      await report(service, outcome({ userId: `worker-${count % 2}` }), { key: own.live.key });
    }
    await report(service, outcome({ userId: 'test-worker' }), { key: own.test.key });
  });

  const trail = (query = '', key = own.live.key) => service.request('GET', `/activity${query}`, { key });

  test('a platform reads its own entries in the mode of its key, newest first', async () => {
    const { body } = await trail();
    expect(body.nextCursor).toBeNull();
    expect(body.activity.map(({ action }: Entry) => action)).toEqual([
      ...Array(6).fill('EVENT_CREATED'),
      'API_KEY_GENERATED',
      'PLATFORM_CREATED',
    ]);
    expect(body.activity.every(({ livemode }: Entry) => livemode)).toBe(true);
    const ids = body.activity.map(({ id }: Entry) => id);
    expect(ids).toEqual([...ids].sort().reverse());
    const inTest = (await trail('', own.test.key)).body.activity;
    expect(inTest.map(({ action, livemode }: Entry) => [action, livemode])).toEqual([
      ['EVENT_CREATED', false],
      ['API_KEY_GENERATED', false],
    ]);
  });

  test('writes during a walk neither repeat nor hide an entry', async () => {
    const before = await trailOf(service, own.live.key);
    const walked: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await trail(`?limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`);
      walked.push(...body.activity.map(({ id }: Entry) => id));
      cursor = body.nextCursor;
      await report(service, outcome({ userId: 'meanwhile' }), { key: own.live.key });
      await service.request('POST', '/platform/keys', { key: own.live.key, body: {} });
    }
    expect(walked).toEqual(before.map(({ id }) => id));
  });

  test('a query can filter by one action', async () => {
    for (const action of ['EVENT_CREATED', 'PLATFORM_CREATED', 'API_KEY_GENERATED', 'WEBHOOK_DISABLED']) {
      const all = await trailOf(service, own.live.key);
      const some = await trailOf(service, own.live.key, `&action=${action}`);
      expect(some).toEqual(all.filter((entry) => entry.action === action));
    }
  });

  test('a range of days includes both of its ends', async () => {
    const all = await trailOf(service, own.live.key);
    expect(await trailOf(service, own.live.key, `&from=${dayAt(-1)}&to=${dayAt(1)}`)).toEqual(all);
    expect(await trailOf(service, own.live.key, `&from=${dayAt(1)}`)).toEqual([]);
    expect(await trailOf(service, own.live.key, `&to=${dayAt(-1)}`)).toEqual([]);
    const at = all[2]?.at ?? '';
    const sameMoment = all.filter((entry) => entry.at === at);
    expect(await trailOf(service, own.live.key, `&from=${at}&to=${at}`)).toEqual(sameMoment);
  });

  test('CSV has the same pages, with the cursor in a header', async () => {
    const all = await trailOf(service, own.live.key);
    const ids: (string | undefined)[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const answer = await trail(`?format=csv&limit=4${cursor === '' ? '' : `&cursor=${cursor}`}`);
      expect(answer.headers.get('content-type')).toContain('text/csv');
      const [header, ...lines] = answer.text.trimEnd().split('\r\n');
      expect(header).toBe('id,action,at,actor,target,livemode,details');
      ids.push(...lines.map((line) => line.split(',')[0]));
      cursor = answer.headers.get('x-next-cursor');
    }
    expect(ids).toEqual(all.map(({ id }) => id));
  });

  test.each([
    ['an action that does not exist', '?action=COFFEE_MADE', 'ACTIVITY_ACTION_INVALID'],
    ['a format that does not exist', '?format=xml', 'ACTIVITY_FORMAT_INVALID'],
    ['a start that is no date', '?from=yesterday', 'ACTIVITY_RANGE_INVALID'],
    ['an end that is no date', '?to=2026-02-30', 'ACTIVITY_RANGE_INVALID'],
    ['a start after the end', '?from=2026-03-02&to=2026-03-01', 'ACTIVITY_RANGE_INVALID'],
  ])('%s is refused', async (_, query, code) => {
    const { status, body } = await trail(query);
    expect([status, body.code]).toEqual([400, code]);
  });

  describe('by the operator', () => {
    const ofPlatform = (query: string) =>
      service.request('GET', `/admin/platforms/${own.id}/activity${query}`, { admin: true });

    test('the operator reads both modes in one list, or the named one', async () => {
      const [live, inTest] = [await trailOf(service, own.live.key), await trailOf(service, own.test.key)];
      const both = [...live, ...inTest].sort((left, right) => (left.id < right.id ? 1 : -1));
      expect((await ofPlatform('?limit=100')).body.activity).toEqual(both);
      expect((await ofPlatform('?limit=100&livemode=false')).body.activity).toEqual(inTest);
      expect((await ofPlatform('?limit=100&livemode=true')).body.activity).toEqual(live);
    });
  });
});

describe.each(breadth.filter((engine) => engine === 'postgresql'))('open transactions on %s', (engine) => {
  const service = givenSharedService(engine);

  test('a walk omits rows that an open transaction may precede, and the next walk has every row', async () => {
    const slow = '01000000-0000-7000-8000-000000000001';
    const commit = await heldTransaction(service.db, (tx) =>
      tx.execute(
        `insert into activity (platform_id, activity_id, livemode, action, actor, at)
         values ($1, $2, true, 'PLATFORM_UPDATED', 'service', now())`,
        [service.platformId, slow],
      ),
    );
    const { eventId } = (await report(service, outcome())).body;
    const during = await trailOf(service, service.liveKey);
    await commit();
    const after = await trailOf(service, service.liveKey);
    expect(during.map(({ id }) => id)).not.toContain(eventId);
    expect(after.map(({ id }) => id)).toEqual([eventId, ...during.map(({ id }) => id), slow]);
  });
});
