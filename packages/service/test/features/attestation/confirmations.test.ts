import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { confirmableEventTypes } from '#domain/catalogues/enums.js';
import { differencesIn } from '#harness/differencesIn.js';
import { breadth } from '#harness/engines.js';
import { startTestService, type TestService } from '#harness/service.js';
import { headingOf, open, post } from '../../pages/hostedFixtures.js';
import { exportAll } from '../intake/eventFixtures.js';
import { addedPlatform } from '../tenancy/trail.js';
import { answered, ask, asking, type Made, made, previewed, read } from './confirmationFixtures.js';

/** What `attestations.test.ts` does not say of both kinds. */
describe.each(breadth)('confirmations on %s', (engine) => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService(engine, { env: { VELOCITY_MAX_PER_HOUR: '2' } });
  });

  afterAll(async () => {
    await service.settle();
    const found = await differencesIn(service.db);
    await service.close();
    expect(found).toEqual([]);
  });

  const eventsOf = async (userId: string) =>
    (await exportAll(service)).filter((event) => event.userId === userId);

  test.each([
    [{ userId: '.' }, 'userId', 'custom'],
    [{ eventType: 'DISPUTE_RESOLVED_FOR_USER' }, 'eventType', 'invalid_value'],
    [{ eventType: 'DISPUTE_FILED' }, 'eventType', 'invalid_value'],
    [{ eventType: 'SKILL_VERIFIED' }, 'eventType', 'invalid_value'],
    [{ completedAt: '2999-01-01T00:00:00Z' }, 'completedAt', 'custom'],
    [{ description: 'half \ud800' }, 'description', 'invalid_format'],
    [{ metadata: { note: 'x'.repeat(8192) } }, 'metadata', 'custom'],
  ])('a request is refused: %j', async (more, path, code) => {
    const { status, body } = await ask(service, asking(more));
    expect([status, body.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(body.details).toEqual([expect.objectContaining({ path, code })]);
  });

  test.each(confirmableEventTypes)('a request can be about %s', async (eventType) => {
    expect((await made(service, { eventType })).confirmation.eventType).toBe(eventType);
  });

  test('neither a request nor a no creates a subject', async () => {
    const request = await made(service, { userId: 'only-asked-about' });
    for (const act of [async () => {}, () => answered(service, request, 'decline')]) {
      await act();
      const { status, body } = await service.request('GET', '/users/only-asked-about/timeline');
      expect([status, body.code]).toEqual([404, 'USER_NOT_FOUND']);
    }
  });

  test('a yes writes one verified event with everything that was asked, and the score follows', async () => {
    const asked = {
      userId: 'confirmed',
      stakeLevel: 'HIGH',
      transactionValue: 480.5,
      dueDate: '2026-03-01T17:00:00.000Z',
      completedAt: '2026-03-01T15:42:10.000Z',
      metadata: { orderId: 'A-1009', counterpartyRef: 'somebody else', verifiedBy: 'a notary' },
    };
    const request = await made(service, asked);
    const { body } = await answered(service, request, 'confirm');
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
    await service.settle();
    const score = (await service.request('GET', '/users/confirmed/score')).body;
    expect(score).toMatchObject({ totalEvents: 1, verifiedEvents: 1 });
  });

  test('a request without dates writes an event without dates, which is never on time', async () => {
    await answered(service, await made(service, { userId: 'undated' }), 'confirm');
    expect(await eventsOf('undated')).toMatchObject([
      { dueDate: null, completedAt: null, transactionValue: null, stakeLevel: 'MEDIUM' },
    ]);
  });

  test('auto-imported activity has a stake below HIGH', async () => {
    const more = { userId: 'imported', stakeLevel: 'HIGH', metadata: { autoImported: true } };
    const request = await made(service, more);
    expect(request.confirmation.stakeLevel).toBe('MEDIUM');
    await answered(service, request, 'confirm');
    expect(await eventsOf('imported')).toMatchObject([{ stakeLevel: 'MEDIUM', autoImported: true }]);
  });

  test('the event has the trust tier that the platform has at the answer', async () => {
    const own = await addedPlatform(service, 'Rising');
    const request = await made(service, { userId: 'risen' }, { key: own.live.key });
    const patch = { admin: true, body: { trustTier: 'ENTERPRISE' } };
    await service.request('PATCH', `/admin/platforms/${own.id}`, patch);
    const { eventId } = (await answered(service, request, 'confirm')).body;
    const rows = await service.db.query('select platform_tier from event where event_id = $1', [eventId]);
    expect(rows).toEqual([{ platformTier: 'ENTERPRISE' }]);
  });

  test('confirmations count for the velocity guard as any event does', async () => {
    for (let round = 0; round < 3; round += 1) {
      await answered(service, await made(service, { userId: 'rushed' }), 'confirm');
    }
    await service.settle();
    expect((await service.request('GET', '/users/rushed/score')).body.frozen).toBe(true);
  });

  test('the name of a subject is on the request, its preview and its page, and never reaches the ledger', async () => {
    const subjectName = 'Ada <Martin>';
    const request = await made(service, { userId: 'worker-7', subjectName });
    expect((await read(service, request)).subjectName).toBe(subjectName);
    expect((await previewed(service, request)).body).toMatchObject({ userId: 'worker-7', subjectName });
    const { confirmation, confirmationToken: token } = request;
    const page = `/confirm/${confirmation.id}`;
    const { text } = await open(service, page, { token });
    expect(text).toContain('<bdi>Ada &lt;Martin&gt;</bdi>');
    expect(text).toContain('worker-7');
    const thanks = await post(service, page, { token, decision: 'confirm' });
    expect(headingOf(thanks)).toBe('Thank you. It is confirmed.');
    expect(thanks.text).toContain('Ada &lt;Martin&gt;');
    const rows = await service.db.query<{ found: boolean }>(
      `select exists (select from event e where e::text like '%Ada%') or
              exists (select from event_text t where t::text like '%Ada%') as found`,
    );
    expect(rows).toEqual([{ found: false }]);
  });

  describe('a batch', () => {
    const batch = (confirmations: unknown) =>
      service.request('POST', '/confirmations/batch', { body: { confirmations } });

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
      const [first, ...others] = body.results;
      const last = others.pop();
      expect(first).toMatchObject({ index: 0, confirmation: { status: 'PENDING', userId: 'batched' } });
      const invalid = (path: string) => ({
        status: 'failed',
        error: { code: 'VALIDATION_ERROR', details: [{ path: `confirmations.${path}` }] },
      });
      expect(others).toMatchObject([
        { status: 'failed', error: { code: 'CONFIRMATION_SELF' } },
        { status: 'failed', error: { code: 'RESERVED_EXTERNAL_ID' } },
        ...['3.description', '4.completedAt', '5', '6', '7.description'].map(invalid),
      ]);
      for (const item of [first, last]) {
        expect(item.confirmUrl).toContain(`/confirm/${item.confirmation.id}?token=${item.confirmationToken}`);
        expect((await answered(service, item, 'confirm')).status).toBe(200);
      }
      expect(await eventsOf('batched')).toHaveLength(2);
    });

    test('has up to 100 items, each with its own token', async () => {
      const items = Array(100).fill(asking({ userId: 'hundred' }));
      expect((await batch([...items, asking()])).body.code).toBe('VALIDATION_ERROR');
      const { status, body } = await batch(items);
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
