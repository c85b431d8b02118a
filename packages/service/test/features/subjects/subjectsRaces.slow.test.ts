import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engines } from '#harness/engines.js';
import { givenService } from '#harness/givenService.js';
import { startTestService, type TestService } from '#harness/service.js';
import { untilServed } from '#harness/untilServed.js';
import { subjectIdOf } from '#ledger/subjectId.js';
import { outcome, report, reportBatch } from '../intake/eventFixtures.js';
import { addedPlatform, type OwnPlatform } from '../tenancy/trail.js';
import { ELSEWHERE, GOOD } from './subjectFixtures.js';

/** Two processes on one database; neither tells the other what it has registered. */
describe.each(engines)('registrations beside events on %s', (engine) => {
  const first = givenService(engine);
  let second: TestService;
  let platform: OwnPlatform;
  let count = 0;

  beforeAll(async () => {
    second = await startTestService(engine, { env: { ROLE: 'api' }, db: first.db });
    platform = await addedPlatform(first, 'Operator');
  });
  afterAll(() => second.close());

  const fresh = () => `raced-${++count}`;
  const key = () => ({ key: platform.live.key });
  const register = (service: TestService, body: object) =>
    untilServed(() => service.request('POST', '/agents', { ...key(), body }));
  const post = (service: TestService, userId: string) =>
    untilServed(() => report(service, outcome({ userId, ...GOOD }), key()));
  const isReduced = ({ body }: { body: { warnings: unknown[] } }) => body.warnings.length > 0;

  test('an event right after the registration is reduced, whichever process takes it', async () => {
    const newcomer = await addedPlatform(first, 'Newcomer');
    for (let round = 0; round < 10; round += 1) {
      const userId = fresh();
      const [here, there] = round % 2 === 0 ? [first, second] : [second, first];
      const options = { key: newcomer.live.key };
      await here.request('POST', '/agents', { ...options, body: { userId } });
      const answer = await report(there, outcome({ userId, ...GOOD }), options);
      expect([answer.status, answer.body.event.isVerified]).toEqual([201, false]);
    }
  });

  test('an event uses the operator declared at that moment', async () => {
    const userId = fresh();
    for (let round = 0; round < 10; round += 1) {
      const isOwn = round % 2 === 0;
      const more = isOwn ? { platformIsOperator: true } : ELSEWHERE;
      await register(round % 3 === 0 ? first : second, { userId, ...more });
      const answers = await Promise.all([post(first, userId), post(second, userId)]);
      expect(answers.map(isReduced)).toEqual([isOwn, isOwn]);
    }
  });

  test('a registration at the instant of a first event gives a person or an agent, nothing between', async () => {
    for (let round = 0; round < 12; round += 1) {
      const userId = fresh();
      const [registered, reported] = await Promise.all([register(first, { userId }), post(second, userId)]);
      expect(reported.status).toBe(201);
      expect(isReduced(reported)).toBe(registered.status === 201);
      if (registered.status !== 201) expect(registered.body.code).toBe('CONFLICT');
      const [row] = await first.db.query(
        `select s.subject_type, s.is_own, e.is_verified, s.event_count,
           exists (select 1 from declaration_fact d where d.subject_id = s.subject_id) as is_declared
         from subject s join event e using (subject_id) where subject_id = $1`,
        [subjectIdOf(platform.id, true, userId)],
      );
      const isAgent = registered.status === 201;
      const subjectType = isAgent ? 'AGENT' : 'PERSON';
      const flags = { isOwn: isAgent, isVerified: !isAgent, isDeclared: isAgent };
      expect(row).toEqual({ subjectType, ...flags, eventCount: 1 });
    }
  });

  test('concurrent events and batches are each consistent, and the score follows from them', async () => {
    const [own, others, person] = [fresh(), fresh(), fresh()];
    await register(first, { userId: own });
    await register(first, { userId: others, ...ELSEWHERE });
    const ids = [own, others, person];
    const items = ids.map((userId) => outcome({ userId, ...GOOD }));
    const all = Array.from({ length: 30 }, (_, index) => {
      const service = index % 2 === 0 ? first : second;
      const userId = ids[index % 3] ?? own;
      if (index % 5 !== 0) return post(service, userId).then((answer) => [isReduced(answer), userId === own]);
      return untilServed(() => reportBatch(service, items, key())).then(({ body }) => [
        body.results.map(({ warnings }: { warnings?: object }) => warnings !== undefined),
        [true, false, false],
      ]);
    });
    for (const [warned, expected] of await Promise.all(all)) expect(warned).toEqual(expected);
    await first.settle();
    const rows = await first.db.query<Record<string, unknown>>(
      `select s.external_id, count(*) filter (where e.is_verified)::integer as verified, count(*)::integer as counted,
         max(c.verified_events)::integer as scored
       from subject s join event e using (subject_id) join score c using (subject_id)
       where s.subject_id = any($1::uuid[]) group by s.external_id`,
      [ids.map((userId) => subjectIdOf(platform.id, true, userId))],
    );
    expect(rows).toHaveLength(3);
    for (const { externalId, verified, counted, scored } of rows) {
      expect([verified, scored]).toEqual(externalId === own ? [0, 0] : [counted, counted]);
    }
  });

  test('of concurrent registrations one type wins, and the others are refused', async () => {
    const userId = fresh();
    const body = { userId, business: { legalName: 'A Ltd' } };
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => {
        const service = index % 4 < 2 ? first : second;
        return index % 2 === 0
          ? register(service, { userId })
          : untilServed(() => service.request('POST', '/businesses', { ...key(), body }));
      }),
    );
    const won = new Set(
      answers.filter(({ status }) => status === 201).map(({ body: { subjectType } }) => subjectType),
    );
    expect(won.size).toBe(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(10);
  });

  test('a reset beside registrations leaves no declaration without its subject', async () => {
    const options = { key: platform.test.key };
    await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        index % 10 === 9
          ? first.request('DELETE', '/test/data', options)
          : second.request('POST', '/agents', { ...options, body: { userId: `bot-${index % 4}` } }),
      ),
    );
    const orphans = await first.db.query(
      `select 1 from declaration_fact d full join (select * from subject where subject_type <> 'PERSON') s using (subject_id)
       where d.subject_id is null or s.subject_id is null`,
    );
    expect(orphans).toEqual([]);
  });
});
