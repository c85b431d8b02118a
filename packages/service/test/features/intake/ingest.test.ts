import { describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { givenService } from '#harness/givenService.js';
import type { TestAnswer } from '#harness/service.js';
import { newPlatform } from '../tenancy/keyFixtures.js';
import { exportAll, once } from './eventFixtures.js';
import { ingest, mappingOf, save } from './ingestFixtures.js';

interface ItemResult {
  status: string;
  error?: { code: string; message: string; details?: { path: string }[] };
  warnings?: { code: string }[];
}

const MAX_PER_HOUR = 30;

describe.each(breadth)("ingesting records of the caller's own shape on %s", (engine) => {
  const env = { VELOCITY_MAX_PER_HOUR: String(MAX_PER_HOUR) };
  const service = givenService(engine, { env });

  const resultsOf = ({ status, body }: TestAnswer): ItemResult[] => {
    expect([status, body.code]).toEqual([200, undefined]);
    return body.results;
  };
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
    const { results, ...counts } = (await ingest(service, [record], mapping)).body;
    expect(results).toEqual([{ index: 0, status: 'created', eventId: expect.any(String) }]);
    expect(counts).toEqual({ createdCount: 1, skippedCount: 0, failedCount: 0 });
    expect(await eventsOf('4711')).toEqual([
      {
        id: results[0].eventId,
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
        reportedBy: expect.any(String),
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
      metadata: { note: { path: 'note' } },
    });
    const good = { who: 'mixed', kind: 'REVIEW_VERIFIED', at: '2024-03-01' };
    const failing: [record: unknown, path: string | undefined][] = [
      [{ ...good, at: '31.02.2024' }, 'records.1.completedAt'],
      ['no record', 'records.2'],
      [null, 'records.3'],
      [{ kind: 'REVIEW_VERIFIED' }, 'records.4.userId'],
      [{ ...good, kind: 'NONSENSE' }, 'records.5.eventType'],
      [{ ...good, at: '2999-01-01' }, 'records.6.completedAt'],
      // These texts cannot be stored.
      [{ ...good, note: 'a\u0000b' }, 'records.7.note'],
      [{ ...good, note: '\ud800' }, 'records.8.note'],
      [{ ...good, who: 'test:x' }, undefined],
    ];
    const answer = await ingest(service, [good, ...failing.map(([record]) => record), good], mapping);
    expect(answer.body).toMatchObject({ createdCount: 2, skippedCount: 0, failedCount: failing.length });
    const [first, ...rest] = resultsOf(answer);
    expect([first?.status, rest.pop()?.status]).toEqual(['created', 'created']);
    expect(rest.map(({ error }) => error?.details?.[0]?.path)).toEqual(failing.map(([, path]) => path));
    expect(rest.at(-1)?.error?.code).toBe('RESERVED_EXTERNAL_ID');
    expect(rest[0]?.error?.message).toContain('not "31.02.2024" (read from "at")');
    expect(await eventsOf('mixed')).toHaveLength(2);
  });

  test('isVerified counts only if verifiedBy names another party for that record', async () => {
    const mapping = mappingOf({ isVerified: { path: 'ok' }, verifiedBy: { path: 'by' } });
    const names = ['client', '', null, ' ', 'VOUCHED', 7];
    const records = names.map((by) => ({ who: 'vouched', ok: true, by }));
    const results = resultsOf(await ingest(service, records, mapping));
    const verified = (await eventsOf('vouched')).map(({ isVerified }) => isVerified);
    expect(verified).toEqual([true, false, false, false, false, true]);
    const codes = results.map(({ warnings = [] }) => warnings.map(({ code }) => code));
    expect(codes).toEqual(verified.map((isVerified) => (isVerified ? [] : ['VERIFICATION_DOWNGRADED'])));
  });

  test('a repeated request with its Idempotency-Key gets the first answer, even if its mapping was deleted', async () => {
    const { id } = (await save(service, 'To be deleted')).body;
    const body = { records: [{ who: 'replayed' }], mappingId: id };
    const send = (key: string) => service.request('POST', '/ingest', { body, ...once(key) });
    const first = await send('ingest-once');
    await service.request('DELETE', `/ingest/mappings/${id}`);
    const again = await send('ingest-once');
    expect([again.headers.get('Idempotent-Replay'), again.body]).toEqual(['true', first.body]);
    expect((await send('ingest-another')).status).toBe(404);
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

  test('needs a mapping or the id of one, and not both', async () => {
    const { id } = (await save(service, 'One of two')).body;
    const mapping = mappingOf();
    const send = async (more: object) =>
      (await service.request('POST', '/ingest', { body: { records: [{ who: 'w' }], ...more } })).body;
    for (const [more, path] of [
      [{}, 'mapping'],
      [{ mapping, mappingId: id }, 'mappingId'],
      [{ mappingId: 5 }, 'mappingId'],
    ] as const) {
      expect(await send(more)).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ path }] });
    }
    for (const more of [{ mappingId: id }, { mappingId: null, mapping }, { mappingId: id, mapping: null }]) {
      expect(await send(more)).toMatchObject({ createdCount: 1 });
    }
  });

  test('a saved mapping can be used only by its own platform', async () => {
    const [other, { live }] = [await newPlatform(service), await newPlatform(service)];
    const { id } = (await save(service, 'Own', mappingOf(), live)).body;
    const send = async (key: string, mappingId: string) => {
      const body = { records: [{ who: 'w' }], mappingId };
      return (await service.request('POST', '/ingest', { key, body })).body.code;
    };
    expect(await send(live.key, id)).toBeUndefined();
    expect(await send(other.live.key, id)).toBe('NOT_FOUND');
    expect(await send(live.key, 'no uuid')).toBe('NOT_FOUND');
  });

  test('a warning names an unknown property of the request, but no column that is not mapped', async () => {
    const body = { records: [{ who: 'told', other: 1 }], mapping: mappingOf(), label: 1, dryRun: true };
    const answer = await service.request('POST', '/ingest', { body });
    expect(answer.body.results).toEqual([{ index: 0, status: 'created', eventId: expect.any(String) }]);
    expect(answer.body.warnings).toMatchObject(
      ['label', 'dryRun'].map((name) => ({
        code: 'UNKNOWN_FIELD',
        message: expect.stringContaining(`"${name}"`),
      })),
    );
  });

  test('the velocity guard counts ingested events', async () => {
    const { live } = await newPlatform(service);
    const records = Array.from({ length: MAX_PER_HOUR + 1 }, () => ({ who: 'hasty' }));
    await ingest(service, records, mappingOf(), live);
    await service.settle();
    expect((await service.request('GET', '/users/hasty/score', live)).body).toMatchObject({ frozen: true });
  });
});
