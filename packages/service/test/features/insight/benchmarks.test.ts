import { beforeAll, describe, expect, test } from 'vitest';
import { benchmarkDimensions, type CohortFacts, cohortOf } from '#domain/benchmarkCohorts.js';
import { breadth, firstGroupOf } from '#harness/engines.js';
import { givenService, givenSharedService } from '#harness/givenService.js';
import { membershipSql } from '../../../src/features/insight/benchmarks/store.js';
import { anotherPlatform } from '../intake/eventFixtures.js';
import { breached, DAY_MS, fulfilled, linkAll, reportAll } from './recordFixtures.js';

const K = 5;
const env = { BENCHMARK_MIN_COHORT: String(K) };
const DIMENSIONS = ['all', 'subjectType', 'verificationDepthBand', 'activityVolumeBand', 'tenureBand'];

describe.each(breadth)('benchmarks of a platform alone on %s', (engine) => {
  const service = givenService(engine, { env });
  const read = async (id: string, query = '', key = service.liveKey) =>
    (await service.request('GET', `/users/${id}/benchmark${query}`, { key })).body;

  test('the catalogue is public and names dimensions, statistics and the minimum size', async () => {
    const { body, headers } = await service.request('GET', '/benchmarks', { key: null });
    expect(body.dimensions.map(({ key }: { key: string }) => key)).toEqual(DIMENSIONS);
    expect(body).toMatchObject({ benchmarksVersion: '1.0', kAnonymity: { minimumCohortSize: K } });
    const cached = { 'If-None-Match': headers.get('etag') ?? '' };
    expect((await service.request('GET', '/benchmarks', { key: null, headers: cached })).status).toBe(304);
  });

  test('below the minimum size only that fact is shown', async () => {
    for (const userId of ['first', 'b', 'c', 'd']) await reportAll(service, userId, [fulfilled]);
    const { dimensions } = await read('first', '?dimension=subjectType');
    expect(dimensions).toEqual([
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
    await reportAll(service, 'best', [fulfilled, fulfilled, fulfilled]);
    const [all, ...others] = (await read('best')).dimensions;
    expect(others).toHaveLength(4);
    expect(all).toMatchObject({
      dimension: 'all',
      available: true,
      reason: null,
      cohort: { key: 'everyone', size: 5 },
      percentile: 90,
    });
    const { p25, median, p75, mean } = all.statistics;
    expect([median, p75]).toEqual([p25, p25]);
    expect(mean).toBeGreaterThan(median);
    const first: { percentile: number; cohort: { key: string } }[] = (await read('first')).dimensions;
    expect(first[0]).toMatchObject({ percentile: 40 });
    const keys = ['everyone', 'PERSON', '80-100', '1-4', 'under-30'];
    expect(first.map(({ cohort }) => cohort.key)).toEqual(keys);
  });

  test('a subject without a score has no rank', async () => {
    await service.request('POST', '/agents', { body: { userId: 'without' } });
    const unranked = { available: false, reason: 'no_score', cohort: null };
    expect((await read('without')).dimensions).toMatchObject(Array(5).fill(unranked));
  });

  test('test subjects are compared with test subjects', async () => {
    for (let count = 0; count < K; count += 1) {
      await reportAll(service, `trial-${count}`, [breached], service.testKey);
    }
    const inTest = await read('trial-0', '?dimension=subjectType', service.testKey);
    const cohort = { size: 5 };
    expect(inTest.dimensions).toMatchObject([{ available: true, percentile: 50, cohort }]);
    expect((await read('best', '?dimension=subjectType')).dimensions).toMatchObject([{ cohort }]);
  });
});

describe.each(breadth)('benchmarks across platforms on %s', (engine) => {
  const clock = { nowMs: Date.parse('2026-02-01T10:00:00.000Z'), now: () => new Date(clock.nowMs) };
  const service = givenService(engine, { env, clock });
  let other: { liveKey: string; testKey: string };
  beforeAll(async () => {
    other = await anotherPlatform(service);
    for (const id of ['a', 'b', 'c']) await reportAll(service, id, [fulfilled]);
    for (const id of ['v', 'w', 'x', 'y', 'z'])
      await reportAll(service, id, [fulfilled, fulfilled], other.liveKey);
  });
  const everyone = async (id: string, key = service.liveKey) =>
    (await service.request('GET', `/users/${id}/benchmark`, { key })).body.dimensions[0];
  const sweep = () => service.request('POST', '/admin/sweeps/benchmarks', { admin: true });

  test('the first read of a day computes the figures; own subjects do not count towards the minimum', async () => {
    const asOf = '2026-02-01T10:00:00.000Z';
    expect(await everyone('a')).toMatchObject({ available: true, cohort: { size: 5 }, asOf });
    const none = { available: false, reason: 'insufficient_data' };
    expect(await everyone('v', other.liveKey)).toMatchObject(none);
  });

  test('figures are constant for a day, and longer if too few members have changed', async () => {
    const before = await everyone('a');
    await reportAll(service, 'v2', [fulfilled, breached], other.liveKey);
    expect(await everyone('a')).toEqual(before);
    clock.nowMs += DAY_MS;
    expect(await everyone('a')).toMatchObject({ statistics: before.statistics, asOf: before.asOf });
  });

  test('the sweep recomputes the figures once enough members have changed, and counts the cohorts', async () => {
    for (let count = 0; count < K; count += 1) {
      await reportAll(service, `late-${count}`, [breached], other.liveKey);
      await reportAll(service, `late-${count}`, [breached]);
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
  const service = givenSharedService(engine);

  test('are the same in the database and outside of it', async () => {
    const now = new Date('2026-03-01T12:00:00.000Z');
    const ages = [0, 29.999, 30, 179, 180, 364.5, 365, 4000];
    const counts = [1, 4, 5, 19, 20, 99, 100, 3];
    const verified = [0, 1, 4, 9, 10, 79, 80, 3];
    const facts: CohortFacts[] = ages.flatMap((age) =>
      counts.map((totalEvents, index) => ({
        subjectType: ['PERSON', 'AGENT', 'ORGANIZATION'][index % 3] ?? '',
        totalEvents,
        verifiedEvents: verified[index] ?? 0,
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
  });
});
