import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { REMINDER_NOTE } from '#domain/envelopes/platformEnvelopes.js';
import { breadth } from '#harness/engines.js';
import { startTestService, type TestService } from '#harness/service.js';
import { emitted } from '../notify/watchFixtures.js';
import { HOUR_MS, movableClock } from '../tenancy/keyFixtures.js';
import { addedPlatform, type OwnPlatform } from '../tenancy/trail.js';
import { answered, asking, cancelled, type Made, made, read, swept } from './confirmationFixtures.js';

const AWAITING = 'confirmation.awaiting_response';
const EXPIRING = 'confirmation.expiring_soon';
type Reminder = typeof AWAITING | typeof EXPIRING;

describe.each(breadth)('reminders of confirmations on %s', (engine) => {
  let service: TestService;
  /** Another process on the same database; PGlite allows one process only. */
  let second: TestService | undefined;
  let own: OwnPlatform;
  const clock = movableClock();
  const pass = (hours: number) => {
    clock.aheadMs += hours * HOUR_MS;
  };

  beforeAll(async () => {
    const env = { BASE_URL: 'https://trust.example' };
    const log = pino({ level: 'silent' }); // one sweep is made to fail
    service = await startTestService(engine, { clock, env, log, inFirstGroup: true });
    if (engine === 'postgresql') second = await startTestService(engine, { clock, env, db: service.db });
    own = await addedPlatform(service, 'Reminded');
  });

  afterAll(async () => {
    await second?.close();
    await service.close();
  });

  const ask = (more: Record<string, unknown> = {}) => made(service, more, { key: own.live.key });
  /** The reminders of one request. */
  const emittedOf = async ({ confirmation }: Made, type: Reminder, livemode = true) =>
    (await emitted(service, own.id, type, livemode)).filter(
      ({ confirmationId }) => confirmationId === confirmation.id,
    );
  const remindersOf = async (request: Made) => [
    ...(await emittedOf(request, AWAITING)),
    ...(await emittedOf(request, EXPIRING)),
  ];
  const remind = () => swept(service, 'reminders');

  test('after 48 hours the platform gets one reminder, which is enough to write to the counterparty', async () => {
    const request = await ask({ userId: 'waited-for', counterpartyName: 'R. Okafor', stakeLevel: 'LOW' });
    pass(47.9);
    await remind();
    expect(await emittedOf(request, AWAITING)).toEqual([]);
    pass(0.2);
    expect(await remind()).toBe(1);
    const address = `https://trust.example`;
    const { id, createdAt, expiresAt } = request.confirmation;
    expect(await emittedOf(request, AWAITING)).toEqual([
      {
        confirmationId: id,
        stage: 'awaiting_response',
        subject: { externalId: 'waited-for' },
        eventType: 'CONTRACT_FULFILLED',
        stakeLevel: 'LOW',
        description: 'Kitchen fitted at 12 Mill Lane',
        counterpartyRef: 'customer-88',
        counterpartyName: 'R. Okafor',
        campaignId: null,
        status: 'PENDING',
        createdAt,
        expiresAt,
        ageHours: 48.1,
        hoursUntilExpiry: 287.9,
        confirmUrlTemplate: `${address}/confirm/${id}?token={confirmationToken}`,
        previewUrlTemplate: `${address}/api/v1/confirmations/${id}/preview?token={confirmationToken}`,
        note: REMINDER_NOTE,
      },
    ]);
    pass(24);
    expect(await remind()).toBe(0);
    expect(await emittedOf(request, AWAITING)).toHaveLength(1);
    expect((await read(service, request, own.live.key)).status).toBe('PENDING');
    await cancelled(service, request, own.live.key);
  });

  test('a day before the end of the window the platform is reminded once, reminded before or not', async () => {
    const request = await ask();
    pass(336 - 24.1);
    expect(await remind()).toBe(1);
    expect(await emittedOf(request, EXPIRING)).toEqual([]);
    pass(0.2);
    expect(await remind()).toBe(1);
    expect(await emittedOf(request, EXPIRING)).toMatchObject([
      { stage: 'expiring_soon', status: 'PENDING', ageHours: 312.1, hoursUntilExpiry: 23.9 },
    ]);
    expect(await emittedOf(request, AWAITING)).toHaveLength(1);
    pass(1);
    expect(await remind()).toBe(0);
    await cancelled(service, request, own.live.key);
  });

  test('both reminders due in one sweep are sent once each, by any number of processes', async () => {
    const requests = await Promise.all(Array.from({ length: 30 }, () => ask({ expiresInHours: 60 })));
    pass(50);
    const processes = [service, second ?? service];
    const counts = await Promise.all(
      Array.from({ length: 6 }, (_, index) => swept(processes[index % 2] ?? service, 'reminders')),
    );
    // A process that finds another sweep running leaves it the rest.
    await remind();
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(30);
    const ids = requests.map(({ confirmation }) => confirmation.id).sort();
    for (const type of [AWAITING, EXPIRING] as const) {
      const named = (await emitted(service, own.id, type)).map(({ confirmationId }) => confirmationId);
      expect(named.filter((id) => ids.includes(id)).sort()).toEqual(ids);
    }
    for (const request of requests) await cancelled(service, request, own.live.key);
  });

  test('a window shorter than a day ends soon from its start', async () => {
    const request = await ask({ expiresInHours: 2 });
    await remind();
    expect(await emittedOf(request, EXPIRING)).toHaveLength(1);
    expect(await emittedOf(request, AWAITING)).toEqual([]);
  });

  test('a decided, cancelled or expired request sends no reminder', async () => {
    const [yes, no, taken] = [await ask({ userId: 'decided' }), await ask(), await ask()];
    const over = await ask({ expiresInHours: 48 });
    await answered(service, yes, 'confirm');
    await answered(service, no, 'decline');
    await cancelled(service, taken, own.live.key);
    pass(335);
    await remind();
    for (const request of [yes, no, taken, over]) {
      expect(await remindersOf(request)).toEqual([]);
    }
  });

  test("the reminder of a campaign's row names the campaign; that of a test request is a test envelope", async () => {
    const body = { name: 'Reminded', rows: [asking({ rowKey: 'a' })] };
    const options = { key: own.live.key, body };
    const { campaign, results } = (await service.request('POST', '/activation/campaigns', options)).body;
    const inTest = await made(service, {}, { key: own.test.key });
    pass(49);
    await remind();
    const ofRow = { confirmation: { id: results[0].confirmationId } } as Made;
    expect(await emittedOf(ofRow, AWAITING)).toMatchObject([{ campaignId: campaign.id }]);
    expect(await emittedOf(inTest, AWAITING, false)).toHaveLength(1);
    expect(await emittedOf(inTest, AWAITING)).toEqual([]);
    await service.request('DELETE', '/test/data', { key: own.test.key });
    expect(await emittedOf(inTest, AWAITING, false)).toEqual([]);
  });

  test('an inactive platform is reminded when it is active again', async () => {
    const request = await ask();
    const set = (isActive: boolean) =>
      service.request('PATCH', `/admin/platforms/${own.id}`, { admin: true, body: { isActive } });
    pass(49);
    await set(false);
    await remind();
    expect(await emittedOf(request, AWAITING)).toEqual([]);
    await set(true);
    await remind();
    expect(await emittedOf(request, AWAITING)).toHaveLength(1);
  });

  test('a sweep that fails halfway sends nothing, and the next one sends the reminder', async () => {
    const request = await ask();
    pass(49);
    await service.ledger.execute(
      "alter table envelope add constraint none_today check (type <> 'confirmation.awaiting_response') not valid",
    );
    const failed = await service.request('POST', '/admin/sweeps/reminders', { admin: true });
    await service.ledger.execute('alter table envelope drop constraint none_today');
    expect(failed.status).toBe(500);
    expect(await emittedOf(request, AWAITING)).toEqual([]);
    await remind();
    expect(await emittedOf(request, AWAITING)).toHaveLength(1);
  });

  test('more requests than one slice holds are all reminded and expired', async () => {
    const platform = await addedPlatform(service, 'Many');
    const { key } = platform.live;
    const rows = Array.from({ length: 500 }, (_, n) => asking({ rowKey: String(n), expiresInHours: 60 }));
    for (const name of ['first', 'second', 'third']) {
      const { status } = await service.request('POST', '/activation/campaigns', {
        key,
        body: { name, rows },
      });
      expect(status).toBe(201);
    }
    pass(50);
    await remind();
    expect(await emitted(service, platform.id, AWAITING)).toHaveLength(1500);
    expect(await emitted(service, platform.id, EXPIRING)).toHaveLength(1500);
    pass(11);
    const isPending = `select 1 from confirmation where platform_id = $1 and status = 'PENDING'`;
    const pending = () => service.db.query(isPending, [platform.id]);
    expect(await pending()).toHaveLength(1500);
    expect(await swept(service, 'expiry')).toBeGreaterThanOrEqual(1500);
    expect(await pending()).toEqual([]);
    expect(await swept(service, 'expiry')).toBe(0);
  });
});
