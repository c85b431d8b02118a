import { describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { everyPage } from '#harness/everyPage.js';
import { givenService } from '#harness/givenService.js';
import { answered, asking, type Made, made } from '../attestation/confirmationFixtures.js';
import { disputesOf, filedDispute } from '../attestation/disputeFixtures.js';
import { screen } from '../insight/screeningFixtures.js';
import { anotherPlatform, outcome, report } from '../intake/eventFixtures.js';
import { csvOf, goodRows, sendImport } from '../intake/importFixtures.js';
import { movableClock, UNKNOWN_ID } from '../tenancy/keyFixtures.js';

describe.each(breadth)('lists and single reads on %s', (engine) => {
  const clock = movableClock();

  const service = givenService(engine, { clock });

  const get = (path: string, key?: string) => service.request('GET', path, { key });
  // biome-ignore lint/suspicious/noExplicitAny: lists of many kinds
  const walk = (path: string, member: string, query = '', key?: string): Promise<any[]> =>
    everyPage(service, path, member, { key, query, limit: 2 });

  test('GET /events/{id} shows an event as its report answered it', async () => {
    const fields = { transactionValue: 12.5, dueDate: '2026-01-02T00:00:00Z', metadata: { a: [1] } };
    const { body } = await report(service, outcome(fields));
    expect((await get(`/events/${body.eventId}`)).body).toEqual(body.event);
  });

  test('GET /activation/campaigns lists each as it reads, and GET /confirmations those of one', async () => {
    const start = async (name: string, keys: string[]) => {
      const rows = keys.map((rowKey) => asking({ rowKey, userId: `of-${rowKey}` }));
      return (await service.request('POST', '/activation/campaigns', { body: { name, rows } })).body;
    };
    const first = await start('first', ['a', 'b']);
    await start('second', ['c']);
    for (const { createdAt, funnel, ...campaign } of await walk('/activation/campaigns', 'campaigns')) {
      expect((await get(`/activation/campaigns/${campaign.id}`)).body).toEqual({ campaign, funnel });
      expect(Date.parse(createdAt)).not.toBeNaN();
    }
    const [{ confirmationId: id, confirmationToken }] = first.results;
    await answered(service, { confirmation: { id }, confirmationToken } as Made, 'confirm');
    const confirmations = async (query: string) =>
      (await walk('/confirmations', 'confirmations', query)).map(({ userId }) => userId);
    const ofFirst = `&campaignId=${first.campaign.id}`;
    expect(await confirmations(ofFirst)).toEqual(['of-b', 'of-a']);
    expect(await confirmations(`${ofFirst}&status=PENDING`)).toEqual(['of-b']);
    expect(await confirmations(`&campaignId=${UNKNOWN_ID}`)).toEqual([]);
  });

  test('GET /screenings lists those of one status, and one without progress as failed', async () => {
    const key = (await anotherPlatform(service)).liveKey;
    for (const label of ['one', 'two']) await screen(service, ['worker-1'], { label, key });
    const [{ id, ...others }] = await walk('/screenings', 'screenings', '', key);
    expect((await get(`/screenings/${id}`, key)).body).toEqual({ id, ...others });
    const labels = async (status: string) =>
      (await walk('/screenings', 'screenings', `&status=${status}`, key)).map(({ label }) => label);
    expect(await labels('COMPLETED')).toEqual(['two', 'one']);
    expect(await labels('FAILED')).toEqual([]);
    await service.db.execute(
      `update screening set status = 'RUNNING', completed_at = null where screening_id = $1`,
      [id],
    );
    expect(await labels('RUNNING')).toEqual(['two']);
    clock.aheadMs += 16 * 60_000;
    expect([await labels('RUNNING'), await labels('FAILED')]).toEqual([[], ['two']]);
  });

  describe('a filter', () => {
    test('of confirmations by type combines with every other filter', async () => {
      const key = (await anotherPlatform(service)).liveKey;
      const ask = (userId: string, eventType: string) => made(service, { userId, eventType }, { key });
      await ask('u1', 'CONTRACT_FULFILLED');
      await ask('u1', 'CONTRACT_BREACHED');
      await ask('u2', 'CONTRACT_BREACHED');
      const listed = async (query: string) =>
        (await walk('/confirmations', 'confirmations', `&${query}`, key)).map(
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
      const ids = async (status: string) =>
        (await walk('/imports', 'imports', `&status=${status}`, key)).map((row) => row.id);
      expect(await ids('COMPLETED')).toEqual([id]);
      expect(await ids('FAILED')).toEqual([]);
      expect(await ids('QUEUED')).toEqual([]);
    });
  });
});
