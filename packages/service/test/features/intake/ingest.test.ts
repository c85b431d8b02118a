import { describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { startTestService, type TestAnswer } from '#harness/service.js';
import { suiteService } from '#harness/suiteService.js';
import { newPlatform, UNKNOWN_ID } from '../tenancy/keyFixtures.js';
import { exportAll, once, outcome, report } from './eventFixtures.js';
import { ingest, mappingOf, save } from './ingestFixtures.js';

interface ItemResult {
  index: number;
  status: string;
  eventId?: string;
  error?: { code: string; message: string; details?: { path: string }[] };
  warnings?: { code: string }[];
}

const MAX_PER_HOUR = 30;

describe.each(breadth)("ingesting records of the caller's own shape on %s", (engine) => {
  const service = suiteService(() =>
    startTestService(engine, { env: { VELOCITY_MAX_PER_HOUR: String(MAX_PER_HOUR) } }),
  );

  const resultsOf = ({ status, body }: TestAnswer): ItemResult[] => {
    expect([status, body.code]).toEqual([200, undefined]);
    return body.results;
  };
  const codesOf = ({ warnings = [] }: ItemResult) => warnings.map(({ code }) => code);
  const eventsOf = async (userId: string, key?: string) =>
    (await exportAll(service, { key })).filter((event) => event.userId === userId);

  test('every kind of rule sets its field of the event', async () => {
    const mapping = {
      userId: { path: 'worker.id' },
      eventType: { path: 'status', table: { done: 'CONTRACT_FULFILLED', 'no show': 'CONTRACT_BREACHED' } },
      stakeLevel: { path: 'stake', default: 'LOW' },
      isVerified: { path: 'approved', transform: 'boolean' },
      transactionValue: { path: 'price_cents', transform: 'cents_to_units' },
      dueDate: { path: 'due', transform: 'iso_date' },
      completedAt: { path: 'times.1' },
      idempotencyKey: { path: 'Job No.', transform: 'trim' },
      verifiedBy: { path: 'client', transform: 'lowercase' },
      metadata: { source: { constant: 'old system' }, job: { path: 'Job No.' }, gone: { path: 'nowhere' } },
    };
    const record = {
      worker: { id: 4711 },
      status: 'done',
      approved: 'Yes',
      price_cents: '48050',
      due: '2024-03-01',
      times: ['ignored', '2024-02-29T15:42:10+01:00'],
      'Job No.': ' J-1 ',
      client: 'Miller & Sons',
      unmapped: { of: 'no interest' },
    };
    const answer = await ingest(service, [record], mapping);
    expect(answer.body).toEqual({
      results: [{ index: 0, status: 'created', eventId: expect.any(String) }],
      createdCount: 1,
      skippedCount: 0,
      failedCount: 0,
    });
    expect(await eventsOf('4711')).toEqual([
      {
        id: answer.body.results[0].eventId,
        userId: '4711',
        eventType: 'CONTRACT_FULFILLED',
        stakeLevel: 'LOW',
        isVerified: true,
        attester: 'miller & sons',
        transactionValue: 480.5,
        dueDate: '2024-03-01T00:00:00.000Z',
        completedAt: '2024-02-29T14:42:10.000Z',
        metadata: { source: 'old system', job: ' J-1 ' },
        autoImported: false,
        livemode: true,
        createdAt: expect.any(String),
      },
    ]);
    await service.settle();
    const score = await service.request('GET', '/users/4711/score');
    expect(score.body).toMatchObject({ totalEvents: 1, verifiedEvents: 1 });
  });

  test('an invalid record fails alone, and its error names the field and the path', async () => {
    const mapping = mappingOf({
      eventType: { path: 'kind' },
      completedAt: { path: 'at', transform: 'iso_date' },
    });
    const good = { who: 'mixed', kind: 'REVIEW_VERIFIED', at: '2024-03-01' };
    const answer = await ingest(
      service,
      [
        good,
        { ...good, at: '31.02.2024' },
        'no record',
        null,
        [],
        { kind: 'REVIEW_VERIFIED' },
        { ...good, kind: 'NONSENSE' },
        { ...good, who: 'test:x' },
        { ...good, at: '2999-01-01' },
        good,
      ],
      mapping,
    );
    expect(answer.body).toMatchObject({ createdCount: 2, skippedCount: 0, failedCount: 8 });
    const results = resultsOf(answer);
    expect(results.map(({ index, status }) => `${index} ${status}`)).toEqual([
      '0 created',
      ...[1, 2, 3, 4, 5, 6, 7, 8].map((index) => `${index} failed`),
      '9 created',
    ]);
    expect(results.slice(1, 9).map(({ error }) => [error?.code, error?.details?.[0]?.path])).toEqual([
      ['VALIDATION_ERROR', 'records.1.completedAt'],
      ['VALIDATION_ERROR', 'records.2'],
      ['VALIDATION_ERROR', 'records.3'],
      ['VALIDATION_ERROR', 'records.4'],
      ['VALIDATION_ERROR', 'records.5.userId'],
      ['VALIDATION_ERROR', 'records.6.eventType'],
      ['RESERVED_EXTERNAL_ID', undefined],
      ['VALIDATION_ERROR', 'records.8.completedAt'],
    ]);
    expect(results[1]?.error?.message).toContain('not "31.02.2024" (read from "at")');
    expect(await eventsOf('mixed')).toHaveLength(2);
  });

  test('isVerified counts only if verifiedBy names another party for that record', async () => {
    const mapping = mappingOf({ isVerified: { path: 'ok' }, verifiedBy: { path: 'by' } });
    const record = (by: unknown) => ({ who: 'vouched', ok: true, by });
    const results = resultsOf(
      await ingest(service, ['client', '', null, ' ', 'VOUCHED', 7].map(record), mapping),
    );
    expect(results.map(codesOf)).toEqual([
      [],
      ['VERIFICATION_DOWNGRADED'],
      ['VERIFICATION_DOWNGRADED'],
      ['VERIFICATION_DOWNGRADED'],
      ['VERIFICATION_DOWNGRADED'],
      [],
    ]);
    expect((await eventsOf('vouched')).map(({ isVerified }) => isVerified)).toEqual([
      true,
      false,
      false,
      false,
      false,
      true,
    ]);
    const unnamed = resultsOf(
      await ingest(service, [{ who: 'vouched', ok: true }], mappingOf({ isVerified: { constant: true } })),
    );
    expect(unnamed.map(codesOf)).toEqual([['VERIFICATION_DOWNGRADED']]);
    const omitted = resultsOf(
      await ingest(service, [{ who: 'omitted', by: 'client' }], mappingOf({ verifiedBy: { path: 'by' } })),
    );
    expect(omitted.map(codesOf)).toEqual([[]]);
    expect(await eventsOf('omitted')).toMatchObject([{ isVerified: false }]);
  });

  test('records that the mapping marks as auto-imported have at most MEDIUM stake', async () => {
    const mapping = mappingOf({
      stakeLevel: { constant: 'HIGH' },
      metadata: { autoImported: { path: 'auto' } },
    });
    const results = resultsOf(
      await ingest(service, [{ who: 'capped', auto: true }, { who: 'capped' }], mapping),
    );
    expect(results.map(codesOf)).toEqual([['STAKE_CAPPED'], []]);
    expect(await eventsOf('capped')).toMatchObject([
      { stakeLevel: 'MEDIUM', autoImported: true },
      { stakeLevel: 'HIGH', autoImported: false },
    ]);
  });

  test('a record with a known key is skipped with the first event, and with a warning if it differs', async () => {
    const mapping = mappingOf({ idempotencyKey: { path: 'no' }, transactionValue: { path: 'value' } });
    const first = resultsOf(await ingest(service, [{ who: 'keyed', no: 1, value: 5 }], mapping));
    const again = await ingest(
      service,
      [
        { who: 'keyed', no: '1', value: '5' },
        { who: 'keyed', no: 1, value: 6 },
        { who: 'keyed', no: 2 },
        { who: 'keyed', no: 2 },
        { who: 'keyed', no: '' },
        { who: 'keyed' },
      ],
      mapping,
    );
    expect(again.body).toMatchObject({ createdCount: 3, skippedCount: 3, failedCount: 0 });
    const results = resultsOf(again);
    expect(results.map(({ status }) => status)).toEqual([
      'skipped',
      'skipped',
      'created',
      'skipped',
      'created',
      'created',
    ]);
    expect(results.slice(0, 2).map(({ eventId }) => eventId)).toEqual([first[0]?.eventId, first[0]?.eventId]);
    expect(results[3]?.eventId).toBe(results[2]?.eventId);
    expect(results.map(codesOf)).toEqual([[], ['IDEMPOTENCY_KEY_REUSED'], [], [], [], []]);
    // The key is also known to POST /events.
    const event = outcome({
      userId: 'keyed',
      eventType: 'CONTRACT_FULFILLED',
      transactionValue: 5,
      idempotencyKey: '1',
    });
    expect((await report(service, event)).body).toMatchObject({ eventId: first[0]?.eventId, warnings: [] });
  });

  test('a repeated request with its Idempotency-Key gets the first answer, even if its mapping was deleted', async () => {
    const { id } = (await save(service, 'To be deleted')).body;
    const body = { records: [{ who: 'replayed' }], mappingId: id };
    const send = (more = {}) =>
      service.request('POST', '/ingest', { body: { ...body, ...more }, ...once('ingest-once') });
    const first = await send();
    await service.request('DELETE', `/ingest/mappings/${id}`);
    const again = await send();
    expect([again.status, again.headers.get('Idempotent-Replay'), again.body]).toEqual([
      200,
      'true',
      first.body,
    ]);
    expect((await send({ note: 1 })).body.code).toBe('IDEMPOTENCY_KEY_REUSED');
    expect((await service.request('POST', '/ingest', { body, ...once('ingest-another') })).status).toBe(404);
    expect(await eventsOf('replayed')).toHaveLength(1);
  });

  test('concurrent requests with the same records write each record once', async () => {
    const mapping = mappingOf({ idempotencyKey: { path: 'no' } });
    const records = Array.from({ length: 20 }, (_, no) => ({ who: 'raced', no: `raced-${no}` }));
    const answers = await Promise.all(Array.from({ length: 10 }, () => ingest(service, records, mapping)));
    const created = answers.map(({ body }) => body.createdCount).reduce((sum, count) => sum + count, 0);
    expect(created).toBe(20);
    expect(await eventsOf('raced')).toHaveLength(20);
  });

  test('takes 1 to 100 records', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, n) => ({ who: `crowd-${n % 10}` }));
    expect((await ingest(service, many(100), mappingOf())).body.createdCount).toBe(100);
    for (const [records, code] of [
      [many(101), 'too_big'],
      [[], 'too_small'],
      ['text', 'invalid_type'],
      [undefined, 'required'],
    ] as const) {
      const answer = await ingest(service, records, mappingOf());
      expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_ERROR']);
      expect(answer.body.details).toMatchObject([{ path: 'records', code }]);
    }
    expect((await service.request('POST', '/ingest')).body.code).toBe('BAD_REQUEST');
  });

  test('needs a mapping or the id of one, and not both', async () => {
    const { id } = (await save(service, 'One of two')).body;
    const send = (more: object) =>
      service.request('POST', '/ingest', { body: { records: [{ who: 'w' }], ...more } });
    expect((await send({})).body).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ path: 'mapping', code: 'required' }],
    });
    expect((await send({ mapping: mappingOf(), mappingId: id })).body).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ path: 'mappingId' }],
    });
    expect((await send({ mappingId: 5 })).body).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ path: 'mappingId' }],
    });
    expect((await send({ mappingId: id })).body).toMatchObject({ createdCount: 1 });
    expect((await send({ mappingId: null, mapping: mappingOf() })).body).toMatchObject({ createdCount: 1 });
    expect((await send({ mappingId: id, mapping: null })).body).toMatchObject({ createdCount: 1 });
  });

  test('an invalid mapping is refused with all its errors, and nothing is written', async () => {
    const mapping = {
      userId: { path: 'who', transform: 'uppercase' },
      eventtype: { constant: 'X' },
      dueDate: {},
    };
    const answer = await ingest(service, [{ who: 'unmapped' }], mapping);
    expect([answer.status, answer.body.code]).toEqual([400, 'INGEST_MAPPING_INVALID']);
    expect(answer.body.details.map(({ path }: { path: string }) => path)).toEqual([
      'mapping.eventType',
      'mapping.eventtype',
      'mapping.userId.transform',
      'mapping.dueDate',
    ]);
    expect(await eventsOf('unmapped')).toEqual([]);
  });

  test('a saved mapping can be used only by its own platform, in both modes', async () => {
    const other = await newPlatform(service);
    const { live, test: sandbox } = await newPlatform(service);
    const { id } = (await save(service, 'Own', mappingOf(), live)).body;
    const send = (key: string, mappingId = id) =>
      service.request('POST', '/ingest', { key, body: { records: [{ who: 'w' }], mappingId } });
    expect((await send(live.key)).status).toBe(200);
    expect((await send(sandbox.key)).status).toBe(200);
    for (const refused of [
      await send(other.live.key),
      await send(live.key, UNKNOWN_ID),
      await send(live.key, 'no uuid'),
    ]) {
      expect([refused.status, refused.body.code]).toEqual([404, 'NOT_FOUND']);
    }
  });

  test('in test mode records are recorded as test events', async () => {
    const answer = await ingest(service, [{ who: 'test:sandboxed' }], mappingOf(), { key: service.testKey });
    expect(answer.body.createdCount).toBe(1);
    expect(await eventsOf('test:sandboxed', service.testKey)).toMatchObject([{ livemode: false }]);
    expect(await eventsOf('test:sandboxed')).toEqual([]);
  });

  test('a warning names an unknown property of the request, but no column that is not mapped', async () => {
    const body = { records: [{ who: 'told', other: 1 }], mapping: mappingOf(), label: 1, dryRun: true };
    const answer = await service.request('POST', '/ingest', { body });
    expect(answer.body).toMatchObject({ createdCount: 1, results: [{ index: 0, status: 'created' }] });
    expect(answer.body.warnings).toEqual(
      ['label', 'dryRun'].map((name) => ({
        code: 'UNKNOWN_FIELD',
        message: expect.stringContaining(`"${name}"`),
      })),
    );
    expect(answer.body.results[0]).not.toHaveProperty('warnings');
  });

  test('a text that cannot be stored fails its record, or the request if it is in the mapping', async () => {
    const mapping = mappingOf({ metadata: { note: { path: 'note' } } });
    const answer = await ingest(
      service,
      [
        { who: 'texts', note: 'a\u0000b' },
        { who: 'texts', note: '\ud800' },
        { who: 'texts', note: 'ok' },
      ],
      mapping,
    );
    expect(resultsOf(answer).map(({ status, error }) => [status, error?.details?.[0]?.path])).toEqual([
      ['failed', 'records.0.note'],
      ['failed', 'records.1.note'],
      ['created', undefined],
    ]);
    const spoilt = await ingest(
      service,
      [{ who: 'texts' }],
      mappingOf({ metadata: { a: { constant: '\u0000' } } }),
    );
    expect(spoilt.body).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ path: 'mapping.metadata.a.constant' }],
    });
  });

  test('__proto__ and similar names have no effect', async () => {
    for (const text of [
      '{"records":[{"who":"w","__proto__":{"isAdmin":true}}],"mapping":{"userId":{"path":"who"},"eventType":{"constant":"REVIEW_VERIFIED"}}}',
      '{"records":[{"who":"w"}],"mapping":{"userId":{"path":"__proto__.who"},"eventType":{"constant":"REVIEW_VERIFIED"}}}',
      '{"records":[{"who":"w"}],"mapping":{"userId":{"path":"who"},"eventType":{"constant":"REVIEW_VERIFIED"},"__proto__":{"path":"x"}}}',
    ]) {
      expect((await service.request('POST', '/ingest', { body: text })).status).toBe(400);
    }
    const mapping = mappingOf({
      userId: { path: 'constructor.name' },
      metadata: { constructor: { path: 'prototype' } },
    });
    expect(resultsOf(await ingest(service, [{ who: 'w' }], mapping))).toMatchObject([{ status: 'failed' }]);
    expect(Object.hasOwn(Object.prototype, 'isAdmin')).toBe(false);
  });

  test('the velocity guard counts ingested events', async () => {
    const { live } = await newPlatform(service);
    const records = Array.from({ length: MAX_PER_HOUR + 1 }, () => ({ who: 'hasty' }));
    await ingest(service, records, mappingOf(), live);
    await service.settle();
    expect((await service.request('GET', '/users/hasty/score', live)).body).toMatchObject({ frozen: true });
  });
});
