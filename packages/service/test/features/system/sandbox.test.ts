import { afterEach, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { givenService } from '#harness/givenService.js';
import type { TestService } from '#harness/service.js';
import { once, outcome, report } from '../intake/eventFixtures.js';
import { csvOf, goodRows, sendImport } from '../intake/importFixtures.js';
import { newPlatform } from '../tenancy/keyFixtures.js';

/** Every table that holds something of a subject, and the column that names it. */
const HANGING_TABLES = {
  event: 'subject_id',
  dispute: 'subject_id',
  tally: 'subject_id',
  score: 'subject_id',
  score_snapshot: 'subject_id',
  item_key: 'subject_id',
  recompute_queue: 'record_id',
} as const;

describe.each(breadth)('the test mode on %s', (engine) => {
  const asTest = (method: string, path: string, body?: unknown) =>
    service.request(method, path, { key: service.testKey, body });
  const seed = () => asTest('POST', '/test/seed');
  const reset = () => asTest('DELETE', '/test/data');
  const count = async (statement: string) => (await service.db.query(statement)).length;

  const service = givenService(engine);

  afterEach(() => reset());

  describe('seeding', () => {
    test('five subjects end in five different bands, from Excellent to High Risk', async () => {
      const seeded = await seed();
      expect(seeded.status).toBe(201);
      expect(seeded.body.subjects).toHaveLength(5);
      await service.settle();
      const bands: string[] = [];
      for (const { userId, about } of seeded.body.subjects) {
        expect(about.length).toBeGreaterThan(20);
        bands.push((await asTest('GET', `/users/${userId}/score`)).body.scoreBand);
      }
      expect(bands).toEqual(['Excellent', 'Good', 'Fair', 'Unproven', 'High Risk']);
    });

    test('their history lies in the past, with real dates over most of a year', async () => {
      await seed();
      const [row] = await service.db.query<{ first: Date; last: Date; events: number }>(
        `select min(coalesce(completed_at, due_date)) as first, max(completed_at) as last, count(*)::integer as events
         from event where not livemode`,
      );
      const daysAgo = (date: Date | undefined) => (Date.now() - (date?.getTime() ?? 0)) / 86_400_000;
      expect(row?.events).toBe(71);
      expect(daysAgo(row?.first)).toBeGreaterThan(300);
      expect(daysAgo(row?.last)).toBeGreaterThan(1);
    });

    test('seeding again, and twice at the same instant, adds nothing', async () => {
      const answers = [...(await Promise.all([seed(), seed()])), await seed()];
      for (const answer of answers) {
        expect(answer.status).toBe(201);
        expect(answer.body).toEqual(answers[0]?.body);
      }
      expect(await count('select 1 from event where not livemode')).toBe(71);
      expect(await count('select 1 from subject where not livemode')).toBe(5);
    });
  });

  describe('resetting', () => {
    test('nothing of a test subject is left, and the answer says how much there was', async () => {
      await seed();
      await report(service, outcome({ userId: 'own' }), { key: service.testKey, ...once('own-event-1') });
      await service.settle();
      expect((await reset()).body).toEqual({ deleted: { subjects: 6, events: 72 } });
      for (const table of ['subject', ...Object.keys(HANGING_TABLES)]) {
        expect([table, await count(`select 1 from ${table}`)]).toEqual([table, 0]);
      }
      expect(await count('select 1 from idempotency where not livemode')).toBe(0);
      expect((await asTest('GET', '/users/own/score')).status).toBe(404);
    });

    test('deleted events can be reported again under the same keys', async () => {
      const event = outcome({ userId: 'again', idempotencyKey: 'order-1' });
      const write = () => report(service, event, { key: service.testKey, ...once('again-event-1') });
      const before = await write();
      await reset();
      const after = await write();
      expect([before.status, after.status]).toEqual([201, 201]);
      expect(after.body.eventId).not.toBe(before.body.eventId);
      expect(after.headers.get('idempotent-replay')).toBeNull();
    });

    test('live data and the test data of other platforms are unchanged', async () => {
      const neighbour = (await newPlatform(service)).test.key;
      const event = outcome({ userId: 'shared-name', idempotencyKey: 'shared-key' });
      const write = (key: string) => report(service, event, { key, ...once('shared-request') });
      for (const key of [service.liveKey, service.testKey, neighbour])
        expect((await write(key)).status).toBe(201);
      await service.settle();
      expect((await reset()).body.deleted).toEqual({ subjects: 1, events: 1 });
      for (const key of [service.liveKey, neighbour]) {
        expect((await service.request('GET', '/users/shared-name/score', { key })).status).toBe(200);
        expect((await write(key)).headers.get('idempotent-replay')).toBe('true');
      }
      await service.request('DELETE', '/test/data', { key: neighbour });
    });

    test('imports go with their errors and the rows that wait, and a live one stays', async () => {
      const bad = { line: '1', worker: '', done: 'never' };
      await sendImport(service, csvOf([...goodRows(2), bad]), { key: service.testKey });
      const live = await sendImport(service, csvOf([...goodRows(2), bad]));
      // Large enough to wait for a worker.
      const waiting = await sendImport(service, csvOf(goodRows(3000)), { key: service.testKey });
      expect(waiting.body.status).toBe('QUEUED');
      await reset();
      expect((await asTest('GET', '/imports')).body.imports).toEqual([]);
      expect((await asTest('GET', `/imports/${waiting.body.id}`)).status).toBe(404);
      const errors = await service.request('GET', `/imports/${live.body.id}/errors`);
      expect(errors.body.errors).toHaveLength(1);
      for (const table of ['job', 'import_chunk']) expect(await count(`select 1 from ${table}`)).toBe(0);
      for (const table of ['import_job', 'import_issue'])
        expect(await count(`select 1 from ${table} where import_id <> '${live.body.id}'`)).toBe(0);
      await service.settle();
      expect(await count('select 1 from event where not livemode')).toBe(0);
    });

    test('the audit trail is kept and has an entry of the reset', async () => {
      await seed();
      await reset();
      const lines = await service.db.query<{ action: string; details: object }>(
        'select action, details from activity where not livemode order by activity_id desc limit 2',
      );
      expect(lines).toMatchObject([
        { action: 'TEST_DATA_RESET', details: { subjects: 5, events: 71 } },
        { action: 'TEST_DATA_SEEDED' },
      ]);
    });

    test('resets among writes and recomputes leave no orphan and no wrong count', async () => {
      const until = Date.now() + 3000;
      const writers = [1, 2, 3, 4].map(async (writer) => {
        for (let round = 0; Date.now() < until; round += 1) {
          // Some subjects are everybody's, some are met once only: what a reset leaves of those
          // stays an orphan.
          const events = [0, 1, 2, 3, 4, 5].map((index) => ({
            userId: index < 3 ? `busy-${(writer + index + round) % 9}` : `once-${writer}-${round}-${index}`,
            eventType: 'TRANSACTION_COMPLETED',
            ...(index % 2 === 0 ? { idempotencyKey: `busy-${(writer * round + index) % 50}` } : {}),
          }));
          const answer = await asTest('POST', '/events/batch', { events });
          expect(answer.status).toBe(200);
          if (round % 8 === 0) {
            const csv = csvOf(goodRows(1200, { prefix: 'file' }));
            expect((await sendImport(service, csv, { key: service.testKey })).status).toBe(202);
          }
        }
      });
      const resets = (async () => {
        while (Date.now() < until) {
          expect((await reset()).status).toBe(200);
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      })();
      await Promise.all([...writers, resets]);
      await service.settle();
      await expectNoOrphans(service);
    });
  });
});

async function expectNoOrphans({ db }: TestService): Promise<void> {
  for (const [table, column] of Object.entries(HANGING_TABLES)) {
    const orphans = await db.query(
      `select 1 from ${table} t where not exists (select 1 from subject s where s.subject_id = t.${column})`,
    );
    expect([table, orphans.length]).toEqual([table, 0]);
  }
  const miscounted = await db.query(
    `select s.external_id, s.event_count,
       (select count(*)::integer from event e where e.subject_id = s.subject_id) as events,
       (select coalesce(max(position), 0) from event e where e.subject_id = s.subject_id) as last_position,
       (select coalesce(sum(count), 0)::integer from tally t where t.subject_id = s.subject_id) as tallied
     from subject s`,
  );
  for (const row of miscounted) {
    expect(row).toMatchObject({
      events: row.eventCount,
      lastPosition: row.eventCount,
      tallied: row.eventCount,
    });
  }
}
