import { describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { givenService } from '#harness/givenService.js';
import { breached, fingerprint, fulfilled } from '../insight/recordFixtures.js';
import { anotherPlatform, once, outcome, report, scopedKey } from './eventFixtures.js';
import { ingest, mappingOf } from './ingestFixtures.js';

const NOW = new Date('2026-05-04T12:00:00.000Z');

describe.each(breadth)('a dry run of a report on %s', (engine) => {
  const service = givenService(engine, { clock: { now: () => NOW } });
  const tried = (body: unknown, options: Parameters<typeof report>[2] = {}) =>
    service.request('POST', '/events?dryRun=1', { ...options, body });
  const scoreOf = async (userId: string) => {
    await service.settle();
    const { finalScore, scoreBand } = (await service.request('GET', `/users/${userId}/score`)).body;
    return { finalScore, scoreBand };
  };

  test('answers as the report does, with the score that the subject then has', async () => {
    await report(service, outcome({ userId: 'tried', ...fulfilled }));
    const before = await scoreOf('tried');
    const event = outcome({ userId: 'tried', ...breached, colour: 'red', idempotencyKey: 'tried-1' });
    const trial = await tried(event);
    const real = await report(service, event);
    const after = await scoreOf('tried');
    const { projected, dryRun, eventId, ...answer } = trial.body;
    expect([trial.status, dryRun]).toEqual([real.status, true]);
    expect(eventId).not.toBe(real.body.eventId);
    const { eventId: realId, ...realAnswer } = real.body;
    expect({ ...answer, event: { ...answer.event, id: realId } }).toEqual(realAnswer);
    const delta = Number((after.finalScore - before.finalScore).toFixed(2));
    expect(projected).toEqual({ userId: 'tried', ...after, delta, frozen: false });
    expect((await service.request('GET', `/events/${eventId}`)).status).toBe(404);
  });

  test('of a subject that nobody knows starts where every record starts', async () => {
    const { body } = await tried(outcome({ userId: 'unknown', ...fulfilled }));
    expect(body.projected.delta).toBe(Number((body.projected.finalScore - 20).toFixed(2)));
    expect((await service.request('GET', '/users/unknown/score')).status).toBe(404);
  });

  test('writes nothing, counts in no usage and takes nothing of the quota', async () => {
    await report(service, outcome({ userId: 'quiet', idempotencyKey: 'quiet-1' }));
    await service.settle();
    const usage = async () =>
      (await service.request('GET', `/admin/platforms/${service.platformId}/usage`, { admin: true })).body
        .days;
    const remaining = async () =>
      (await tried(outcome({ userId: 'quiet' }))).headers.get('x-quota-remaining');
    const queuedLeaves = async () => (await service.db.query('select from log_queue')).length;
    const [left, leaves] = [await remaining(), await queuedLeaves()];
    const [rows, days] = [await fingerprint(service), await usage()];
    const events = [outcome({ userId: 'quiet' }), outcome({ userId: 'new', idempotencyKey: 'quiet-2' }), {}];
    for (const event of events) await tried(event, once(`dry-run-${JSON.stringify(event).length}`));
    await service.request('POST', '/events/batch?dryRun=1', { body: { events } });
    await service.request('POST', '/ingest?dryRun=1', {
      body: { records: [{ who: 'x' }], mapping: mappingOf() },
    });
    expect(await fingerprint(service)).toBe(rows);
    expect(await usage()).toEqual(days);
    expect(await remaining()).toBe(left);
    expect(await queuedLeaves()).toBeLessThanOrEqual(leaves);
  });

  test('is refused as the report is', async () => {
    const readOnly = await scopedKey(service, ['events:read']);
    for (const [body, options] of [
      [outcome({ eventType: 'DISPUTE_FILED' }), {}],
      [outcome({ completedAt: '2999-01-01T00:00:00Z' }), {}],
      [outcome({ isVerifed: true }), {}],
      [outcome({ userId: 'test:reserved' }), {}],
      [outcome(), { key: readOnly }],
      [outcome(), { headers: { 'Idempotency-Key': 'short' } }],
    ] as const) {
      const [trial, real] = [await tried(body, options), await report(service, body, options)];
      const { requestId: _, ...refusal } = trial.body;
      expect([trial.status, refusal]).toEqual([
        real.status,
        { ...refusal, ...real.body, requestId: undefined },
      ]);
      expect(trial.status).toBeGreaterThanOrEqual(400);
    }
    for (const value of ['true', 'yes', '']) {
      const { status } = await service.request('POST', `/events?dryRun=${value}`, { body: outcome() });
      expect(status).toBe(400);
    }
    expect((await service.request('POST', '/events?dry_run=1', { body: outcome() })).status).toBe(400);
  });

  test('knows keys that were used, and uses none up', async () => {
    const event = outcome({ userId: 'keyed', idempotencyKey: 'keyed-item' });
    const key = once('keyed-request');
    expect((await tried(event, key)).body.event.userId).toBe('keyed');
    const { eventId } = (await report(service, event, key)).body;
    const repeated = await tried(event, key);
    expect(repeated.headers.get('idempotent-replay')).toBe('true');
    expect(repeated.body).toMatchObject({ eventId, dryRun: true, projected: { delta: expect.any(Number) } });
    const conflict = await tried({ ...event, stakeLevel: 'LOW' }, key);
    expect([conflict.status, conflict.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    const { body } = await tried({ ...event, stakeLevel: 'LOW' });
    expect(body).toMatchObject({ eventId, warnings: [{ code: 'IDEMPOTENCY_KEY_REUSED' }] });
    const withReceipt = await service.request('POST', '/events?receipt=1&dryRun=1', { body: outcome() });
    expect([withReceipt.status, withReceipt.body.receipt]).toEqual([201, undefined]);
  });

  test('of a batch has a result for each item and a score for each subject', async () => {
    const events = [
      outcome({ userId: 'one', ...fulfilled, idempotencyKey: 'batch-1' }),
      outcome({ userId: 'two', ...breached }),
      outcome({ userId: 'one', ...fulfilled, idempotencyKey: 'batch-1' }),
      outcome({ userId: 'one', eventType: 'NONSENSE' }),
      outcome({ userId: 'one', ...fulfilled }),
    ];
    const trial = await service.request('POST', '/events/batch?dryRun=1', { body: { events } });
    const real = await service.request('POST', '/events/batch', { body: { events } });
    const withoutIds = ({ results, ...rest }: { results: { eventId?: string }[] }) => ({
      ...rest,
      results: results.map(({ eventId: _, ...result }) => result),
    });
    const { projected, dryRun, ...answer } = trial.body;
    expect([trial.status, dryRun, withoutIds(answer)]).toEqual([200, true, withoutIds(real.body)]);
    expect(answer).toMatchObject({ createdCount: 3, skippedCount: 1, failedCount: 1 });
    expect(projected).toMatchObject([
      { userId: 'one', ...(await scoreOf('one')) },
      { userId: 'two', ...(await scoreOf('two')) },
    ]);
  });

  test('judges verification as the report does, also for subjects that were just declared', async () => {
    const body = { userId: 'own-bot', name: 'Own bot', platformIsOperator: true };
    expect((await service.request('POST', '/agents', { body })).status).toBe(201);
    const { body: trial } = await tried(outcome({ userId: 'own-bot', ...fulfilled }));
    expect(trial.event.isVerified).toBe(false);
    expect(trial.warnings).toMatchObject([{ code: 'VERIFICATION_DOWNGRADED' }]);
    const records = [
      { who: 'ingested', by: 'Acme' },
      { who: 'ingested', by: 'ingested' },
    ];
    const mapping = mappingOf({ isVerified: { constant: true }, verifiedBy: { path: 'by' } });
    const dry = await service.request('POST', '/ingest?dryRun=1', { body: { records, mapping } });
    const real = await ingest(service, records, mapping);
    expect(dry.body.results.map(({ warnings = [] }) => warnings)).toEqual(
      real.body.results.map(({ warnings = [] }) => warnings),
    );
    expect(dry.body.projected).toMatchObject([{ userId: 'ingested', ...(await scoreOf('ingested')) }]);
    const other = await anotherPlatform(service);
    const { body: theirs } = await tried(outcome({ userId: 'own-bot', ...fulfilled }), {
      key: other.liveKey,
    });
    expect(theirs.event.isVerified).toBe(true);
  });
});
