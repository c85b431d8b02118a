import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { spreadOf } from '#domain/points.js';
import { breadth } from '#harness/engines.js';
import { joinTestService, type TestService } from '#harness/service.js';

const NO_HISTOGRAM = Array(101).fill(0);
const NO_BANDS = { Excellent: 0, Good: 0, Fair: 0, Building: 0, Unproven: 0, 'High Risk': 0 };

describe.each(breadth)('the summary of the book on %s', (engine) => {
  let service: TestService;

  beforeAll(async () => {
    service = await joinTestService(engine);
    const done = { eventType: 'CONTRACT_FULFILLED', isVerified: true };
    const events = [
      ...Array.from({ length: 20 }, () => ({ userId: 'proven', ...done })),
      { userId: 'claimed', ...done, isVerified: false },
      { userId: 'cancelled', eventType: 'CONTRACT_CANCELLED' },
    ];
    await service.request('POST', '/events/batch', { body: { events }, key: service.testKey });
    await service.settle();
  });

  afterAll(() => service.close());

  const summary = (query = '') => service.request('GET', `/users/summary${query}`, { key: service.testKey });

  test('an empty book has no subject and no median', async () => {
    const { status, body } = await service.request('GET', '/users/summary');
    expect(status).toBe(200);
    expect(body).toEqual({
      matched: 0,
      scored: 0,
      bands: NO_BANDS,
      histogram: NO_HISTOGRAM,
      histogramAsOf: null,
      central: { median: null, mean: null },
      aggregationSkipped: null,
    });
  });

  test('counts bands and has the median of the scores', async () => {
    const { users } = (await service.request('GET', '/users', { key: service.testKey })).body;
    const scores = users.map((row: { finalScore: number }) => row.finalScore);
    const { body } = await summary();
    expect(body).toMatchObject({ matched: 3, scored: 3, aggregationSkipped: null });
    expect(body.central.median).toBe(scores[1]);
    for (const score of scores) expect(body.histogram[Math.floor(score)]).toBeGreaterThan(0);
    expect(body.histogram.reduce((total: number, count: number) => total + count)).toBe(3);
    const sum = scores.reduce((total: number, score: number) => total + score, 0);
    expect(body.central.mean).toBeCloseTo(sum / 3, 2);
    for (const { scoreBand } of users) expect(body.bands[scoreBand]).toBeGreaterThan(0);
  });

  test('filters apply to the summary', async () => {
    expect((await summary('?hasVerifiedEvents=true')).body.matched).toBe(1);
    expect((await summary('?hasScore=false')).body).toMatchObject({ matched: 0, scored: 0, bands: NO_BANDS });
  });

  test('parameters for order and pages are accepted and ignored', async () => {
    const plain = (await summary()).body;
    for (const query of [
      '?sort=name',
      '?order=up',
      '?limit=0',
      '?cursor=damaged',
      '?format=xml',
      '?limit=1&limit=2',
    ]) {
      const { status, body } = await summary(query);
      expect([status, body]).toEqual([200, plain]);
    }
  });

  test.each([
    '?scoreMin=abc',
    '?band=good',
    '?hasScore=false&scoreMin=0',
    '?scoreMin=80&scoreMax=20',
    '?activeSince=soon',
  ])('%s is refused with BOOK_QUERY_INVALID', async (query) => {
    const { status, body } = await summary(query);
    expect([status, body.code]).toEqual([400, 'BOOK_QUERY_INVALID']);
  });
});

describe('a distribution of scores', () => {
  test('the median is the mean of the two middle scores, rounded half up', () => {
    const counts = [
      { finalScore: 20.01, count: 2 },
      { finalScore: 20.02, count: 1 },
      { finalScore: 64.99, count: 1 },
    ];
    expect(spreadOf(counts)).toEqual({
      scored: 4,
      bands: { ...NO_BANDS, Unproven: 3, Fair: 1 },
      central: { median: 20.02, mean: 31.26 },
    });
  });

  test('a single score is the median', () => {
    expect(spreadOf([{ finalScore: 79.99, count: 1 }]).central).toEqual({ median: 79.99, mean: 79.99 });
  });
});
