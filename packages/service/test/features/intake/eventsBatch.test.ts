import { describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { givenSharedService } from '#harness/givenService.js';
import { exportAll, outcome, report, reportBatch } from './eventFixtures.js';

interface ItemResult {
  index: number;
  status: string;
  eventId?: string;
}

describe.each(breadth)('reporting a batch on %s', (engine) => {
  const service = givenSharedService(engine);

  async function eventsOf(userId: string) {
    return (await exportAll(service)).filter((event) => event.userId === userId);
  }

  test('an invalid item fails alone', async () => {
    const items: [item: unknown, details: object[]][] = [
      [outcome({ eventType: 'NONSENSE' }), [{ path: 'events.1.eventType', code: 'invalid_value' }]],
      ['not an event', [{ path: 'events.2', code: 'invalid_type' }]],
      [null, [{ path: 'events.3', code: 'invalid_type' }]],
      [outcome({ completedAt: '2999-01-01T00:00:00Z' }), [{ path: 'events.4.completedAt', code: 'custom' }]],
    ];
    const answer = await reportBatch(service, [
      outcome({ userId: 'mixed' }),
      ...items.map(([item]) => item),
      outcome({ userId: 'test:mixed' }),
      outcome({ userId: 'mixed', extra: 1 }),
    ]);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ createdCount: 2, skippedCount: 0, failedCount: 5 });
    const results: ItemResult[] = answer.body.results;
    expect(results.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(results).toMatchObject([
      { status: 'created' },
      ...items.map(([, details]) => ({ status: 'failed', error: { code: 'VALIDATION_ERROR', details } })),
      { status: 'failed', error: { code: 'RESERVED_EXTERNAL_ID' } },
      { status: 'created', warnings: [{ code: 'UNKNOWN_FIELD' }] },
    ]);
    expect((await eventsOf('mixed')).map(({ id }) => id)).toEqual([results[0]?.eventId, results[6]?.eventId]);
  });

  test('a text that cannot be stored fails only its item', async () => {
    const answer = await reportBatch(service, [
      outcome({ userId: 'storable' }),
      outcome({ userId: 'nul\u0000' }),
      outcome({ userId: 'storable', metadata: { deep: [{ text: 'half \ud83d of a pair' }] } }),
      outcome({ userId: 'storable', metadata: { 'name\u0000': 1 } }),
      outcome({ userId: 'storable', metadata: { text: 'a spelt-out \\u0000 is fine' } }),
    ]);
    const statuses = answer.body.results.map(({ status }: ItemResult) => status);
    expect(statuses).toEqual(['created', 'failed', 'failed', 'failed', 'created']);
    expect(answer.body.results[2].error.code).toBe('VALIDATION_ERROR');
  });

  test('a hundred events of one subject keep the order of the batch', async () => {
    const events = Array.from({ length: 100 }, (_, n) => outcome({ userId: 'hundred', metadata: { n } }));
    const answer = await reportBatch(service, events);
    expect(answer.body).toMatchObject({ createdCount: 100, failedCount: 0 });
    const recorded = await eventsOf('hundred');
    expect(recorded.map(({ metadata }) => metadata?.n)).toEqual(events.map((_, n) => n));
    expect(recorded.map(({ id }) => id)).toEqual(
      answer.body.results.map(({ eventId }: ItemResult) => eventId),
    );
    const positions = await service.db.query<{ position: number }>(
      `select e.position from event e join subject s using (subject_id) where s.external_id = $1 order by e.event_id`,
      ['hundred'],
    );
    expect(positions.map(({ position }) => position)).toEqual(events.map((_, n) => n + 1));
  });

  test('a repeated batch writes nothing and returns the ids of the first events', async () => {
    const events = [1, 2, 3].map((n) => outcome({ userId: 'again', idempotencyKey: `again-${n}` }));
    const first = await reportBatch(service, events);
    const second = await reportBatch(service, [
      ...events,
      outcome({ userId: 'again', idempotencyKey: 'again-4' }),
    ]);
    expect(second.body).toMatchObject({ createdCount: 1, skippedCount: 3, failedCount: 0 });
    expect(second.body.results.slice(0, 3)).toEqual(
      first.body.results.map(({ index, eventId }: ItemResult) => ({ index, status: 'skipped', eventId })),
    );
    expect(await eventsOf('again')).toHaveLength(4);
  });

  test('a key that is in one batch twice is written once; different content gives a warning', async () => {
    const one = outcome({ userId: 'twice', idempotencyKey: 'twice-1' });
    const answer = await reportBatch(service, [one, one, { ...one, eventType: 'CONTRACT_BREACHED' }]);
    const [first, second, third] = answer.body.results;
    expect(first.status).toBe('created');
    expect(second).toEqual({ index: 1, status: 'skipped', eventId: first.eventId });
    expect(third).toMatchObject({ status: 'skipped', eventId: first.eventId });
    expect(third.warnings).toMatchObject([{ code: 'IDEMPOTENCY_KEY_REUSED' }]);
    expect(await eventsOf('twice')).toMatchObject([{ eventType: 'TRANSACTION_COMPLETED' }]);
  });

  test('a failed item does not use its key', async () => {
    const key = { userId: 'mended', idempotencyKey: 'mended-1' };
    await reportBatch(service, [outcome({ ...key, stakeLevel: 'HUGE' }), outcome(key)]);
    expect(await eventsOf('mended')).toHaveLength(1);
  });

  test('concurrent batches with common item keys write each key once', async () => {
    const batches = Array.from({ length: 12 }, (_, shift) =>
      Array.from({ length: 20 }, (_, n) =>
        outcome({ userId: 'overlap', idempotencyKey: `overlap-${(n * 7 + shift) % 30}` }),
      ),
    );
    const singles = Array.from({ length: 30 }, (_, n) =>
      outcome({ userId: 'overlap', idempotencyKey: `overlap-${n}` }),
    );
    const answers = await Promise.all([
      ...batches.map((events) => reportBatch(service, events)),
      ...singles.map((body) => report(service, body)),
    ]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 201]));
    expect(await eventsOf('overlap')).toHaveLength(30);
  });
});
