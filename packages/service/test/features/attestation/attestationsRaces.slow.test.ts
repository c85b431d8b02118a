import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { differencesIn } from '#harness/differencesIn.js';
import { engines, schemaHandle } from '#harness/engines.js';
import { startTestService, type TestAnswer, type TestService } from '#harness/service.js';
import { untilServed } from '#harness/untilServed.js';
import { qualification } from '../subjects/profileFixtures.js';
import { HOUR_MS, movableClock } from '../tenancy/keyFixtures.js';
import { addedPlatform } from '../tenancy/trail.js';
import { callsOf, kinds } from './attestationFixtures.js';
import { asking, swept } from './confirmationFixtures.js';

const times = (count: number) => Array.from({ length: count }, (_, index) => index);
const wonOf = (answers: TestAnswer[]) => answers.filter(({ status }) => status === 200);

describe.each(engines)('simultaneous acts on requests to counterparties, on %s', (engine) => {
  let service: TestService;
  /** Another process on the same database; PGlite allows one process only. */
  let second: TestService | undefined;
  const clock = movableClock();

  beforeAll(async () => {
    const log = pino({ level: 'silent' }); // one answer is made to fail
    service = await startTestService(engine, { clock, log });
    if (engine === 'postgresql') second = await startTestService(engine, { clock, db: service.db });
  });

  afterAll(async () => {
    await service.settle();
    const found = await differencesIn(service.db);
    await second?.close();
    await service.close();
    expect(found).toEqual([]);
  });

  const anyOf = (index: number) => (index % 2 === 0 ? service : (second ?? service));

  describe.each(kinds)('for a $name', (kind) => {
    const { asked, read, recorded } = callsOf(kind, () => service);
    const by = (index: number) => callsOf(kind, () => anyOf(index));
    const notPending = `${kind.code}_NOT_PENDING`;
    /** The request is as the answer with 200 says, and only a yes has recorded something. */
    async function expectStored(id: string, userId: string, won: TestAnswer | undefined): Promise<void> {
      const stored = await read(id);
      expect(stored).toMatchObject(won?.body ?? {});
      expect(await recorded(userId)).toHaveLength(stored.status === 'CONFIRMED' ? 1 : 0);
    }

    test.each([
      ['fifty yes', ['confirm']],
      ['fifty no', ['decline']],
      ['fifty that disagree', ['decline', 'confirm', 'confirm', 'decline']],
    ])('of %s one wins, and it is the stored one', async (what, decisions) => {
      for (const round of times(decisions.length > 1 ? 4 : 1)) {
        const userId = `${kind.name} ${what} ${round}`;
        const made = await asked({ userId });
        const answers = await Promise.all(
          times(50).map((index) =>
            untilServed(() => by(index).respond(made, decisions[(index + round) % decisions.length])),
          ),
        );
        const late = answers.filter(({ body }) => body.code === notPending);
        expect([wonOf(answers).length, late.length]).toEqual([1, 49]);
        await expectStored(made.id, userId, wonOf(answers)[0]);
      }
    });

    test('of a yes and a cancellation exactly one wins', async () => {
      for (const round of times(10)) {
        const userId = `${kind.name} taken back ${round}`;
        const made = await asked({ userId });
        const acts = [() => by(round).cancel(made.id), () => by(round + 1).respond(made)];
        if (round % 2 === 0) acts.reverse();
        const answers = await Promise.all(acts.map((act) => act()));
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
        await expectStored(made.id, userId, undefined);
        expect(['CONFIRMED', 'CANCELLED']).toContain((await read(made.id)).status);
      }
    });

    test('yeses at the end of the window race the sweep: confirmed once, or expired', async () => {
      for (const round of times(10)) {
        const userId = `${kind.name} at the end ${round}`;
        const made = await asked({ userId, expiresInHours: 1 });
        const answering = times(4).map((index) => by(index).respond(made));
        clock.aheadMs += HOUR_MS;
        const late = times(4).map(async (index) => {
          await swept(anyOf(index), 'expiry');
          return by(index).respond(made);
        });
        const won = wonOf(await Promise.all([...answering, ...late]));
        const { status } = await read(made.id);
        expect([status, won.length]).toEqual(won.length === 1 ? ['CONFIRMED', 1] : ['EXPIRED', 0]);
        await expectStored(made.id, userId, won[0]);
      }
    });

    test('a reset of test data during answers leaves nothing partial', async () => {
      const own = await addedPlatform(service, 'Resetting');
      const { key } = own.test;
      const reset = () => service.request('DELETE', '/test/data', { key });
      const campaign = { name: 'Beside', rows: [asking({ rowKey: 'a' }), asking({ rowKey: 'b' })] };
      for (const _ of times(5)) {
        const requests = await Promise.all(
          times(6).map((index) => asked({ userId: `reset-${index % 2}` }, { key })),
        );
        await by(0).respond(requests.pop() ?? { id: '', token: '' });
        const [done, beside, ...answers] = await Promise.all([
          reset(),
          kind.name === 'confirmation'
            ? anyOf(1).request('POST', '/activation/campaigns', { key, body: campaign })
            : anyOf(1).request('POST', '/users/reset-1/qualifications', { key, body: qualification() }),
          ...requests.map((request, index) => by(index).respond(request)),
        ]);
        expect(done.status).toBe(200);
        expect([201, 404]).toContain(beside.status);
        for (const { status } of answers) expect([200, 401]).toContain(status);
        // A campaign can come after the reset.
        if (kind.name === 'confirmation') await reset();
        for (const table of [
          kind.table,
          'activation_campaign',
          'witness_token',
          'event',
          'subject',
          'qualification',
        ]) {
          const left = await service.db.query(`select 1 from ${table} where platform_id = $1`, [own.id]);
          expect([table, left.length]).toEqual([table, 0]);
        }
      }
    });
  });

  test('an answer that fails halfway changes nothing, and the token stays valid', async () => {
    const { asked, read, respond, recorded } = callsOf(kinds[0], () => service);
    const made = await asked({ userId: 'half-way' });
    const before = await read(made.id);
    const schema = await schemaHandle(service.db);
    await schema.execute(
      "alter table activity add constraint none_today check (action <> 'CONFIRMATION_REQUEST_CONFIRMED') not valid",
    );
    const failed = await respond(made);
    await schema.execute('alter table activity drop constraint none_today');
    expect([failed.status, failed.body.code]).toEqual([500, 'INTERNAL_ERROR']);
    expect([await recorded('half-way'), await read(made.id)]).toEqual([[], before]);
    expect((await respond(made)).status).toBe(200);
    expect(await recorded('half-way')).toHaveLength(1);
  });

  test('one batch sent to one campaign several times at once asks for each row once', async () => {
    const rows = times(40).map((index) => asking({ userId: 'of-rush', rowKey: `row-${index}` }));
    const body = { name: 'Rush', rows };
    const answers = await Promise.all(
      times(6).map((index) => anyOf(index).request('POST', '/activation/campaigns', { body })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(201));
    const [id, ...others] = new Set(answers.map(({ body: answer }) => answer.campaign.id));
    expect(others).toEqual([]);
    const results = answers.flatMap(({ body: answer }) => answer.results);
    expect(results.filter(({ status }) => status === 'created')).toHaveLength(40);
    expect(new Set(results.map(({ confirmationId }) => confirmationId)).size).toBe(40);
    const { funnel } = (await service.request('GET', `/activation/campaigns/${id}`)).body;
    expect(funnel).toMatchObject({ submitted: 40, pending: 40 });
  });
});
