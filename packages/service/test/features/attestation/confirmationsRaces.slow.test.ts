import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { differencesIn } from '#harness/differencesIn.js';
import { engines, schemaHandle } from '#harness/engines.js';
import { startTestService, type TestService } from '#harness/service.js';
import { untilServed } from '#harness/untilServed.js';
import { exportAll } from '../intake/eventFixtures.js';
import { addedPlatform } from '../tenancy/trail.js';
import { answered, asking, cancelled, made, read, swept } from './confirmationFixtures.js';

describe.each(engines)('simultaneous acts on confirmations, on %s', (engine) => {
  let service: TestService;
  /** Another process on the same database; PGlite allows one process only. */
  let second: TestService | undefined;

  beforeAll(async () => {
    const log = pino({ level: 'silent' }); // one answer is made to fail
    service = await startTestService(engine, { log });
    if (engine === 'postgresql') second = await startTestService(engine, { db: service.db });
  });

  afterAll(async () => {
    await service.settle();
    const found = await differencesIn(service.db);
    await second?.close();
    await service.close();
    expect(found).toEqual([]);
  });

  const anyOf = (index: number) => (index % 2 === 0 ? service : (second ?? service));
  const eventsOf = async (userId: string, key?: string) =>
    (await exportAll(service, { key })).filter((event) => event.userId === userId);

  test('an answer that fails halfway changes nothing, and the token stays valid', async () => {
    const request = await made(service, { userId: 'half-way' });
    const schema = await schemaHandle(service.db);
    await schema.execute(
      "alter table activity add constraint none_today check (action <> 'CONFIRMATION_REQUEST_CONFIRMED') not valid",
    );
    const failed = await answered(service, request, 'confirm');
    await schema.execute('alter table activity drop constraint none_today');
    expect([failed.status, failed.body.code]).toEqual([500, 'INTERNAL_ERROR']);
    expect(await eventsOf('half-way')).toEqual([]);
    expect(await read(service, request)).toEqual(request.confirmation);
    expect((await answered(service, request, 'confirm')).status).toBe(200);
    expect(await eventsOf('half-way')).toHaveLength(1);
  });

  test('of fifty answers one wins, the others come too late, and there is one event', async () => {
    const request = await made(service, { userId: 'fifty' });
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => untilServed(() => answered(anyOf(index), request, 'confirm'))),
    );
    const won = answers.filter(({ status }) => status === 200);
    const late = answers.filter(({ body }) => body.code === 'CONFIRMATION_NOT_PENDING');
    expect([won.length, late.length]).toEqual([1, 49]);
    expect((await eventsOf('fifty')).map(({ id }) => id)).toEqual([won[0]?.body.eventId]);
    expect(await read(service, request)).toMatchObject({
      status: 'CONFIRMED',
      eventId: won[0]?.body.eventId,
    });
  });

  test('of a yes and a no, the stored one is the one that got 200', async () => {
    for (let round = 0; round < 10; round += 1) {
      const userId = `yes-and-no-${round}`;
      const request = await made(service, { userId });
      const answers = await Promise.all(
        ['confirm', 'decline', 'decline', 'confirm'].map((decision, index) =>
          answered(anyOf(index), request, decision),
        ),
      );
      const [won, ...more] = answers.filter(({ status }) => status === 200);
      expect(more).toEqual([]);
      expect((await read(service, request)).status).toBe(won?.body.status);
      expect(await eventsOf(userId)).toHaveLength(won?.body.status === 'CONFIRMED' ? 1 : 0);
    }
  });

  test('of a yes and a cancellation exactly one wins', async () => {
    for (let round = 0; round < 10; round += 1) {
      const userId = `taken-back-${round}`;
      const request = await made(service, { userId });
      const acts = [
        () => cancelled(anyOf(round), request),
        () => answered(anyOf(round + 1), request, 'confirm'),
      ];
      if (round % 2 === 0) acts.reverse();
      const answers = await Promise.all(acts.map((act) => act()));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      const { status } = await read(service, request);
      expect(await eventsOf(userId)).toHaveLength(status === 'CONFIRMED' ? 1 : 0);
      expect(['CONFIRMED', 'CANCELLED']).toContain(status);
    }
  });

  test('a yes at the end of the window races the sweep: confirmed with an event, or expired without one', async () => {
    for (let round = 0; round < 10; round += 1) {
      const userId = `at-the-end-${round}`;
      const request = await made(service, { userId });
      const endsAt = new Date(Date.now() + 5 * round);
      await service.db.execute('update confirmation set expires_at = $2 where confirmation_id = $1', [
        request.confirmation.id,
        endsAt,
      ]);
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, index) => index).map(async (index) => {
          await new Promise((resolve) => setTimeout(resolve, 4 * index));
          if (index % 2 === 0) await swept(anyOf(index), 'expiry');
          return answered(anyOf(index), request, 'confirm');
        }),
      );
      const won = answers.filter(({ status }) => status === 200);
      const confirmation = await read(service, request);
      expect([confirmation.status, won.length]).toEqual(won.length === 1 ? ['CONFIRMED', 1] : ['EXPIRED', 0]);
      expect(await eventsOf(userId)).toHaveLength(won.length);
    }
  });

  test('one batch sent to one campaign several times at once asks for each row once', async () => {
    const rows = Array.from({ length: 40 }, (_, index) =>
      asking({ userId: 'of-rush', rowKey: `row-${index}` }),
    );
    const body = { name: 'Rush', rows };
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        anyOf(index).request('POST', '/activation/campaigns', { body }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(201));
    expect(new Set(answers.map(({ body: answer }) => answer.campaign.id)).size).toBe(1);
    const results = answers.flatMap(({ body: answer }) => answer.results);
    expect(results.filter(({ status }) => status === 'created')).toHaveLength(40);
    expect(new Set(results.map(({ confirmationId }) => confirmationId)).size).toBe(40);
    const id = answers[0]?.body.campaign.id;
    const { funnel } = (await service.request('GET', `/activation/campaigns/${id}`)).body;
    expect(funnel).toMatchObject({ submitted: 40, pending: 40 });
  });

  test('a reset of test data during answers and campaigns leaves nothing partial', async () => {
    const own = await addedPlatform(service, 'Resetting');
    const key = own.test.key;
    for (let round = 0; round < 5; round += 1) {
      const requests = await Promise.all(
        Array.from({ length: 6 }, (_, index) => made(service, { userId: `reset-${index % 2}` }, { key })),
      );
      const body = { name: 'Beside', rows: [asking({ rowKey: 'a' }), asking({ rowKey: 'b' })] };
      const [campaign, reset, ...answers] = await Promise.all([
        anyOf(1).request('POST', '/activation/campaigns', { key, body }),
        service.request('DELETE', '/test/data', { key }),
        ...requests.map((request, index) => answered(anyOf(index), request, 'confirm')),
      ]);
      expect([campaign.status, reset.status]).toEqual([201, 200]);
      for (const { status } of answers) expect([200, 401]).toContain(status);
      await service.request('DELETE', '/test/data', { key });
      for (const table of ['confirmation', 'activation_campaign', 'witness_token', 'event', 'subject']) {
        const left = await service.db.query(`select 1 from ${table} where platform_id = $1`, [own.id]);
        expect([table, left.length]).toEqual([table, 0]);
      }
    }
  });
});
