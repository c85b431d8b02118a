import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { differencesIn } from '#harness/differencesIn.js';
import { engines } from '#harness/engines.js';
import { eventually } from '#harness/eventually.js';
import { givenService } from '#harness/givenService.js';
import { startTestService, type TestService } from '#harness/service.js';
import { untilServed } from '#harness/untilServed.js';
import { subjectIdOf } from '#ledger/subjectId.js';
import { movableClock } from '../tenancy/keyFixtures.js';
import { alias, ask, figuresOf, link, reportOf, tokenOf } from './linkFixtures.js';

const MARK = 'RacingMarker';

describe.each(engines)('an erasure beside other requests, on %s', (engine) => {
  const clock = movableClock();
  const service = givenService(engine, { clock });
  /** Another process on the same database; PGlite allows one process only. */
  let second: TestService | undefined;

  beforeAll(async () => {
    if (engine === 'postgresql') second = await startTestService(engine, { clock, db: service.db });
  });
  afterAll(async () => {
    await service.settle();
    const found = await differencesIn(service.db);
    await second?.close();
    expect(found).toEqual([]);
  });

  const anyOf = (index: number) => (index % 2 === 0 ? service : (second ?? service));
  const send = (of: number, path: string, body: unknown = {}) =>
    untilServed(() => anyOf(of).request('POST', path, { body }));
  const outcome = (userId: string) => ({
    userId,
    eventType: 'CONTRACT_FULFILLED',
    metadata: { note: `${MARK} ${userId}` },
  });

  test('an append commits before it or is refused, and no text stays', async () => {
    const users = Array.from({ length: 8 }, (_, index) => `racer-${index}`);
    for (const userId of users) await send(0, '/events', outcome(userId));
    const answers = await Promise.all(
      users.flatMap((userId, index) => [
        send(index, '/events', outcome(userId)),
        send(index + 1, '/events', outcome(userId)),
        send(index, `/users/${userId}/erasure`),
        send(index, '/events', outcome(userId)),
        send(index + 1, '/events/batch', { events: [outcome(userId)] }),
        send(index + 1, '/events', outcome(userId)),
        send(index, `/users/${userId}/erasure`),
      ]),
    );
    const other = answers.filter(({ status }) => ![200, 201, 410].includes(status));
    expect(other.map(({ status }) => status)).toEqual([]);
    await service.settle();
    for (const userId of users) {
      const id = subjectIdOf(service.platformId, true, userId);
      const [left] = await service.db.query<Record<string, number>>(
        `select (select count(*) from event_text where subject_id = $1) as texts,
           (select count(*) from score where subject_id = $1) as scores,
           (select count(*) from subject where subject_id = $1 and external_id is not null) as names,
           (select count(*) from erasure where subject_id = $1) as erasures`,
        [id],
      );
      expect(left, userId).toEqual({ texts: 0, scores: 0, names: 0, erasures: 1 });
      const written = await send(1, '/events', outcome(userId));
      expect([written.status, written.body.code]).toEqual([410, 'SUBJECT_ERASED']);
    }
  });

  test('a process that has not heard of it yet is refused by the database', async () => {
    await send(0, '/events', outcome('unheard'));
    await send(0, '/users/unheard/erasure');
    const { body } = await send(1, '/events/batch', { events: [outcome('unheard'), outcome('heard')] });
    expect(JSON.stringify(body)).toContain('SUBJECT_ERASED');
  });

  test('requests to counterparties that were under way are deleted by the searches', async () => {
    await send(0, '/events', outcome('asked'));
    const asking = { ...outcome('asked'), counterpartyRef: MARK, description: MARK };
    const sixTimes = () => Array.from({ length: 6 }, (_, index) => send(index, '/confirmations', asking));
    await Promise.all([...sixTimes(), send(0, '/users/asked/erasure'), ...sixTimes()]);
    clock.aheadMs += 60_000;
    const id = subjectIdOf(service.platformId, true, 'asked');
    const left = `select subject_id from confirmation where subject_id = $1
      union all select subject_id from erasure_work where subject_id = $1`;
    await eventually(async () => (await service.db.query(left, [id])).length === 0);
  });

  test('the other members of its record keep their score, and count it later, too', async () => {
    const good = { eventType: 'CONTRACT_FULFILLED', isVerified: true };
    const [leaving, staying] = [
      await alias(service, 'leaving', [good]),
      await alias(service, 'staying', [good]),
    ];
    expect((await link(service, leaving, staying)).status).toBe(201);
    await service.settle();
    const before = await figuresOf(service, staying);
    expect((await ask(service, leaving, 'POST', '/erasure')).status).toBe(200);
    expect(await figuresOf(service, staying)).toEqual(before);
    await reportOf(service, staying, good);
    await service.settle();
    expect(await figuresOf(service, staying)).toMatchObject({ totalEvents: 3, verifiedEvents: 3 });
    expect((await ask(service, leaving, 'GET', '/score')).status).toBe(410);
    expect(await tokenOf(service, staying)).toMatch(/^lkt_/);
  });
});
