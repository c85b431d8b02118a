import { describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { givenService } from '#harness/givenService.js';
import { factKinds } from '#ledger/log/facts.js';
import { settledLog } from '../../ledger/log/logDeps.js';
import { outcome, report } from '../intake/eventFixtures.js';
import { emitted } from '../notify/watchFixtures.js';
import { DAY_MS, movableClock } from '../tenancy/keyFixtures.js';
import { swept } from './confirmationFixtures.js';
import { answerReview, objected, recordToken } from './reviewFixtures.js';

describe.each(breadth)('deadlines of reviews on %s', (engine) => {
  const clock = movableClock();
  const service = givenService(engine, { clock });
  const pass = (days: number) => {
    clock.aheadMs += days * DAY_MS;
  };
  const opened = async (userId: string, key?: string) => {
    await report(service, outcome({ userId }), { key });
    return objected(service, await recordToken(service, userId, key));
  };
  const sentAbout = async (id: string, type: 'review.requested' | 'review.overdue', livemode = true) =>
    (await emitted(service, service.platformId, type, livemode)).filter(({ reviewId }) => reviewId === id);
  const remindersOf = async (id: string, livemode = true) =>
    (await sentAbout(id, 'review.requested', livemode)).filter(({ reminder }) => reminder);

  test.each(['live', 'test'] as const)(
    'a %s review is reminded of once, three days before its deadline, and is overdue once',
    async (mode) => {
      const isLive = mode === 'live';
      const { id } = await opened(`slow-${mode}`, isLive ? service.liveKey : service.testKey);
      pass(10.9);
      expect(await swept(service, 'reminders')).toBe(0);
      pass(0.2);
      expect(await swept(service, 'reminders')).toBe(1);
      expect(await swept(service, 'reminders')).toBe(0);
      expect(await remindersOf(id, isLive)).toMatchObject([{ user: { externalId: `slow-${mode}` } }]);
      expect(await sentAbout(id, 'review.overdue', isLive)).toEqual([]);
      pass(3);
      expect(await swept(service, 'expiry')).toBe(1);
      expect(await swept(service, 'expiry')).toBe(0);
      expect(await sentAbout(id, 'review.overdue', isLive)).toHaveLength(1);
      const key = isLive ? service.liveKey : service.testKey;
      const { body } = await service.request('GET', '/reviews?sort=deadline', { key });
      expect(body.reviews).toMatchObject([{ id, status: 'OPEN', overdue: true }]);
      expect((await answerReview(service, id, undefined, key)).body).toMatchObject({ overdue: false });
      const answered = await emitted(service, service.platformId, 'review.answered', isLive);
      expect(answered.at(-1)).toMatchObject({ reviewId: id, inTime: false });
    },
  );

  test('an answered one is neither reminded of nor overdue', async () => {
    const { id } = await opened('fast');
    await answerReview(service, id);
    pass(11.5);
    await swept(service, 'reminders');
    pass(5);
    await swept(service, 'expiry');
    expect([await remindersOf(id), await sentAbout(id, 'review.overdue')]).toEqual([[], []]);
  });

  test('one that was due while no sweep ran is overdue without a reminder', async () => {
    const { id } = await opened('forgotten');
    pass(20);
    await swept(service, 'reminders');
    await swept(service, 'expiry');
    expect([await remindersOf(id), await sentAbout(id, 'review.overdue')]).toMatchObject([[], [{}]]);
  });

  test('the log has the facts that it was opened and answered in time or late, and no text', async () => {
    const { id: inTime } = await opened('logged');
    await answerReview(service, inTime);
    const { id: late } = await opened('logged-late');
    pass(15);
    await answerReview(service, late);
    await settledLog(service.db);
    const leaves = await service.db.query<{ reviewId: string; kind: number }>(
      `select review_id, kind from log_fact join review on review.subject_id = log_fact.subject_id and number = ref
       where kind in (${factKinds.reviewOpened}, ${factKinds.reviewAnswered}) and review_id = any($1::uuid[]) order by leaf_index`,
      [[inTime, late]],
    );
    expect(leaves).toEqual([
      { reviewId: inTime, kind: factKinds.reviewOpened },
      { reviewId: inTime, kind: factKinds.reviewAnswered },
      { reviewId: late, kind: factKinds.reviewOpened },
      { reviewId: late, kind: factKinds.reviewAnswered },
    ]);
  });
});

describe.each(breadth)('a window of three days or less on %s', (engine) => {
  const clock = movableClock();
  const service = givenService(engine, { clock, env: { REVIEW_WINDOW_HOURS: '72' } });

  test('has no reminder', async () => {
    await report(service, outcome({ userId: 'short' }));
    const { openedAt, respondBy } = await objected(service, await recordToken(service, 'short'));
    expect(Date.parse(respondBy) - Date.parse(openedAt)).toBe(3 * DAY_MS);
    clock.aheadMs += DAY_MS;
    await swept(service, 'reminders');
    expect(await emitted(service, service.platformId, 'review.requested')).toMatchObject([
      { reminder: false },
    ]);
  });
});
