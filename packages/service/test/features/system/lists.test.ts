import { describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { startTestService } from '#harness/service.js';
import { suiteService } from '#harness/suiteService.js';
import { answered, asking, made } from '../attestation/confirmationFixtures.js';
import { disputesOf, filedDispute } from '../attestation/disputeFixtures.js';
import { screen } from '../insight/screeningFixtures.js';
import { anotherPlatform, outcome, report } from '../intake/eventFixtures.js';
import { csvOf, goodRows, sendImport } from '../intake/importFixtures.js';
import { movableClock, UNKNOWN_ID } from '../tenancy/keyFixtures.js';

describe.each(breadth)('lists and single reads on %s', (engine) => {
  const clock = movableClock();

  const service = suiteService(() => startTestService(engine, { clock }));

  const get = (path: string, key?: string) => service.request('GET', path, { key });
  /** Everything a list leads to, in pages of two. */
  const walk = async (path: string, name: string, key?: string) => {
    const found = [];
    for (let cursor = ''; ; ) {
      const { status, body, text } = await get(`${path}limit=2${cursor}`, key);
      if (status !== 200) throw new Error(text);
      found.push(...body[name]);
      if (body.nextCursor === null) return found;
      cursor = `&cursor=${body.nextCursor}`;
    }
  };

  describe('GET /events/{id}', () => {
    test('shows an event as its report answered it', async () => {
      const event = outcome({
        transactionValue: 12.5,
        dueDate: '2026-01-02T00:00:00Z',
        metadata: { a: [1] },
      });
      const { body } = await report(service, event);
      expect(await get(`/events/${body.eventId}`)).toMatchObject({ status: 200, body: body.event });
    });

    test('does not shadow the export and the stream', async () => {
      expect((await get('/events/export')).body).toHaveProperty('events');
      expect((await get('/events/stream?types=nonsense')).status).toBe(400);
    });
  });

  describe('GET /activation/campaigns', () => {
    test('lists campaigns newest first, each with its own funnel', async () => {
      const rows = (...keys: string[]) => keys.map((rowKey) => asking({ rowKey, userId: `of-${rowKey}` }));
      const start = async (name: string, keys: string[]) =>
        (await service.request('POST', '/activation/campaigns', { body: { name, rows: rows(...keys) } }))
          .body;
      const first = await start('first', ['a', 'b', 'c']);
      await start('second', ['d']);
      await start('third', ['e']);
      const [yes, no] = first.results;
      const asMade = (row: typeof yes) => ({
        confirmation: { id: row.confirmationId },
        confirmationToken: row.confirmationToken,
      });
      await answered(service, asMade(yes), 'confirm');
      await answered(service, asMade(no), 'decline');

      const listed = await walk('/activation/campaigns?', 'campaigns');
      expect(listed.map(({ name }) => name)).toEqual(['third', 'second', 'first']);
      for (const { createdAt, funnel, ...campaign } of listed) {
        expect((await get(`/activation/campaigns/${campaign.id}`)).body).toEqual({ campaign, funnel });
        expect(Date.parse(createdAt)).not.toBeNaN();
      }
      const none = { submitted: 0, confirmed: 0, declined: 0, expired: 0, cancelled: 0, pending: 0 };
      expect(listed[2].funnel).toEqual({ ...none, submitted: 3, confirmed: 1, declined: 1, pending: 1 });
      expect(await walk('/activation/campaigns?', 'campaigns', service.testKey)).toEqual([]);

      const ofFirst = await walk(`/confirmations?campaignId=${first.campaign.id}&`, 'confirmations');
      expect(ofFirst.map(({ userId }) => userId)).toEqual(['of-c', 'of-b', 'of-a']);
      const pending = `/confirmations?campaignId=${first.campaign.id}&status=PENDING&`;
      expect((await walk(pending, 'confirmations')).map(({ userId }) => userId)).toEqual(['of-c']);
      expect(await walk(`/confirmations?campaignId=${UNKNOWN_ID}&`, 'confirmations')).toEqual([]);
    });
  });

  describe('GET /screenings', () => {
    test('lists screenings newest first, and those of one status', async () => {
      for (const label of ['one', 'two', 'three']) await screen(service, ['worker-1'], { label });
      const labels = async (query = '') =>
        (await walk(`/screenings?${query}`, 'screenings')).map(({ label }) => label);
      expect(await labels()).toEqual(['three', 'two', 'one']);
      expect(await labels('status=COMPLETED&')).toEqual(['three', 'two', 'one']);
      expect(await labels('status=FAILED&')).toEqual([]);
      expect(await walk('/screenings?', 'screenings', service.testKey)).toEqual([]);
      const [{ id, ...others }] = await walk('/screenings?', 'screenings');
      expect((await get(`/screenings/${id}`)).body).toEqual({ id, ...others });
    });

    test('a screening without progress is listed as failed', async () => {
      const key = (await anotherPlatform(service)).liveKey;
      const { id } = (await screen(service, ['worker-1'], { key })).body;
      await service.db.execute(
        `update screening set status = 'RUNNING', completed_at = null where screening_id = $1`,
        [id],
      );
      expect(await walk('/screenings?status=RUNNING&', 'screenings', key)).toHaveLength(1);
      clock.aheadMs += 16 * 60_000;
      expect(await walk('/screenings?status=RUNNING&', 'screenings', key)).toEqual([]);
      expect(await walk('/screenings?status=FAILED&', 'screenings', key)).toMatchObject([
        { id, status: 'FAILED' },
      ]);
    });
  });

  describe('a filter', () => {
    test('of confirmations by type combines with every other filter', async () => {
      const key = (await anotherPlatform(service)).liveKey;
      const ask = (userId: string, eventType: string) => made(service, { userId, eventType }, { key });
      await ask('u1', 'CONTRACT_FULFILLED');
      await ask('u1', 'CONTRACT_BREACHED');
      await ask('u2', 'CONTRACT_BREACHED');
      const listed = async (query: string) =>
        (await walk(`/confirmations?${query}&`, 'confirmations', key)).map(
          ({ userId, eventType }) => `${userId} ${eventType.slice('CONTRACT_'.length)}`,
        );
      expect(await listed('eventType=CONTRACT_BREACHED')).toEqual(['u2 BREACHED', 'u1 BREACHED']);
      expect(await listed('eventType=CONTRACT_BREACHED&userId=u1')).toEqual(['u1 BREACHED']);
      expect(await listed('eventType=CONTRACT_BREACHED&status=PENDING')).toHaveLength(2);
      expect(await listed('eventType=CONTRACT_BREACHED&status=CONFIRMED')).toEqual([]);
      expect(await listed('eventType=REVIEW_VERIFIED')).toEqual([]);
    });

    test('of disputes by event combines with every other filter', async () => {
      const key = (await anotherPlatform(service)).liveKey;
      const one = await filedDispute(service, { userId: 'u1' }, key);
      await filedDispute(service, { userId: 'u1' }, key);
      const ids = async (query: string) => (await disputesOf(service, query, key)).map(({ id }) => id);
      expect(await ids(`eventId=${one.eventId}`)).toEqual([one.id]);
      expect(await ids(`eventId=${one.eventId}&status=OPEN&userId=u1`)).toEqual([one.id]);
      expect(await ids(`eventId=${one.eventId}&status=RESOLVED_FOR_USER`)).toEqual([]);
      expect(await ids(`eventId=${one.eventId}&userId=u2`)).toEqual([]);
      expect(await ids(`eventId=${UNKNOWN_ID}`)).toEqual([]);
      expect((await disputesOf(service, `eventId=${one.eventId}`, service.liveKey)).length).toBe(0);
    });

    test('of imports by status lists only those', async () => {
      const key = (await anotherPlatform(service)).liveKey;
      const { id } = (await sendImport(service, csvOf(goodRows(2)), { key })).body;
      const ids = async (query: string) =>
        (await walk(`/imports?${query}`, 'imports', key)).map((row) => row.id);
      expect(await ids('status=COMPLETED&')).toEqual([id]);
      expect(await ids('status=FAILED&')).toEqual([]);
      expect(await ids('status=QUEUED&')).toEqual([]);
    });

    test('of the book by the beginning of an id matches it literally', async () => {
      const key = (await anotherPlatform(service)).liveKey;
      for (const userId of ['ana', 'an', 'Ana', 'anb', 'an%', 'an_', 'ao', 'z\u{10FFFF}z']) {
        await report(service, outcome({ userId }), { key });
      }
      await service.settle();
      const listed = async (q: string, more = '') => {
        const path = `/users?q=${encodeURIComponent(q)}&${more}`;
        return (await walk(path, 'users', key)).map(({ externalId }) => externalId).sort();
      };
      expect(await listed('an')).toEqual(['an', 'an%', 'an_', 'ana', 'anb']);
      expect(await listed('an', 'sort=externalId&')).toEqual(['an', 'an%', 'an_', 'ana', 'anb']);
      expect(await listed('an', 'hasScore=true&sort=registered&')).toHaveLength(5);
      expect(await listed('an%')).toEqual(['an%']);
      expect(await listed('an_')).toEqual(['an_']);
      expect(await listed('z\u{10FFFF}')).toEqual(['z\u{10FFFF}z']);
      expect(await listed('')).toHaveLength(8);
      const summary = await get('/users/summary?q=an', key);
      expect(summary.body).toMatchObject({ matched: 5, scored: 5 });
      expect(await get('/users?q=%00', key)).toMatchObject({
        status: 400,
        body: { code: 'BOOK_QUERY_INVALID' },
      });
    });

    test.each([
      ['/confirmations', 'status=DONE'],
      ['/confirmations', 'eventType=DISPUTE_FILED'],
      ['/confirmations', 'campaignId=spring'],
      ['/disputes', 'status=CLOSED'],
      ['/disputes', 'eventId=event-1'],
      ['/imports', 'status=DONE'],
      ['/screenings', 'status=DONE'],
      ['/references', 'status=DONE'],
      [`/webhooks/${UNKNOWN_ID}/deliveries`, 'status=pending'],
      [`/webhooks/${UNKNOWN_ID}/deliveries`, 'type=coffee.made'],
      ['/users/nobody/trust-summary', 'narrative=yes'],
    ])('%s?%s is refused with the name of the parameter', async (path, query) => {
      const { status, body } = await get(`${path}?${query}`);
      expect(status).toBe(400);
      expect(body).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ path: query.split('=')[0] }] });
    });
  });
});
