import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { startTestService, type TestService } from '#harness/service.js';
import { anotherPlatform } from '../intake/eventFixtures.js';
import { addWebhook } from '../notify/webhooksFixtures.js';
import { movableClock } from '../tenancy/keyFixtures.js';
import { fingerprint, fulfilled, reportOf } from './recordFixtures.js';
import { emittedOf, ended, nobodies, resultsOf, screen } from './screeningFixtures.js';

const NOT_FOUND = {
  found: false,
  finalScore: null,
  scoreBand: null,
  confidence: null,
  verifiedEvents: null,
  computedAt: null,
  frozen: null,
};

describe.each(breadth)('screenings on %s', (engine) => {
  let service: TestService;
  let other: { liveKey: string; testKey: string };
  const clock = movableClock();

  beforeAll(async () => {
    service = await startTestService(engine, { clock });
    other = await anotherPlatform(service);
    await reportOf(service, 'worker-1', [fulfilled, fulfilled, { eventType: 'CONTRACT_CANCELLED' }]);
    await reportOf(service, 'worker-2', [fulfilled]);
    await reportOf(service, 'of-the-other', [fulfilled], other.liveKey);
    await reportOf(service, 'in-test', [fulfilled], service.testKey);
  });

  afterAll(() => service.close());

  test('a small screening returns the published figures at once, in the order of the request', async () => {
    const userIds = ['worker-2', 'nobody', 'worker-1', 'of-the-other', 'in-test', 'worker-2'];
    const answer = await screen(service, userIds, { label: 'Couriers' });
    expect(answer.status).toBe(202);
    expect(answer.headers.get('location')).toBe(`/api/v1/screenings/${answer.body.id}`);
    expect(answer.body).toEqual({
      id: expect.any(String),
      status: 'COMPLETED',
      label: 'Couriers',
      total: 6,
      foundCount: 3,
      error: null,
      createdAt: expect.any(String),
      completedAt: expect.any(String),
    });
    const read = await service.request('GET', answer.headers.get('location')?.replace('/api/v1', '') ?? '');
    expect(read.body).toEqual(answer.body);
    const results = await resultsOf(service, answer.body.id, { limit: 4 });
    expect(results.map((result) => result.userId)).toEqual(userIds);
    for (const [index, userId] of [
      [0, 'worker-2'],
      [2, 'worker-1'],
      [5, 'worker-2'],
    ] as const) {
      const { body } = await service.request('GET', `/users/${userId}/score`);
      const { finalScore, scoreBand, confidence, verifiedEvents, computedAt, frozen } = body;
      const figures = { finalScore, scoreBand, confidence, verifiedEvents, computedAt, frozen };
      expect(results[index]).toEqual({ userId, found: true, ...figures });
    }
    for (const index of [1, 3, 4]) expect(results[index]).toEqual({ userId: userIds[index], ...NOT_FOUND });
  });

  test('a large screening is queued, run by the worker and paged without a gap or a repeat', async () => {
    const userIds = nobodies(1203);
    userIds[0] = 'worker-1';
    userIds[499] = 'worker-2';
    userIds[500] = 'worker-1';
    userIds[1202] = 'worker-2';
    const answer = await screen(service, userIds);
    expect(answer.status).toBe(202);
    expect(answer.body).toMatchObject({ status: 'QUEUED', total: 1203, foundCount: 0, completedAt: null });
    expect(await ended(service, answer.body.id)).toMatchObject({
      status: 'COMPLETED',
      foundCount: 4,
      error: null,
    });
    const results = await resultsOf(service, answer.body.id);
    expect(results.map((result) => result.userId)).toEqual(userIds);
    expect(results.flatMap((result, index) => (result.found ? [index] : []))).toEqual([0, 499, 500, 1202]);
  });

  test('10 000 subjects are accepted, 10 001 are refused', async () => {
    const answer = await screen(service, nobodies(10_000));
    expect(answer.status).toBe(202);
    expect(await ended(service, answer.body.id)).toMatchObject({ status: 'COMPLETED', total: 10_000 });
    const refused = await screen(service, nobodies(10_001));
    expect(refused.status).toBe(400);
    expect(refused.body.code).toBe('VALIDATION_ERROR');
  });

  test('100 subjects are screened at once, 101 are queued', async () => {
    expect((await screen(service, nobodies(100))).body.status).toBe('COMPLETED');
    const { body } = await screen(service, nobodies(101));
    expect(body.status).toBe('QUEUED');
    await ended(service, body.id);
  });

  test('as CSV the results are an attachment with a header row and all rows', async () => {
    const userIds = ['worker-1', '=cmd()', 'with,comma', ...nobodies(1100)];
    const { body } = await screen(service, userIds);
    await ended(service, body.id);
    const csv = await service.request('GET', `/screenings/${body.id}/results?format=csv&limit=5`);
    expect(csv.status).toBe(200);
    expect(csv.headers.get('content-type')).toContain('text/csv');
    expect(csv.headers.get('content-disposition')).toMatch(/^attachment; filename=".+\.csv"$/);
    const lines = csv.text.split('\r\n');
    expect(lines[0]).toBe('userId,found,finalScore,scoreBand,confidence,verifiedEvents,computedAt,frozen');
    expect(lines[1]).toMatch(/^worker-1,true,[\d.]+,[A-Za-z ]+,[\d.]+,2,\d{4}-.+Z,false$/);
    expect(lines.slice(2, 4)).toEqual([`'=cmd(),false,,,,,,`, '"with,comma",false,,,,,,']);
    expect(lines).toHaveLength(userIds.length + 2);
    expect(lines.at(-1)).toBe('');
  });

  test('says which scores are frozen, in JSON and in CSV', async () => {
    await reportOf(service, 'worker-3', [fulfilled]);
    await service.db.execute(`update score set frozen_at = now() where subject_id in
      (select subject_id from subject where external_id = 'worker-3')`);
    const { body } = await screen(service, ['worker-3', 'worker-1', 'nobody']);
    const results = await resultsOf(service, body.id);
    expect(results.map(({ frozen }) => frozen)).toEqual([true, false, null]);
    const csv = await service.request('GET', `/screenings/${body.id}/results?format=csv`);
    const lines = csv.text.split('\r\n');
    expect(lines.slice(1, 4).map((line) => line.split(',').at(-1))).toEqual(['true', 'false', '']);
  });

  test('the end of each screening is emitted once with its counts, in its own mode', async () => {
    const hook = (await addWebhook(service, { events: ['screening.completed'] }, { key: other.testKey }))
      .body;
    const small = (await screen(service, ['in-test'], { key: other.testKey })).body;
    const large = (await screen(service, nobodies(150), { key: other.testKey })).body;
    const done = await ended(service, large.id, other.testKey);
    for (const { id, total, completedAt } of [small, done]) {
      expect(await emittedOf(service, id)).toEqual([
        {
          id: expect.any(String),
          type: 'screening.completed',
          livemode: false,
          createdAt: completedAt,
          data: { screeningJobId: id, status: 'COMPLETED', total, foundCount: 0, error: null, completedAt },
        },
      ]);
    }
    await service.request('DELETE', `/webhooks/${hook.id}`, { key: other.testKey });
  });

  test('nothing is written to any subject, and no answer holds a verdict', async () => {
    await service.settle();
    const before = await fingerprint(service);
    const { body } = await screen(service, ['worker-1', ...nobodies(120)]);
    await ended(service, body.id);
    const { text } = await service.request('GET', `/screenings/${body.id}/results`);
    expect(await fingerprint(service)).toBe(before);
    expect(text).not.toMatch(/verdict|decision|approve|deny|eligible|pass/i);
  });

  test.each([
    ['no list', { label: 'x' }],
    ['an empty list', { userIds: [] }],
    ['something that is no id', { userIds: ['worker-1', 5] }],
    ['an id that is too long', { userIds: ['x'.repeat(256)] }],
    ['an empty id', { userIds: [''] }],
    ['a label that is too long', { userIds: ['worker-1'], label: 'x'.repeat(256) }],
    ['a label that is no text', { userIds: ['worker-1'], label: 5 }],
  ])('%s is refused', async (_, body) => {
    const answer = await service.request('POST', '/screenings', { body });
    expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_ERROR']);
  });

  test('a body past one mebibyte is refused as too large', async () => {
    const answer = await screen(
      service,
      nobodies(10_000).map((id) => id.padEnd(255, 'x')),
    );
    expect([answer.status, answer.body.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });

  test('ids of the maximum length are accepted', async () => {
    const { body } = await screen(service, [`${'x'.repeat(253)}é `, 'ü'.repeat(255)]);
    expect((await resultsOf(service, body.id))[1]?.userId).toBe('ü'.repeat(255));
  });

  test.each(['format=xml', 'limit=0', 'limit=101', 'limit=x'])(
    'results with %s are refused',
    async (query) => {
      const { body } = await screen(service, ['worker-1']);
      const answer = await service.request('GET', `/screenings/${body.id}/results?${query}`);
      expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_ERROR']);
    },
  );

  test('a reset of test data deletes test screenings and keeps live ones', async () => {
    const live = (await screen(service, ['worker-1'])).body;
    const small = (await screen(service, ['in-test'], { key: service.testKey })).body;
    const large = (await screen(service, nobodies(2000), { key: service.testKey })).body;
    expect((await service.request('DELETE', '/test/data', { key: service.testKey })).status).toBe(200);
    for (const { id } of [small, large]) {
      expect((await service.request('GET', `/screenings/${id}`, { key: service.testKey })).status).toBe(404);
      expect(await service.db.query('select 1 from screening_chunk where screening_id = $1', [id])).toEqual(
        [],
      );
    }
    expect((await resultsOf(service, live.id))[0]?.found).toBe(true);
    await expect.poll(() => service.db.query('select 1 from job where job_id = $1', [large.id])).toEqual([]);
  });

  test('results are kept for thirty days', async () => {
    const { id } = (await screen(service, ['worker-1'])).body;
    const sweep = () => service.request('POST', '/admin/sweeps/retention', { admin: true });
    clock.aheadMs = 29.9 * 86_400_000;
    await sweep();
    expect((await service.request('GET', `/screenings/${id}/results`)).status).toBe(200);
    clock.aheadMs = 30.1 * 86_400_000;
    await sweep();
    expect((await service.request('GET', `/screenings/${id}`)).status).toBe(404);
    expect(await service.db.query('select 1 from screening_chunk where screening_id = $1', [id])).toEqual([]);
    clock.aheadMs = 0;
  });
});
