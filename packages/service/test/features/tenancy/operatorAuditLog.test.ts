import { beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { everyPage } from '#harness/everyPage.js';
import { givenService } from '#harness/givenService.js';
import { subjectIdOf } from '#ledger/subjectId.js';
import { outcome, reportBatch } from '../intake/eventFixtures.js';
import { addedPlatform, type Entry, type OwnPlatform } from './trail.js';

const MAX_PER_HOUR = 5;

describe.each(breadth)('the audit log of a subject on %s', (engine) => {
  const env = { VELOCITY_MAX_PER_HOUR: String(MAX_PER_HOUR) };
  const service = givenService(engine, { env });
  let own: OwnPlatform;
  let subjectId: string;
  beforeAll(async () => {
    own = await addedPlatform(service);
    subjectId = subjectIdOf(own.id, true, 'fast');
    const fast = outcome({ userId: 'fast' });
    await reportBatch(service, Array(MAX_PER_HOUR + 1).fill(fast), { key: own.live.key });
    await reportBatch(service, [outcome({ userId: 'slow' })], { key: own.live.key });
    await reportBatch(service, [fast], { key: own.test.key });
    await service.settle();
    await service.request('POST', `/admin/users/${subjectId}/resolve-velocity-flag`, { admin: true });
  });

  const log = (id: string, query = '') =>
    service.request('GET', `/admin/users/${id}/audit-log${query}`, { admin: true });

  test('lists its events and audit entries, newest first, in pages', async () => {
    const { activity } = (await log(subjectId)).body;
    expect(activity.map(({ action }: Entry) => action)).toEqual([
      'VELOCITY_FLAG_CLEARED',
      'VELOCITY_FLAG_SET',
      ...Array(MAX_PER_HOUR + 1).fill('EVENT_CREATED'),
    ]);
    expect(activity.every(({ details }: Entry) => details?.userId === 'fast')).toBe(true);
    const path = `/admin/users/${subjectId}/audit-log`;
    expect(await everyPage(service, path, 'activity', { admin: true, limit: 3 })).toEqual(activity);
  });

  test('also finds a subject by its external id in the given mode', async () => {
    const byId = await log(subjectId);
    expect((await log('fast', `?platformId=${own.id}`)).body).toEqual(byId.body);
    const inTest = (await log('fast', `?platformId=${own.id}&livemode=false`)).body.activity;
    expect(inTest.map(({ action, livemode }: Entry) => [action, livemode])).toEqual([
      ['EVENT_CREATED', false],
    ]);
  });

  test('a subject that does not exist is not found', async () => {
    for (const answer of [
      await log('0199a3c2-7b1e-7c40-8d21-5f0c9b7a1e34'),
      await log('fast'),
      await log('nobody', `?platformId=${own.id}`),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([404, 'USER_NOT_FOUND']);
    }
  });
});
