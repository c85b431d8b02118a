import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { benchmarkDimensions, type CohortFacts, cohortOf } from '#domain/benchmarkCohorts.js';
import { breadth, firstGroupOf } from '#harness/engines.js';
import { joinTestService, startTestService, type TestService } from '#harness/service.js';
import { subjectIdOf } from '#ledger/subjectId.js';
import { membershipSql } from '../../../src/features/insight/benchmarks/store.js';
import { anotherPlatform } from '../intake/eventFixtures.js';
import { breached, DAY_MS, fulfilled, linkAll, reportOf } from './recordFixtures.js';

const K = 5;
const env = { BENCHMARK_MIN_COHORT: String(K) };

describe.each(breadth)('benchmarks of a platform alone on %s', (engine) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(engine, { env });
  });
  afterAll(() => service.close());
  const read = (id: string, query = '', key = service.liveKey) =>
    service.request('GET', `/users/${id}/benchmark${query}`, { key });

  test('the catalogue is public and names dimensions, statistics and the minimum size', async () => {
    const { status, body, headers } = await service.request('GET', '/benchmarks', { key: null });
    expect(status).toBe(200);
    expect(body.dimensions.map(({ key }: { key: string }) => key)).toEqual([
      'all',
      'subjectType',
      'verificationDepthBand',
      'activityVolumeBand',
      'tenureBand',
    ]);
    expect(body).toMatchObject({ benchmarksVersion: '1.0', kAnonymity: { minimumCohortSize: K } });
    const cached = { 'If-None-Match': headers.get('etag') ?? '' };
    expect((await service.request('GET', '/benchmarks', { key: null, headers: cached })).status).toBe(304);
  });

  test('an unknown subject is not found, an unknown dimension is refused', async () => {
    const unknown = await read('nobody');
    expect([unknown.status, unknown.body.code]).toEqual([404, 'USER_NOT_FOUND']);
    await reportOf(service, 'first', [fulfilled]);
    const refused = await read('first', '?dimension=shoeSize');
    expect([refused.status, refused.body.code]).toEqual([400, 'VALIDATION_ERROR']);
  });

  test('below the minimum size only that fact is shown', async () => {
    for (const userId of ['b', 'c', 'd']) await reportOf(service, userId, [fulfilled]);
    const { body } = await read('first', '?dimension=subjectType');
    expect(body.dimensions).toEqual([
      {
        dimension: 'subjectType',
        available: false,
        reason: 'insufficient_data',
        cohort: { key: 'PERSON', label: 'People', size: null },
        percentile: null,
        statistics: null,
        asOf: null,
      },
    ]);
  });

  test('from the minimum size on a score has a rank in each cohort', async () => {
    await reportOf(service, 'best', [fulfilled, fulfilled, fulfilled]);
    const best = (await read('best')).body;
    expect(best.dimensions).toHaveLength(5);
    expect(best.dimensions[0]).toMatchObject({
      dimension: 'all',
      available: true,
      reason: null,
      cohort: { key: 'everyone', size: 5 },
      percentile: 90,
    });
    const { p25, median, p75, mean } = best.dimensions[0].statistics;
    expect([p25, median, p75]).toEqual([p25, p25, p25]);
    expect(mean).toBeGreaterThan(median);
    const first = (await read('first')).body.dimensions;
    expect(first[0]).toMatchObject({ percentile: 40 });
    expect(first.map(({ cohort }: { cohort: { key: string } }) => cohort.key)).toEqual([
      'everyone',
      'PERSON',
      '80-100',
      '1-4',
      'under-30',
    ]);
  });

  test('a subject without a score has no rank', async () => {
    const { platformId } = service;
    await service.db.execute(
      `insert into subject (subject_id, platform_id, livemode, external_id, record_id, registered_at)
       values ($1, $2, true, 'without', $1, now())`,
      [subjectIdOf(platformId, true, 'without'), platformId],
    );
    const { body } = await read('without');
    const said = body.dimensions.map(({ available, reason, cohort }: Record<string, unknown>) => [
      available,
      reason,
      cohort,
    ]);
    expect(said).toEqual(new Array(5).fill([false, 'no_score', null]));
  });

  test('test subjects are compared with test subjects', async () => {
    for (let count = 0; count < K; count += 1) {
      await reportOf(service, `trial-${count}`, [breached], service.testKey);
    }
    const { body } = await read('trial-0', '?dimension=subjectType', service.testKey);
    expect(body.dimensions).toMatchObject([{ available: true, percentile: 50, cohort: { size: 5 } }]);
    const live = (await read('best', '?dimension=subjectType')).body.dimensions;
    expect(live).toMatchObject([{ cohort: { size: 5 } }]);
  });
});

