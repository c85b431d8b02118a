import { describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { joinTestService } from '#harness/service.js';
import { suiteService } from '#harness/suiteService.js';
import { newPlatform } from '../tenancy/keyFixtures.js';
import { ingest, mappingOf, save } from './ingestFixtures.js';

const MAX_MAPPINGS = 500;

describe.each(breadth)('saved mappings on %s', (engine) => {
  const service = suiteService(() => joinTestService(engine));

  const list = async (key: string, query = '') =>
    (await service.request('GET', `/ingest/mappings${query}`, { key })).body;

  test('a mapping is saved, read and listed as it was sent, and deleted', async () => {
    const { live } = await newPlatform(service);
    const mapping = {
      metadata: { zone: { path: 'z' }, area: { constant: 5 } },
      userId: { path: 'id', default: 'ü “x”' },
      eventType: { table: { b: 'CONTRACT_BREACHED', a: 'CONTRACT_FULFILLED' }, path: 'kind' },
    };
    const made = await save(service, 'Jobs of the old system', mapping, live);
    expect([made.status, made.body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name: 'Jobs of the old system',
        mapping,
        createdAt: expect.stringMatching(/Z$/),
      },
    ]);
    const path = `/ingest/mappings/${made.body.id}`;
    const read = await service.request('GET', path, live);
    expect([read.status, read.text]).toEqual([200, made.text]);
    const second = await save(service, 'jobs of the old system', mappingOf(), live);
    expect(await list(live.key)).toEqual({ mappings: [second.body, made.body], nextCursor: null });
    const deleted = await service.request('DELETE', path, live);
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    expect((await service.request('GET', path, live)).status).toBe(404);
    expect((await service.request('DELETE', path, live)).status).toBe(404);
    expect((await save(service, 'Jobs of the old system', mapping, live)).status).toBe(201);
  });

  test('deleting a mapping keeps the events that were recorded with it', async () => {
    const { live } = await newPlatform(service);
    const { id } = (await save(service, 'Short-lived', mappingOf(), live)).body;
    const body = { records: [{ who: 'stays' }], mappingId: id };
    await service.request('POST', '/ingest', { ...live, body });
    await service.request('DELETE', `/ingest/mappings/${id}`, live);
    expect((await service.request('GET', '/events/export', live)).body.events).toMatchObject([
      { userId: 'stays' },
    ]);
  });

  test('the whole mapping is validated before it is saved', async () => {
    const { live } = await newPlatform(service);
    const answer = await save(
      service,
      'Faulty',
      { userId: { path: '' }, stakeLevel: { path: 'a', transform: 'upper' }, nope: 1 },
      live,
    );
    expect([answer.status, answer.body.code]).toEqual([400, 'INGEST_MAPPING_INVALID']);
    expect(answer.body.details).toEqual([
      expect.objectContaining({ path: 'mapping.eventType', code: 'required' }),
      expect.objectContaining({ path: 'mapping.nope', code: 'unrecognized' }),
      expect.objectContaining({ path: 'mapping.userId.path', code: 'too_small' }),
      expect.objectContaining({ path: 'mapping.stakeLevel.transform', code: 'invalid_value' }),
    ]);
    for (const mapping of [null, 'text', [], 5]) {
      expect((await save(service, 'Faulty', mapping, live)).body.code).toBe('INGEST_MAPPING_INVALID');
    }
    expect(await list(live.key)).toEqual({ mappings: [], nextCursor: null });
  });

  test.each<[string, unknown, string]>([
    ['no name', { mapping: mappingOf() }, 'name'],
    ['an empty name', { name: '', mapping: mappingOf() }, 'name'],
    ['too long a name', { name: 'n'.repeat(256), mapping: mappingOf() }, 'name'],
    ['a name that is no text', { name: 5, mapping: mappingOf() }, 'name'],
    ['a name that cannot be stored', { name: 'a\u0000', mapping: mappingOf() }, 'name'],
    ['no mapping', { name: 'None' }, 'mapping'],
    [
      'a text in it that cannot be stored',
      { name: 'Text', mapping: mappingOf({ userId: { path: '\ud800' } }) },
      'mapping.userId.path',
    ],
    ['a body that is a list', [], ''],
  ])('with %s it does not fit the schema', async (_what, body, path) => {
    const answer = await service.request('POST', '/ingest/mappings', { body });
    expect([answer.status, answer.body.code, answer.body.details[0].path]).toEqual([
      400,
      'VALIDATION_ERROR',
      path,
    ]);
  });

  test('a mapping belongs to the platform: each mode lists, reads, uses and deletes it', async () => {
    const { live, test: sandbox } = await newPlatform(service);
    for (const [maker, other] of [
      [live, sandbox],
      [sandbox, live],
    ] as const) {
      const saved = (await save(service, 'Of both modes', mappingOf(), maker)).body;
      const path = `/ingest/mappings/${saved.id}`;
      expect((await service.request('GET', path, other)).body).toEqual(saved);
      expect((await list(other.key)).mappings).toEqual([saved]);
      const records = [{ who: 'in-its-own-mode' }];
      const ingested = await service.request('POST', '/ingest', {
        ...other,
        body: { records, mappingId: saved.id },
      });
      expect(ingested.body).toMatchObject({ createdCount: 1 });
      const dryRun = await service.request('POST', '/imports/dry-run', {
        ...other,
        body: { csv: 'who\na\n', mappingId: saved.id },
      });
      expect(dryRun.status).toBe(200);
      expect((await service.request('DELETE', path, other)).status).toBe(204);
      expect((await service.request('GET', path, maker)).status).toBe(404);
    }
    for (const { key } of [live, sandbox]) {
      const { events } = (await service.request('GET', '/events/export', { key })).body;
      expect(events).toHaveLength(1);
    }
  });

  test('a name is unique in a platform', async () => {
    const { live, test: sandbox } = await newPlatform(service);
    const longest = 'ä'.repeat(255);
    expect((await save(service, longest, mappingOf(), live)).status).toBe(201);
    const again = await save(service, longest, mappingOf({ stakeLevel: { constant: 'LOW' } }), live);
    expect([again.status, again.body.code]).toEqual([409, 'CONFLICT']);
    expect((await save(service, longest, mappingOf(), sandbox)).body.code).toBe('CONFLICT');
    const other = await newPlatform(service);
    expect((await save(service, longest, mappingOf(), other.live)).status).toBe(201);
  });

  test('of concurrent requests with one name exactly one succeeds', async () => {
    const { live } = await newPlatform(service);
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => save(service, 'Raced', mappingOf(), live)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(11).fill(409)]);
    expect((await list(live.key)).mappings).toHaveLength(1);
  });

  test('a platform can save mappings up to the cap', async () => {
    const { platformId, live, test: sandbox } = await newPlatform(service);
    await service.db.execute(
      `insert into saved_mapping (platform_id, mapping_id, name, rules, created_at)
       select $1, gen_random_uuid(), 'Filler ' || n, '{}', now() from generate_series(2, $2::integer) n`,
      [platformId, MAX_MAPPINGS],
    );
    expect((await save(service, 'The last', mappingOf(), live)).status).toBe(201);
    const refused = await save(service, 'One too many', mappingOf(), live);
    expect([refused.status, refused.body.code, refused.body.details]).toEqual([
      409,
      'CONFLICT',
      { limit: MAX_MAPPINGS },
    ]);
    expect((await save(service, 'In test mode', mappingOf(), sandbox)).status).toBe(409);
  });

  test('a reset of test data keeps mappings', async () => {
    const { test: sandbox } = await newPlatform(service);
    const { id } = (await save(service, 'Stays', mappingOf(), sandbox)).body;
    await ingest(service, [{ who: 'goes' }], mappingOf(), sandbox);
    const reset = await service.request('DELETE', '/test/data', sandbox);
    expect(reset.body).toMatchObject({ deleted: { events: 1 } });
    expect((await service.request('GET', `/ingest/mappings/${id}`, sandbox)).status).toBe(200);
  });
});
