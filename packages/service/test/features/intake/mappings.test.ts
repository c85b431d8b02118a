import { describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { givenSharedService } from '#harness/givenService.js';
import { newPlatform } from '../tenancy/keyFixtures.js';
import { exportAll } from './eventFixtures.js';
import { ingest, mappingOf, save } from './ingestFixtures.js';

const MAX_MAPPINGS = 500;

describe.each(breadth)('saved mappings on %s', (engine) => {
  const service = givenSharedService(engine);

  const list = async (key: string) => (await service.request('GET', '/ingest/mappings', { key })).body;

  test('a mapping is saved, read and listed as it was sent, and deleted', async () => {
    const { live } = await newPlatform(service);
    const mapping = {
      metadata: { zone: { path: 'z' }, area: { constant: 5 } },
      userId: { path: 'id', default: 'ü “x”' },
      eventType: { table: { b: 'CONTRACT_BREACHED', a: 'CONTRACT_FULFILLED' }, path: 'kind' },
    };
    const made = await save(service, 'Jobs of the old system', mapping, live);
    const { id, createdAt } = made.body;
    expect(made.body).toEqual({ id, name: 'Jobs of the old system', mapping, createdAt });
    const path = `/ingest/mappings/${id}`;
    expect((await service.request('GET', path, live)).text).toBe(made.text);
    const second = await save(service, 'jobs of the old system', mappingOf(), live);
    expect((await list(live.key)).mappings).toEqual([second.body, made.body]);
    for (const status of [204, 404])
      expect((await service.request('DELETE', path, live)).status).toBe(status);
    expect((await service.request('GET', path, live)).status).toBe(404);
    expect((await save(service, 'Jobs of the old system', mapping, live)).status).toBe(201);
  });

  test('the whole mapping is validated before it is saved', async () => {
    const { live } = await newPlatform(service);
    const mapping = { userId: { path: '' }, stakeLevel: { path: 'a', transform: 'upper' }, nope: 1 };
    const { body } = await save(service, 'Faulty', mapping, live);
    expect(body).toMatchObject({
      code: 'INGEST_MAPPING_INVALID',
      details: [
        { path: 'mapping.eventType', code: 'required' },
        { path: 'mapping.nope', code: 'unrecognized' },
        { path: 'mapping.userId.path', code: 'too_small' },
        { path: 'mapping.stakeLevel.transform', code: 'invalid_value' },
      ],
    });
    for (const other of [null, 'text', [], 5])
      expect((await save(service, 'Faulty', other, live)).body.code).toBe('INGEST_MAPPING_INVALID');
    expect((await list(live.key)).mappings).toEqual([]);
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
      const body = { records: [{ who: 'in-its-own-mode' }], mappingId: saved.id };
      const ingested = await service.request('POST', '/ingest', { ...other, body });
      expect(ingested.body).toMatchObject({ createdCount: 1 });
      const file = { csv: 'who\na\n', mappingId: saved.id };
      const dryRun = await service.request('POST', '/imports/dry-run', { ...other, body: file });
      expect(dryRun.status).toBe(200);
      expect((await service.request('DELETE', path, other)).status).toBe(204);
      expect((await service.request('GET', path, maker)).status).toBe(404);
    }
    for (const { key } of [live, sandbox]) expect(await exportAll(service, { key })).toHaveLength(1);
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
    const { body } = await save(service, 'One too many', mappingOf(), live);
    expect(body).toMatchObject({ code: 'CONFLICT', details: { limit: MAX_MAPPINGS } });
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
