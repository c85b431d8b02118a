import { beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { givenService } from '#harness/givenService.js';
import { anotherPlatform } from '../intake/eventFixtures.js';
import { addWebhook } from '../notify/webhooksFixtures.js';
import { DAY_MS, movableClock } from '../tenancy/keyFixtures.js';
import { fingerprint, fulfilled, reportAll } from './recordFixtures.js';
import { emittedOf, ended, nobodies, resultsOf, screen } from './screeningFixtures.js';

describe.each(breadth)('screenings on %s', (engine) => {
  const clock = movableClock();
  const service = givenService(engine, { clock });
  let other: { liveKey: string; testKey: string };

  beforeAll(async () => {
    other = await anotherPlatform(service);
    await reportAll(service, 'worker-1', [fulfilled, fulfilled, { eventType: 'CONTRACT_CANCELLED' }]);
    await reportAll(service, 'worker-2', [fulfilled]);
    await reportAll(service, 'of-the-other', [fulfilled], other.liveKey);
    await reportAll(service, 'in-test', [fulfilled], service.testKey);
  });

  const chunksOf = (id: string) =>
    service.db.query('select 1 from screening_chunk where screening_id = $1', [id]);

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
    const none = { finalScore: null, scoreBand: null, confidence: null, computedAt: null, frozen: null };
    const expected = userIds.map(async (userId) => {
      if (!userId.startsWith('worker')) return { userId, found: false, ...none, verifiedEvents: null };
      const { body } = await service.request('GET', `/users/${userId}/score`);
      const { finalScore, scoreBand, confidence, verifiedEvents, computedAt, frozen } = body;
      return { userId, found: true, finalScore, scoreBand, confidence, verifiedEvents, computedAt, frozen };
    });
    expect(results).toEqual(await Promise.all(expected));
  });

  test('a large screening is queued, run by the worker and paged without a gap or a repeat', async () => {
    const userIds = nobodies(1203);
    const found = [0, 499, 500, 1202];
    for (const place of found) userIds[place] = 'worker-1';
    const answer = await screen(service, userIds);
    expect(answer.status).toBe(202);
    expect(answer.body).toMatchObject({ status: 'QUEUED', total: 1203, foundCount: 0, completedAt: null });
    const completed = { status: 'COMPLETED', foundCount: 4, error: null };
    expect(await ended(service, answer.body.id)).toMatchObject(completed);
    const results = await resultsOf(service, answer.body.id);
    expect(results.map((result) => result.userId)).toEqual(userIds);
    expect(results.flatMap((result, index) => (result.found ? [index] : []))).toEqual(found);
  });

  test('10 000 subjects are accepted', async () => {
    const { body } = await screen(service, nobodies(10_000));
    expect(await ended(service, body.id)).toMatchObject({ status: 'COMPLETED', total: 10_000 });
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
    await reportAll(service, 'worker-3', [fulfilled]);
    await service.db.execute(`update score set frozen_at = now() where external_id = 'worker-3'`);
    const { body } = await screen(service, ['worker-3', 'worker-1', 'nobody']);
    const results = await resultsOf(service, body.id);
    expect(results.map(({ frozen }) => frozen)).toEqual([true, false, null]);
    const csv = await service.request('GET', `/screenings/${body.id}/results?format=csv`);
    const lines = csv.text.split('\r\n');
    expect(lines.slice(1, 4).map((line) => line.split(',').at(-1))).toEqual(['true', 'false', '']);
  });

  test('the end of each screening is emitted once with its counts, in its own mode', async () => {
    const key = other.testKey;
    const hook = (await addWebhook(service, { events: ['screening.completed'] }, { key })).body;
    const small = (await screen(service, ['in-test'], { key })).body;
    const large = (await screen(service, nobodies(150), { key })).body;
    const done = await ended(service, large.id, key);
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
    await service.request('DELETE', `/webhooks/${hook.id}`, { key });
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

  test('ids of the maximum length are accepted, longer ones and what is no id are refused', async () => {
    const { body } = await screen(service, [`${'x'.repeat(253)}é `, 'ü'.repeat(255)]);
    expect((await resultsOf(service, body.id))[1]?.userId).toBe('ü'.repeat(255));
    for (const id of ['', 'x'.repeat(256), 5]) {
      const answer = await service.request('POST', '/screenings', { body: { userIds: ['worker-1', id] } });
      expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_ERROR']);
    }
  });

  test('a body past one mebibyte is refused as too large', async () => {
    const longIds = nobodies(10_000).map((id) => id.padEnd(255, 'x'));
    const answer = await screen(service, longIds);
    expect([answer.status, answer.body.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });

  test('a reset of test data deletes test screenings and keeps live ones', async () => {
    const live = (await screen(service, ['worker-1'])).body;
    const key = service.testKey;
    const small = (await screen(service, ['in-test'], { key })).body;
    const large = (await screen(service, nobodies(2000), { key })).body;
    await service.request('DELETE', '/test/data', { key });
    for (const { id } of [small, large]) {
      expect((await service.request('GET', `/screenings/${id}`, { key })).status).toBe(404);
      expect(await chunksOf(id)).toEqual([]);
    }
    expect((await resultsOf(service, live.id))[0]?.found).toBe(true);
    await expect.poll(() => service.db.query('select 1 from job where job_id = $1', [large.id])).toEqual([]);
  });

  test('results are kept for thirty days', async () => {
    const { id } = (await screen(service, ['worker-1'])).body;
    const sweptAfter = async (days: number) => {
      clock.aheadMs = days * DAY_MS;
      await service.request('POST', '/admin/sweeps/retention', { admin: true });
      return (await service.request('GET', `/screenings/${id}/results`)).status;
    };
    expect([await sweptAfter(29.9), await sweptAfter(30.1)]).toEqual([200, 404]);
    expect(await chunksOf(id)).toEqual([]);
    clock.aheadMs = 0;
  });
});
