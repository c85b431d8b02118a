import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { differencesIn } from '#harness/differencesIn.js';
import { breadth } from '#harness/engines.js';
import { startTestService, type TestService } from '#harness/service.js';
import { exportAll } from '../intake/eventFixtures.js';
import { HOUR_MS, movableClock } from '../tenancy/keyFixtures.js';
import { addedPlatform } from '../tenancy/trail.js';
import { answered, cancelled, made, previewed, read } from './confirmationFixtures.js';

const UNKNOWN_ID = '0199a3c2-7b1e-7c40-8d21-5f0c9b7a1e34';

describe.each(breadth)('answers to confirmations on %s', (engine) => {
  let service: TestService;
  const clock = movableClock();

  beforeAll(async () => {
    service = await startTestService(engine, { clock });
  });

  afterAll(async () => {
    await service.settle();
    const found = await differencesIn(service.db);
    await service.close();
    expect(found).toEqual([]);
  });

  const eventsOf = async (userId: string, key?: string) =>
    (await exportAll(service, { key })).filter((event) => event.userId === userId);

  describe('an answer', () => {
    test('that confirms writes one verified event with everything that was asked, and the score follows', async () => {
      const asked = {
        userId: 'confirmed',
        stakeLevel: 'HIGH',
        transactionValue: 480.5,
        dueDate: '2026-03-01T17:00:00.000Z',
        completedAt: '2026-03-01T15:42:10.000Z',
        metadata: { orderId: 'A-1009', counterpartyRef: 'somebody else', verifiedBy: 'a notary' },
      };
      const request = await made(service, asked);
      const { status, body } = await answered(service, request, 'confirm');
      expect([status, body]).toEqual([200, { status: 'CONFIRMED', eventId: expect.any(String) }]);
      const [event, ...more] = await eventsOf('confirmed');
      expect(more).toEqual([]);
      expect(event).toMatchObject({
        ...asked,
        id: body.eventId,
        eventType: 'CONTRACT_FULFILLED',
        isVerified: true,
        attester: 'customer-88',
        autoImported: false,
      });
      expect(event?.metadata).toEqual(asked.metadata);
      const after = await read(service, request);
      expect(after).toEqual({
        ...request.confirmation,
        status: 'CONFIRMED',
        eventId: body.eventId,
        respondedAt: expect.any(String),
        answer: expect.objectContaining({ channel: 'api', answeredByAsker: true }),
      });
      await service.settle();
      const score = (await service.request('GET', '/users/confirmed/score')).body;
      expect(score).toMatchObject({ totalEvents: 1, verifiedEvents: 1 });
    });

    test('that confirms a request without dates writes an event without dates, which is never on time', async () => {
      const request = await made(service, { userId: 'undated' });
      await answered(service, request, 'confirm');
      expect(await eventsOf('undated')).toMatchObject([
        { dueDate: null, completedAt: null, transactionValue: null, stakeLevel: 'MEDIUM' },
      ]);
    });

    test('about auto-imported activity has a stake below HIGH', async () => {
      const more = { userId: 'imported', stakeLevel: 'HIGH', metadata: { autoImported: true } };
      const request = await made(service, more);
      expect(request.confirmation.stakeLevel).toBe('MEDIUM');
      await answered(service, request, 'confirm');
      expect(await eventsOf('imported')).toMatchObject([{ stakeLevel: 'MEDIUM', autoImported: true }]);
    });

    test('that declines writes nothing', async () => {
      const request = await made(service, { userId: 'declined' });
      const { status, body } = await answered(service, request, 'decline');
      expect([status, body]).toEqual([200, { status: 'DECLINED' }]);
      expect(await eventsOf('declined')).toEqual([]);
      expect((await service.request('GET', '/users/declined/timeline')).status).toBe(404);
      expect(await read(service, request)).toMatchObject({
        status: 'DECLINED',
        eventId: null,
        respondedAt: expect.any(String),
        answer: expect.objectContaining({ channel: 'api', answeredByAsker: true }),
      });
    });

    test.each(['confirm', 'decline'])('to a request that is already %sed is too late', async (first) => {
      const request = await made(service, { userId: `late-after-${first}` });
      await answered(service, request, first);
      for (const decision of ['confirm', 'decline']) {
        const { status, body } = await answered(service, request, decision);
        expect([status, body.code]).toEqual([409, 'CONFIRMATION_NOT_PENDING']);
      }
      expect(await eventsOf(`late-after-${first}`)).toHaveLength(first === 'confirm' ? 1 : 0);
    });

    test('to a cancelled or expired request is too late', async () => {
      const taken = await made(service, { userId: 'taken-back' });
      await cancelled(service, taken);
      const over = await made(service, { userId: 'over', expiresInHours: 1 });
      clock.aheadMs += HOUR_MS;
      for (const [request, was] of [
        [taken, 'CANCELLED'],
        [over, 'EXPIRED'],
      ] as const) {
        const { status, body } = await answered(service, request, 'confirm');
        expect([status, body.code, body.details]).toEqual([409, 'CONFIRMATION_NOT_PENDING', { status: was }]);
      }
      expect([...(await eventsOf('taken-back')), ...(await eventsOf('over'))]).toEqual([]);
    });

    test('is accepted until the last millisecond of the window', async () => {
      const request = await made(service, { userId: 'in-time', expiresInHours: 1 });
      clock.aheadMs += HOUR_MS - 60_000;
      expect((await answered(service, request, 'confirm')).body.status).toBe('CONFIRMED');
    });

    test.each([undefined, null, '', 'CONFIRM', 'yes', true, {}, 'conf\u0000irm'])(
      'other than confirm or decline is refused and decides nothing: %j',
      async (decision) => {
        const request = await made(service);
        const { status, body } = await answered(service, request, decision);
        expect([status, body.code]).toEqual([400, 'VALIDATION_ERROR']);
        expect(body.details).toMatchObject([{ path: 'decision' }]);
        expect((await read(service, request)).status).toBe('PENDING');
      },
    );

    test('without the token is always refused the same way, whatever else is wrong', async () => {
      const pending = await made(service);
      const decided = await made(service);
      await answered(service, decided, 'decline');
      const body = (token: unknown, decision: unknown = 'confirm') => ({ token, decision });
      const wrong = `cft_${'x'.repeat(43)}`;
      const attempts: [id: string, body: object][] = [
        [pending.confirmation.id, body(wrong)],
        [pending.confirmation.id, body(decided.confirmationToken)],
        [pending.confirmation.id, body(pending.confirmationToken.toUpperCase())],
        [pending.confirmation.id, body(`${pending.confirmationToken} `)],
        [pending.confirmation.id, body(wrong, 'nonsense')],
        [pending.confirmation.id, body(undefined)],
        [pending.confirmation.id, body(null)],
        [pending.confirmation.id, body(7)],
        [pending.confirmation.id, body([pending.confirmationToken])],
        [pending.confirmation.id, body('cft_\u0000')],
        [pending.confirmation.id, {}],
        [pending.confirmation.id, []],
        [decided.confirmation.id, body(wrong)],
        [UNKNOWN_ID, body(pending.confirmationToken)],
        ['no-uuid', body(pending.confirmationToken)],
        [service.liveKey, body(service.liveKey)],
      ];
      const answers = [];
      for (const [id, sent] of attempts) {
        const answer = await service.request('POST', `/confirmations/${id}/respond`, {
          key: null,
          body: sent,
        });
        answers.push([answer.status, answer.body.code, answer.body.error, answer.body.details]);
      }
      expect(answers[0]?.slice(0, 2)).toEqual([401, 'CONFIRMATION_TOKEN_INVALID']);
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
      expect((await read(service, pending)).status).toBe('PENDING');
    });

    test('accepts the id in upper or lower case, and needs a body', async () => {
      const request = await made(service);
      const id = request.confirmation.id.toUpperCase();
      const respond = (body?: unknown) =>
        service.request('POST', `/confirmations/${id}/respond`, { key: null, body });
      expect((await respond()).body.code).toBe('BAD_REQUEST');
      expect((await respond('{"token":')).body.code).toBe('BAD_REQUEST');
      expect((await respond({ token: request.confirmationToken, decision: 'confirm' })).status).toBe(200);
    });

    test('records the trust tier that the platform has at that moment', async () => {
      const own = await addedPlatform(service, 'Rising');
      const request = await made(service, { userId: 'risen' }, { key: own.live.key });
      const patch = { admin: true, body: { trustTier: 'ENTERPRISE' } };
      await service.request('PATCH', `/admin/platforms/${own.id}`, patch);
      const { eventId } = (await answered(service, request, 'confirm')).body;
      const rows = await service.db.query('select platform_tier from event where event_id = $1', [eventId]);
      expect(rows).toEqual([{ platformTier: 'ENTERPRISE' }]);
    });

    test('is refused while the platform is closed, and says so', async () => {
      const own = await addedPlatform(service, 'Off and on');
      const request = await made(service, { userId: 'waits' }, { key: own.live.key });
      const set = (isActive: boolean) =>
        service.request('PATCH', `/admin/platforms/${own.id}`, { admin: true, body: { isActive } });
      await set(false);
      for (const answer of [await answered(service, request, 'confirm'), await previewed(service, request)]) {
        expect([answer.status, answer.body.code]).toEqual([409, 'CONFLICT']);
      }
      await set(true);
      expect((await answered(service, request, 'confirm')).status).toBe(200);
    });

    test('in test mode writes a test event and nothing live', async () => {
      const request = await made(service, { userId: 'in-test' }, { key: service.testKey });
      expect((await answered(service, request, 'confirm')).status).toBe(200);
      expect(await eventsOf('in-test', service.testKey)).toMatchObject([
        { livemode: false, isVerified: true },
      ]);
      expect(await eventsOf('in-test')).toEqual([]);
    });
  });

  test('confirmations count for the velocity guard as any event does', async () => {
    const own = await startTestService(engine, { env: { VELOCITY_MAX_PER_HOUR: '2' } });
    try {
      for (let round = 0; round < 3; round += 1) {
        await answered(own, await made(own, { userId: 'rushed' }), 'confirm');
      }
      await own.settle();
      expect((await own.request('GET', '/users/rushed/score')).body.frozen).toBe(true);
    } finally {
      await own.close();
    }
  });
});
