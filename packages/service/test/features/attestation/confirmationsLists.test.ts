import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { startTestService, type TestService } from '#harness/service.js';
import { exportAll } from '../intake/eventFixtures.js';
import { HOUR_MS, movableClock } from '../tenancy/keyFixtures.js';
import { addedPlatform, type OwnPlatform } from '../tenancy/trail.js';
import { answered, asking, cancelled, type Made, made, read, swept } from './confirmationFixtures.js';

describe.each(breadth)('many confirmations on %s', (engine) => {
  let service: TestService;
  const clock = movableClock();

  beforeAll(async () => {
    service = await startTestService(engine, { clock });
  });

  afterAll(() => service.close());

  describe('a listing', () => {
    let own: OwnPlatform;
    const requests: Record<string, Made> = {};

    beforeAll(async () => {
      own = await addedPlatform(service, 'Lister');
      const key = own.live.key;
      for (const name of ['pending', 'confirmed', 'declined', 'cancelled', 'over', 'swept', 'recent']) {
        const expiresInHours = name === 'over' || name === 'swept' ? 1 : 24;
        requests[name] = await made(service, { userId: `of-${name}`, expiresInHours }, { key });
      }
      await answered(service, of('confirmed'), 'confirm');
      await answered(service, of('declined'), 'decline');
      await cancelled(service, of('cancelled'), key);
      await service.db.execute(`update confirmation set expires_at = $2 where confirmation_id = $1`, [
        of('swept').confirmation.id,
        clock.now(),
      ]);
      expect(await swept(service, 'expiry')).toBe(1);
      clock.aheadMs += HOUR_MS;
      await made(service, { userId: 'of-test' }, { key: own.test.key });
    });

    const of = (name: string): Made => {
      const request = requests[name];
      if (!request) throw new Error(`there is no request ${name}`);
      return request;
    };
    const list = async (query = '', key = own.live.key) => {
      const answer = await service.request('GET', `/confirmations${query}`, { key });
      return answer.status === 200
        ? answer.body.confirmations.map(({ userId }: { userId: string }) => userId.slice('of-'.length))
        : [answer.status, answer.body.code];
    };

    test('shows all requests of its mode, newest first, each as its own read shows it', async () => {
      expect(await list()).toEqual([
        'recent',
        'swept',
        'over',
        'cancelled',
        'declined',
        'confirmed',
        'pending',
      ]);
      expect(await list('', own.test.key)).toEqual(['test']);
      const { body } = await service.request('GET', '/confirmations', { key: own.live.key });
      for (const row of body.confirmations) {
        expect(await read(service, { confirmation: row }, own.live.key)).toEqual(row);
      }
    });

    test.each([
      ['PENDING', ['recent', 'pending']],
      ['CONFIRMED', ['confirmed']],
      ['DECLINED', ['declined']],
      ['CANCELLED', ['cancelled']],
      ['EXPIRED', ['swept', 'over']],
    ])('can be of those that are %s now, swept or not', async (status, names) => {
      expect(await list(`?status=${status}`)).toEqual(names);
      for (const name of names) expect(await list(`?status=${status}&userId=of-${name}`)).toEqual([name]);
      expect(await list(`?status=${status}&userId=of-nobody`)).toEqual([]);
      expect(await list(`?status=${status}&limit=1`)).toEqual(names.slice(0, 1));
    });

    test('can be filtered by subject, in the mode of the key', async () => {
      expect(await list('?userId=of-over')).toEqual(['over']);
      expect(await list('?userId=of-over', own.test.key)).toEqual([]);
    });
  });

  describe('a batch', () => {
    const batch = (confirmations: unknown, headers = {}) =>
      service.request('POST', '/confirmations/batch', { body: { confirmations }, headers });

    test('creates the valid items, and says what is wrong with the others', async () => {
      const { status, body } = await batch([
        asking({ userId: 'batched' }),
        asking({ counterpartyRef: 'WORKER-1' }),
        asking({ userId: 'test:x' }),
        asking({ description: undefined, completedAt: '2999-01-01T00:00:00Z' }),
        asking({ completedAt: '2999-01-01T00:00:00Z' }),
        'no object',
        null,
        asking({ description: 'NUL \u0000' }),
        asking({ userId: 'batched' }),
      ]);
      expect(status).toBe(200);
      expect([body.createdCount, body.skippedCount, body.failedCount]).toEqual([2, 0, 7]);
      const said = body.results.map(({ status, error }: { status: string; error?: { code: string } }) => [
        status,
        error?.code,
      ]);
      expect(said).toEqual([
        ['created', undefined],
        ['failed', 'CONFIRMATION_SELF'],
        ['failed', 'RESERVED_EXTERNAL_ID'],
        ['failed', 'VALIDATION_ERROR'],
        ['failed', 'VALIDATION_ERROR'],
        ['failed', 'VALIDATION_ERROR'],
        ['failed', 'VALIDATION_ERROR'],
        ['failed', 'VALIDATION_ERROR'],
        ['created', undefined],
      ]);
      const paths = body.results
        .slice(3, 8)
        .map(({ error }: { error: { details: { path: string }[] } }) =>
          error.details.map(({ path }) => path),
        );
      expect(paths).toEqual([
        ['confirmations.3.description'],
        ['confirmations.4.completedAt'],
        ['confirmations.5'],
        ['confirmations.6'],
        ['confirmations.7.description'],
      ]);
      const [first, , , , , , , , last] = body.results;
      expect(first).toMatchObject({ index: 0, confirmation: { status: 'PENDING', userId: 'batched' } });
      for (const item of [first, last]) {
        expect(item.confirmUrl).toContain(`/confirm/${item.confirmation.id}?token=${item.confirmationToken}`);
        expect((await answered(service, item, 'confirm')).status).toBe(200);
      }
      const events = (await exportAll(service)).filter(({ userId }) => userId === 'batched');
      expect(events).toHaveLength(2);
    });

    test('has 1 to 100 items', async () => {
      for (const confirmations of [[], Array(101).fill(asking()), undefined, {}, 'x']) {
        const { status, body } = await batch(confirmations);
        expect([status, body.code]).toEqual([400, 'VALIDATION_ERROR']);
      }
      const { status, body } = await batch(Array(100).fill(asking({ userId: 'hundred' })));
      expect([status, body.createdCount]).toEqual([200, 100]);
      const ids = body.results.map(({ confirmation }: Made) => confirmation.id);
      const tokens = body.results.map(({ confirmationToken }: Made) => confirmationToken);
      expect([new Set(ids).size, new Set(tokens).size]).toEqual([100, 100]);
    });

    test('without a valid item creates nothing, and is no error', async () => {
      const { status, body } = await batch([{}, {}]);
      expect([status, body.createdCount, body.failedCount]).toEqual([200, 0, 2]);
    });
  });
});
