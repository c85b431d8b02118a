import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { startTestService, type TestService } from '#harness/service.js';
import { HOUR_MS, movableClock } from '../tenancy/keyFixtures.js';
import { addedPlatform } from '../tenancy/trail.js';
import { answered, asking, cancelled, type Made, previewed, read, swept } from './confirmationFixtures.js';

interface Result {
  index: number;
  rowKey: string | null;
  status: string;
  confirmationId?: string;
  confirmationToken?: string;
  error?: { code: string; details?: { path: string }[] };
}

describe.each(breadth)('activation campaigns on %s', (engine) => {
  let service: TestService;
  const clock = movableClock();

  beforeAll(async () => {
    service = await startTestService(engine, { clock });
  });

  afterAll(() => service.close());

  const row = (rowKey: unknown, more: object = {}) => asking({ rowKey, ...more });
  const bad = (rowKey: unknown) => row(rowKey, { counterpartyRef: 'Worker - 1'.replaceAll(' ', '') });
  const post = (
    name: unknown,
    rows: unknown,
    options: { key?: string; headers?: Record<string, string> } = {},
  ) => service.request('POST', '/activation/campaigns', { ...options, body: { name, rows } });
  const funnelOf = async (id: string, key?: string) =>
    (await service.request('GET', `/activation/campaigns/${id}`, { key })).body;
  const statuses = (results: Result[]) => results.map(({ rowKey, status }) => `${rowKey} ${status}`);
  const asMade = ({ confirmationId, confirmationToken }: Result): Made =>
    ({ confirmation: { id: confirmationId }, confirmationToken }) as Made;
  const countOf = async (userId: string) =>
    (await service.request('GET', `/confirmations?limit=100&userId=${userId}`)).body.confirmations.length;

  test('each valid row becomes a request with its own token and URLs', async () => {
    const { status, body } = await post('Spring', [
      row('a', { stakeLevel: 'LOW', userId: 'of-spring' }),
      bad('b'),
      row('c', { userId: 'of-spring' }),
    ]);
    expect(status).toBe(201);
    expect(body).toMatchObject({ campaign: { id: expect.any(String), name: 'Spring' }, duplicates: 0 });
    expect(statuses(body.results)).toEqual(['a created', 'b failed', 'c created']);
    const [first, second, third] = body.results;
    expect(second.error.code).toBe('CONFIRMATION_SELF');
    expect(second).not.toHaveProperty('confirmationToken');
    const { confirmationId: target, confirmationToken: token } = first;
    expect(token).toMatch(/^cft_/);
    expect(first.confirmUrl).toContain(`/confirm/${target}?token=${token}`);
    expect(first.previewUrl).toContain(`/api/v1/confirmations/${target}/preview?token=${token}`);
    expect(first.respondUrl).toContain(`/api/v1/confirmations/${target}/respond`);
    expect((await previewed(service, asMade(first))).body.status).toBe('PENDING');
    const campaignId = body.campaign.id;
    const asked = { campaignId, stakeLevel: 'LOW', status: 'PENDING' };
    expect(await read(service, asMade(first))).toMatchObject(asked);
    const trail = await service.request('GET', '/activity?action=CONFIRMATION_REQUEST_CREATED');
    expect(trail.body.activity.slice(0, 2)).toMatchObject([
      { target: third.confirmationId, details: { campaignId } },
      { target, details: { campaignId, userId: 'of-spring' } },
    ]);
  });

  test('a row with a known key asks nobody again; new rows are added under the same name', async () => {
    const userId = `of-again-${engine}`;
    const first = (await post('Again', [row('a', { userId })])).body;
    const { status, body } = await post('Again', [
      row('a', { userId, description: 'Something else' }),
      { rowKey: 'a' },
      row('b', { userId }),
    ]);
    expect([status, body.campaign]).toEqual([201, first.campaign]);
    expect(statuses(body.results)).toEqual(['a duplicate', 'a duplicate', 'b created']);
    expect(body.duplicates).toBe(2);
    const [{ confirmationId }] = first.results;
    expect(body.results.slice(0, 2)).toEqual([
      { index: 0, rowKey: 'a', status: 'duplicate', confirmationId },
      { index: 1, rowKey: 'a', status: 'duplicate', confirmationId },
    ]);
    expect(await countOf(userId)).toBe(2);
  });

  test('a batch of known rows only is no error, valid or not', async () => {
    const first = (await post('All known', [row('a'), row('b')])).body;
    const { status, body } = await post('All known', [row('a'), { rowKey: 'b' }, {}]);
    expect([status, body.campaign, body.duplicates]).toEqual([201, first.campaign, 2]);
    expect(statuses(body.results)).toEqual(['a duplicate', 'b duplicate', 'null failed']);
  });

  test('of two rows with one key in a batch the first counts, valid or not', async () => {
    const { body } = await post('In batch', [row('a'), row('a'), bad('b'), row('b')]);
    expect(statuses(body.results)).toEqual(['a created', 'a duplicate', 'b failed', 'b duplicate']);
    expect(body.results[1].confirmationId).toBe(body.results[0].confirmationId);
    expect(body.results[3]).not.toHaveProperty('confirmationId');
    expect(body.duplicates).toBe(2);
    expect((await funnelOf(body.campaign.id)).funnel.submitted).toBe(1);
  });

  test('a batch without a valid row is refused and creates no campaign', async () => {
    const rows = [
      bad('a'),
      row('a'),
      { rowKey: 'b' },
      ...[undefined, 7, ''].map((key) => row(key)),
      'x',
      row('n\u0000ul'),
    ];
    const { status, body } = await post('Nothing good', rows);
    expect([status, body.code]).toEqual([400, 'ACTIVATION_NO_VALID_ROWS']);
    const { results, duplicates } = body.details;
    expect(duplicates).toBe(1);
    const noKeys = Array(5).fill('null failed');
    expect(statuses(results)).toEqual(['a failed', 'a duplicate', 'b failed', ...noKeys]);
    const paths = results.slice(3).map(({ error }: Result) => error?.details?.[0]?.path);
    expect(paths).toEqual(['rows.3.rowKey', 'rows.4.rowKey', 'rows.5.rowKey', 'rows.6', 'rows.7.rowKey']);
    const stored = await service.db.query("select 1 from activation_campaign where name = 'Nothing good'");
    expect(stored).toEqual([]);
  });

  test('a batch without a valid row leaves an existing campaign unchanged', async () => {
    const { campaign } = (await post('Stays', [row('a')])).body;
    const { body } = await post('Stays', [bad('b')]);
    expect(body.code).toBe('ACTIVATION_NO_VALID_ROWS');
    expect(await funnelOf(campaign.id)).toMatchObject({ campaign, funnel: { submitted: 1, pending: 1 } });
  });

  test('accepts 500 rows with keys of the maximum length, and no more', async () => {
    const rows = Array.from({ length: 500 }, (_, index) => row(String(index).padStart(255, 'k')));
    expect((await post('Whole book', [...rows, row('one more')])).body.code).toBe('VALIDATION_ERROR');
    const { status, body } = await post('Whole book', rows);
    expect([status, body.results.length, body.duplicates]).toEqual([201, 500, 0]);
    expect(new Set(body.results.map(({ confirmationToken }: Result) => confirmationToken)).size).toBe(500);
    expect((await funnelOf(body.campaign.id)).funnel).toMatchObject({ submitted: 500, pending: 500 });
  });

  test('the counts follow the requests before any sweep', async () => {
    const keys = ['confirmed', 'declined', 'cancelled', 'over', 'pending'];
    const rows = keys.map((key) => row(key, { expiresInHours: key === 'over' ? 1 : 24 }));
    const { campaign, results } = (await post('Funnel', rows)).body;
    const [confirmed, declined, taken] = results.map(asMade);
    const none = { confirmed: 0, declined: 0, expired: 0, cancelled: 0 };
    expect(await funnelOf(campaign.id)).toEqual({ campaign, funnel: { submitted: 5, ...none, pending: 5 } });
    await answered(service, confirmed, 'confirm');
    await answered(service, declined, 'decline');
    await cancelled(service, taken);
    clock.aheadMs += HOUR_MS;
    const one = { confirmed: 1, declined: 1, expired: 1, cancelled: 1 };
    const expected = { campaign, funnel: { submitted: 5, ...one, pending: 1 } };
    expect(await funnelOf(campaign.id)).toEqual(expected);
    await swept(service, 'expiry');
    expect(await funnelOf(campaign.id)).toEqual(expected);
  });

  test('a name is unique within one platform and mode', async () => {
    const own = await addedPlatform(service, 'Namesake');
    const ids = [];
    for (const key of [service.liveKey, service.testKey, own.live.key, own.test.key]) {
      const { status, body } = await post('Same name', [row('a')], { key });
      expect([status, body.results[0].status]).toEqual([201, 'created']);
      ids.push(body.campaign.id);
    }
    expect(new Set(ids).size).toBe(4);
  });

  test('a reset of test data deletes campaigns: their rows are new again', async () => {
    const own = await addedPlatform(service, 'Starts over');
    const key = own.test.key;
    const first = (await post('Over', [row('a')], { key })).body;
    await service.request('DELETE', '/test/data', { key });
    expect((await funnelOf(first.campaign.id, key)).code).toBe('NOT_FOUND');
    expect((await post('Over', [row('a')], { key })).body.results[0].status).toBe('created');
  });
});
