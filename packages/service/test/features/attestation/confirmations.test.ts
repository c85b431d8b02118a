import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { confirmableEventTypes } from '#domain/catalogues/enums.js';
import { breadth } from '#harness/engines.js';
import { startTestService, type TestService } from '#harness/service.js';
import { outcome, report } from '../intake/eventFixtures.js';
import { HOUR_MS, movableClock } from '../tenancy/keyFixtures.js';
import { addedPlatform } from '../tenancy/trail.js';
import { answered, ask, asking, cancelled, made, previewed, read } from './confirmationFixtures.js';

const UNKNOWN_ID = '0199a3c2-7b1e-7c40-8d21-5f0c9b7a1e34';

describe.each(breadth)('confirmations on %s', (engine) => {
  let service: TestService;
  const clock = movableClock();

  beforeAll(async () => {
    const env = { BASE_URL: 'https://trust.example', CONFIRMATION_EXPIRY_HOURS: '336' };
    service = await startTestService(engine, { clock, env });
  });

  afterAll(() => service.close());

  describe('a request', () => {
    test('answers with the request, a token and three URLs', async () => {
      const body = asking({
        stakeLevel: 'HIGH',
        transactionValue: 480.5,
        dueDate: '2026-03-01T17:00:00.000Z',
        completedAt: '2026-03-01T15:42:10.000Z',
        counterpartyName: 'R. Okafor',
        returnUrl: 'https://platform.example/orders/A-1009?x=1#top',
        metadata: { orderId: 'A-1009' },
      });
      const { status, body: answer } = await ask(service, body);
      const { metadata: _, ...details } = body;
      const { id } = answer.confirmation;
      expect(status).toBe(201);
      expect(answer.confirmation).toEqual({
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
        status: 'PENDING',
        ...details,
        campaignId: null,
        eventId: null,
        createdAt: expect.any(String),
        expiresAt: expect.any(String),
        respondedAt: null,
        answer: null,
      });
      const { createdAt, expiresAt } = answer.confirmation;
      expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(336 * HOUR_MS);
      const { confirmationToken: token } = answer;
      expect(token).toMatch(/^cft_[A-Za-z0-9_-]{43}$/);
      expect(answer.confirmUrl).toBe(`https://trust.example/confirm/${id}?token=${token}`);
      const address = `https://trust.example/api/v1/confirmations/${id}`;
      expect(answer.previewUrl).toBe(`${address}/preview?token=${token}`);
      expect(answer.respondUrl).toBe(`${address}/respond`);
      expect(await read(service, answer)).toEqual(answer.confirmation);
    });

    test('with only the required fields gets the defaults, and null counts as left out', async () => {
      const bare = (await made(service)).confirmation;
      const nulls = {
        transactionValue: null,
        dueDate: null,
        completedAt: null,
        counterpartyName: null,
        returnUrl: null,
      };
      const unshown = { stakeLevel: null, metadata: null, expiresInHours: null };
      const filled = (await made(service, { ...nulls, ...unshown })).confirmation;
      for (const confirmation of [bare, filled]) {
        expect(confirmation).toMatchObject({ ...nulls, stakeLevel: 'MEDIUM' });
      }
    });

    test.each([1, 1.5, 2160])('has the window it asks for: %d hours', async (expiresInHours) => {
      const { createdAt, expiresAt } = (await made(service, { expiresInHours })).confirmation;
      expect(Date.parse(String(expiresAt)) - Date.parse(String(createdAt))).toBe(expiresInHours * HOUR_MS);
    });

    test.each([
      [{ userId: undefined }, 'userId', 'required'],
      [{ userId: '' }, 'userId', 'too_small'],
      [{ userId: '.' }, 'userId', 'custom'],
      [{ eventType: undefined }, 'eventType', 'required'],
      [{ eventType: 'DISPUTE_RESOLVED_FOR_USER' }, 'eventType', 'invalid_value'],
      [{ eventType: 'DISPUTE_FILED' }, 'eventType', 'invalid_value'],
      [{ eventType: 'SKILL_VERIFIED' }, 'eventType', 'invalid_value'],
      [{ stakeLevel: 'HUGE' }, 'stakeLevel', 'invalid_value'],
      [{ transactionValue: -1 }, 'transactionValue', 'too_small'],
      [{ transactionValue: 1.1e15 }, 'transactionValue', 'too_big'],
      [{ dueDate: 'tomorrow' }, 'dueDate', 'invalid_format'],
      [{ completedAt: '2026-03-01' }, 'completedAt', 'invalid_format'],
      [{ completedAt: '2999-01-01T00:00:00Z' }, 'completedAt', 'custom'],
      [{ counterpartyRef: undefined }, 'counterpartyRef', 'required'],
      [{ counterpartyRef: '' }, 'counterpartyRef', 'too_small'],
      [{ counterpartyRef: ' \u200b\t' }, 'counterpartyRef', 'custom'],
      [{ counterpartyRef: 'x'.repeat(256) }, 'counterpartyRef', 'too_big'],
      [{ counterpartyName: 'x'.repeat(256) }, 'counterpartyName', 'too_big'],
      [{ description: undefined }, 'description', 'required'],
      [{ description: '' }, 'description', 'too_small'],
      [{ description: 'x'.repeat(2001) }, 'description', 'too_big'],
      [{ description: 'half \ud800' }, 'description', 'invalid_format'],
      [{ returnUrl: 'http://platform.example/' }, 'returnUrl', 'custom'],
      [{ returnUrl: 'javascript:alert(1)' }, 'returnUrl', 'custom'],
      [{ returnUrl: 'https:platform.example' }, 'returnUrl', 'custom'],
      [{ returnUrl: 'https://' }, 'returnUrl', 'custom'],
      [{ returnUrl: 'https://user@platform.example/' }, 'returnUrl', 'custom'],
      [{ returnUrl: 'https://:pass@platform.example/' }, 'returnUrl', 'custom'],
      [{ returnUrl: 'https://platform.example\\@evil.example/' }, 'returnUrl', 'custom'],
      [{ returnUrl: 'https://platform.example/\nx' }, 'returnUrl', 'custom'],
      [{ returnUrl: ' https://platform.example/' }, 'returnUrl', 'custom'],
      [{ returnUrl: `https://platform.example/${'x'.repeat(2048)}` }, 'returnUrl', 'too_big'],
      [{ expiresInHours: 0.9 }, 'expiresInHours', 'too_small'],
      [{ expiresInHours: 2160.1 }, 'expiresInHours', 'too_big'],
      [{ expiresInHours: '24' }, 'expiresInHours', 'invalid_type'],
      [{ metadata: { note: 'x'.repeat(8192) } }, 'metadata', 'custom'],
      [{ metadata: [] }, 'metadata', 'invalid_type'],
    ])('is refused: %j', async (more, path, code) => {
      const { status, body } = await ask(service, asking(more));
      expect([status, body.code]).toEqual([400, 'VALIDATION_ERROR']);
      expect(body.details).toEqual([expect.objectContaining({ path, code })]);
    });

    test('accepts texts of the maximum length', async () => {
      const most = {
        userId: 'u'.repeat(255),
        counterpartyRef: 'r'.repeat(255),
        counterpartyName: 'n'.repeat(255),
        description: 'd'.repeat(2000),
        returnUrl: `https://platform.example/${'x'.repeat(2023)}`,
        transactionValue: 1e15,
      };
      expect((await made(service, most)).confirmation).toMatchObject(most);
    });

    test.each(confirmableEventTypes)('can be about %s', async (eventType) => {
      expect((await made(service, { eventType })).confirmation.eventType).toBe(eventType);
    });

    test('cannot name the subject as the counterparty, in any spelling', async () => {
      const spellings = ['worker 1', 'WORKER 1', ' w o r k e r\t1\n', 'ｗｏｒｋｅｒ１', 'work\u200ber1'];
      for (const counterpartyRef of spellings) {
        const { status, body } = await ask(service, asking({ userId: 'Worker 1', counterpartyRef }));
        expect([counterpartyRef, status, body.code]).toEqual([counterpartyRef, 400, 'CONFIRMATION_SELF']);
      }
      expect((await ask(service, asking({ userId: 'Worker 1', counterpartyRef: 'worker-1' }))).status).toBe(
        201,
      );
    });

    test('in live mode refuses ids that are reserved for tests', async () => {
      const body = asking({ userId: 'test:worker' });
      expect((await ask(service, body)).body.code).toBe('RESERVED_EXTERNAL_ID');
      expect((await ask(service, body, { key: service.testKey })).status).toBe(201);
    });

    test('creates no subject', async () => {
      await made(service, { userId: 'only-asked-about' });
      const { status, body } = await service.request('GET', '/users/only-asked-about/timeline');
      expect([status, body.code]).toEqual([404, 'USER_NOT_FOUND']);
    });
  });

  describe('the preview', () => {
    test('shows only what the counterparty needs, in every state', async () => {
      const more = {
        stakeLevel: 'HIGH',
        transactionValue: 12,
        dueDate: '2026-03-01T17:00:00.000Z',
        counterpartyName: 'R. Okafor',
        returnUrl: 'https://platform.example/',
        metadata: { secret: 'of the platform' },
        expiresInHours: 1,
      };
      const details = {
        id: expect.any(String),
        platformName: 'Default',
        userId: 'worker-1',
        eventType: 'CONTRACT_FULFILLED',
        description: 'Kitchen fitted at 12 Mill Lane',
        transactionValue: 12,
        dueDate: '2026-03-01T17:00:00.000Z',
        completedAt: null,
        expiresAt: expect.any(String),
      };
      const [pending, confirmed, declined, taken, over] = [
        await made(service, { ...more, expiresInHours: 5 }),
        await made(service, more),
        await made(service, more),
        await made(service, more),
        await made(service, more),
      ];
      await answered(service, confirmed, 'confirm');
      await answered(service, declined, 'decline');
      await cancelled(service, taken);
      clock.aheadMs += HOUR_MS;
      for (const [request, status] of [
        [pending, 'PENDING'],
        [confirmed, 'CONFIRMED'],
        [declined, 'DECLINED'],
        [taken, 'CANCELLED'],
        [over, 'EXPIRED'],
      ] as const) {
        const answer = await previewed(service, request);
        expect([answer.status, answer.body]).toEqual([200, { ...details, status }]);
        expect(answer.headers.get('cache-control')).toBe('no-store');
      }
    });

    test('needs the token, but no key', async () => {
      const request = await made(service);
      const { confirmationToken: token } = request;
      const get = (id: string, query: string) =>
        service.request('GET', `/confirmations/${id}/preview${query}`, { key: null });
      const { id } = request.confirmation;
      for (const query of ['', `?token=${token}&token=${token}`, `?token[]=${token}`]) {
        const { status, body } = await get(id, query);
        expect([query, status, body.code]).toEqual([query, 401, 'CONFIRMATION_TOKEN_INVALID']);
      }
      const refused = [];
      for (const [of, query] of [
        [id, '?token='],
        [id, '?token=x'],
        [id, '?token=%00'],
        [UNKNOWN_ID, `?token=${token}`],
        ['no-uuid', `?token=${token}`],
      ] as const) {
        const { status, body } = await get(of, query);
        refused.push([status, body.code, body.error, body.details]);
      }
      expect(refused[0]?.slice(0, 2)).toEqual([401, 'CONFIRMATION_TOKEN_INVALID']);
      expect(new Set(refused.map((answer) => JSON.stringify(answer))).size).toBe(1);
      // A key does not replace the token.
      expect((await service.request('GET', `/confirmations/${id}/preview`)).status).toBe(401);
    });
  });

  describe('cancelling a request', () => {
    test('answers with the request, and works once', async () => {
      const request = await made(service, { userId: 'withdrawn' });
      const first = await cancelled(service, request);
      expect([first.status, first.body]).toEqual([200, { ...request.confirmation, status: 'CANCELLED' }]);
      const second = await cancelled(service, request);
      expect([second.status, second.body.code]).toEqual([409, 'CONFIRMATION_NOT_PENDING']);
      expect(await read(service, request)).toEqual(first.body);
    });

    test.each(['confirm', 'decline'])('comes too late for a request that is %sed', async (decision) => {
      const request = await made(service);
      await answered(service, request, decision);
      expect((await cancelled(service, request)).body.code).toBe('CONFIRMATION_NOT_PENDING');
    });

    test('comes too late after the window', async () => {
      const request = await made(service, { expiresInHours: 1 });
      clock.aheadMs += HOUR_MS;
      expect((await cancelled(service, request)).body.code).toBe('CONFIRMATION_NOT_PENDING');
    });
  });

  test('a reset of test data deletes test requests and keeps live ones', async () => {
    const own = await addedPlatform(service, 'Reset');
    const [live, pending, confirmed] = [
      await made(service, {}, { key: own.live.key }),
      await made(service, { userId: 'unheard-of' }, { key: own.test.key }),
      await made(service, {}, { key: own.test.key }),
    ];
    await answered(service, confirmed, 'confirm');
    await report(service, outcome(), { key: own.test.key });
    await service.request('DELETE', '/test/data', { key: own.test.key });
    const listed = (key: string) => service.request('GET', '/confirmations', { key });
    expect((await listed(own.test.key)).body.confirmations).toEqual([]);
    expect((await listed(own.live.key)).body.confirmations).toHaveLength(1);
    for (const request of [pending, confirmed]) {
      expect((await previewed(service, request)).status).toBe(401);
      expect((await answered(service, request, 'confirm')).status).toBe(401);
    }
    expect((await previewed(service, live)).status).toBe(200);
    const tokens = await service.db.query('select 1 from witness_token where platform_id = $1', [own.id]);
    expect(tokens).toHaveLength(1);
  });
});