describe.each(breadth)('benchmarks across platforms on %s', (engine) => {
  const clock = { nowMs: Date.parse('2026-02-01T10:00:00.000Z'), now: () => new Date(clock.nowMs) };
  let service: TestService;
  let other: { liveKey: string; testKey: string };
  beforeAll(async () => {
    service = await startTestService(engine, { env, clock });
    other = await anotherPlatform(service);
    for (const id of ['a', 'b', 'c']) await reportOf(service, id, [fulfilled]);
    for (const id of ['v', 'w', 'x', 'y', 'z'])
      await reportOf(service, id, [fulfilled, fulfilled], other.liveKey);
  });
  afterAll(() => service.close());
  const everyone = async (id: string, key = service.liveKey) =>
    (await service.request('GET', `/users/${id}/benchmark`, { key })).body.dimensions[0];
  const sweep = () => service.request('POST', '/admin/sweeps/benchmarks', { admin: true });

  test('the first read of a day computes the figures; own subjects do not count towards the minimum', async () => {
    expect(await everyone('a')).toMatchObject({
      available: true,
      cohort: { size: 5 },
      asOf: '2026-02-01T10:00:00.000Z',
    });
    expect(await everyone('v', other.liveKey)).toMatchObject({
      available: false,
      reason: 'insufficient_data',
    });
  });

  test('figures are constant for a day, and longer if too few members have changed', async () => {
    const before = await everyone('a');
    await reportOf(service, 'v2', [fulfilled, breached], other.liveKey);
    expect(await everyone('a')).toEqual(before);
    clock.nowMs += DAY_MS;
    expect(await everyone('a')).toMatchObject({ statistics: before.statistics, asOf: before.asOf });
  });

  test('the sweep recomputes the figures once enough members have changed, and counts the cohorts', async () => {
    for (let count = 0; count < K; count += 1) {
      await reportOf(service, `late-${count}`, [breached], other.liveKey);
      await reportOf(service, `late-${count}`, [breached]);
    }
    const { body } = await sweep();
    expect(body.affected).toBeGreaterThan(0);
    expect(await everyone('a')).toMatchObject({ cohort: { size: 10 }, asOf: '2026-02-02T10:00:00.000Z' });
  });

  test('linked subjects count once', async () => {
    const counted = async () =>
      (await service.db.query('select distinct record_id from benchmark_member where drafted <> 0')).length;
    const before = await counted();
    await linkAll(service, 'late-0', other.liveKey);
    await service.settle();
    await sweep();
    expect(await counted()).toBe(before - 1);
  });

  test('only two editions are kept', async () => {
    await sweep();
    await sweep();
    const first = firstGroupOf(service.db);
    const editions = await first.query('select 1 from benchmark_edition');
    const own = await first.query('select 1 from benchmark_own');
    expect([editions.length, own.length]).toEqual([2, 4]);
  });
});

describe.each(breadth)('the cohorts of a record on %s', (engine) => {
  test('are the same in the database and outside of it', async () => {
    const service = await joinTestService(engine);
    const now = new Date('2026-03-01T12:00:00.000Z');
    const ages = [0, 29.999, 30, 179, 180, 364.5, 365, 4000];
    const counts = [
      [1, 0],
      [4, 1],
      [5, 4],
      [19, 9],
      [20, 10],
      [99, 79],
      [100, 80],
      [3, 3],
    ] as const;
    const facts: CohortFacts[] = ages.flatMap((age) =>
      counts.map(([totalEvents, verifiedEvents], index) => ({
        subjectType: ['PERSON', 'AGENT', 'ORGANIZATION'][index % 3] ?? '',
        totalEvents,
        verifiedEvents,
        registeredAt: new Date(now.getTime() - age * DAY_MS),
      })),
    );
    const rows = await service.db.query<{ bits: number }>(
      `select ${membershipSql('$5')} as bits
       from unnest($1::text[], $2::integer[], $3::integer[], $4::timestamptz[])
         as t (subject_type, total_events, verified_events, registered_at)`,
      [
        facts.map((fact) => fact.subjectType),
        facts.map((fact) => fact.totalEvents),
        facts.map((fact) => fact.verifiedEvents),
        facts.map((fact) => fact.registeredAt),
        now,
      ],
    );
    const cohortsOf = (fact: CohortFacts) =>
      benchmarkDimensions.reduce((bits, dimension) => bits | cohortOf(dimension, fact, now).bit, 0);
    expect(rows.map(({ bits }) => bits)).toEqual(facts.map(cohortsOf));
    await service.close();
  });
});
