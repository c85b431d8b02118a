import { beforeAll, describe, expect, test } from 'vitest';
import { differencesIn } from '#harness/differencesIn.js';
import { breadth } from '#harness/engines.js';
import { everyPage } from '#harness/everyPage.js';
import { givenService } from '#harness/givenService.js';
import { scopesOfRole } from '../../../src/features/tenancy/platforms/userStore.js';
import { anotherPlatform, exportAll, outcome, report, scopedKey } from '../intake/eventFixtures.js';
import { emitted } from '../notify/watchFixtures.js';
import { DAY_MS, movableClock, UNKNOWN_ID } from '../tenancy/keyFixtures.js';
import { trailOf } from '../tenancy/trail.js';
import {
  ANSWER,
  answerReview,
  objected,
  type ReviewResponse,
  recordToken,
  TEXT,
  withdrawReview,
} from './reviewFixtures.js';

describe.each(breadth)('reviews on %s', (engine) => {
  const clock = movableClock();
  const service = givenService(engine, { clock });
  let breachId: string;
  let token: string;

  const read = async (id: string) => (await service.request('GET', `/reviews/${id}`)).body;
  const listed = async (query = ''): Promise<string[]> =>
    (await everyPage<ReviewResponse>(service, '/reviews', 'reviews', { query, limit: 2 })).map(
      ({ id }) => id,
    );
  /** A subject with an outcome of its own. */
  const withOutcome = async (userId: string, more: object = {}) => {
    const { body } = await report(service, outcome({ userId, ...more }));
    return { eventId: body.eventId as string, token: await recordToken(service, userId) };
  };

  beforeAll(async () => {
    const breach = { eventType: 'CONTRACT_BREACHED', isVerified: true };
    ({ eventId: breachId, token } = await withOutcome('worker-1', breach));
    await service.settle();
  });

  test('an objection to an outcome is a review with a deadline, and an envelope without its text', async () => {
    const review = await objected(service, token, { eventId: breachId });
    expect(review).toEqual({
      id: expect.any(String),
      userId: 'worker-1',
      eventId: breachId,
      status: 'OPEN',
      text: TEXT,
      outcome: null,
      answer: null,
      reviewer: null,
      openedAt: expect.any(String),
      respondBy: new Date(Date.parse(review.openedAt) + 14 * DAY_MS).toISOString(),
      overdue: false,
      answeredAt: null,
    });
    expect(await read(review.id)).toEqual(review);
    const { id: reviewId, openedAt, respondBy } = review;
    const facts = { reviewId, user: { externalId: 'worker-1' }, eventId: breachId, openedAt, respondBy };
    expect(await emitted(service, service.platformId, 'review.requested')).toEqual([
      { ...facts, reminder: false },
    ]);
    const [entry] = await trailOf(service, service.liveKey, '&action=REVIEW_REQUESTED');
    const details = { userId: 'worker-1', eventId: breachId, respondBy };
    expect(entry).toMatchObject({ actor: 'subject', target: reviewId, details });
    await withdrawReview(service, token, reviewId);
  });

  test('the answer of a person is stored once, and neither it nor the review moves the score', async () => {
    const scoreOf = async () => {
      await service.settle();
      const { computedAt: _, ...score } = (await service.request('GET', '/users/worker-1/score')).body;
      return score;
    };
    const [score, events] = [await scoreOf(), await exportAll(service)];
    const review = await objected(service, token);
    const answer = await answerReview(service, review.id, { ...ANSWER, outcome: 'CORRECTED' });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      ...review,
      status: 'ANSWERED',
      outcome: 'CORRECTED',
      answer: ANSWER.text,
      reviewer: ANSWER.reviewer,
      answeredAt: expect.any(String),
    });
    expect(await answerReview(service, review.id)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    expect(await read(review.id)).toEqual(answer.body);
    expect(await emitted(service, service.platformId, 'review.answered')).toMatchObject([
      { reviewId: review.id, eventId: null, outcome: 'CORRECTED', inTime: true },
    ]);
    const [entry] = await trailOf(service, service.liveKey, '&action=REVIEW_ANSWERED');
    expect(entry).toMatchObject({ target: review.id, details: { outcome: 'CORRECTED', inTime: true } });
    expect([await scoreOf(), await exportAll(service)]).toEqual([score, events]);
  });

  test('one that was taken back cannot be answered, and taking it back again changes nothing', async () => {
    const review = await objected(service, token);
    const withdrawn = { ...review, status: 'WITHDRAWN', text: null };
    for (const _ of [1, 2])
      expect((await withdrawReview(service, token, review.id)).status).toBeLessThan(400);
    expect(await read(review.id)).toEqual(withdrawn);
    const answer = await answerReview(service, review.id);
    expect(answer).toMatchObject({ status: 409, body: { error: 'This review was withdrawn.' } });
    expect(await trailOf(service, service.liveKey, '&action=REVIEW_WITHDRAWN')).toHaveLength(2);
    const other = await objected(service, token);
    await answerReview(service, other.id);
    expect((await withdrawReview(service, token, other.id)).status).toBe(409);
  });

  test('the list has those of a status, a subject, an event, and by deadline the open ones', async () => {
    const { eventId, token } = await withOutcome('worker-2');
    const first = await objected(service, token, { eventId });
    clock.aheadMs += 1000;
    const [second, third] = [await objected(service, token), await objected(service, token)];
    await answerReview(service, second.id);
    expect(await listed('&userId=worker-2')).toEqual([third.id, second.id, first.id]);
    expect(await listed('&userId=worker-2&status=ANSWERED')).toEqual([second.id]);
    expect(await listed(`&eventId=${eventId}`)).toEqual([first.id]);
    expect(await listed('&userId=worker-2&sort=deadline')).toEqual([first.id, third.id]);
    expect(await listed('&userId=of-nobody')).toEqual([]);
    expect(await listed(`&eventId=${UNKNOWN_ID}`)).toEqual([]);
  });

  test("another subject's and another platform's outcomes and reviews are not found", async () => {
    const other = await anotherPlatform(service);
    await report(service, outcome({ userId: 'worker-1' }), { key: other.liveKey });
    const theirs = await objected(service, await recordToken(service, 'worker-1', other.liveKey));
    const { eventId, token: neighbour } = await withOutcome('worker-3');
    const own = await objected(service, neighbour, { eventId });
    const refused = async (answer: Promise<object>) =>
      expect(await answer).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    await expect(objected(service, token, { eventId })).rejects.toThrow('404');
    await expect(objected(service, token, { eventId: UNKNOWN_ID })).rejects.toThrow('404');
    await refused(service.request('GET', `/reviews/${theirs.id}`));
    await refused(answerReview(service, theirs.id));
    await refused(answerReview(service, own.id, ANSWER, service.testKey));
    await refused(answerReview(service, 'no-id'));
    expect((await withdrawReview(service, token, own.id)).status).toBe(404);
    expect(await read(own.id)).toEqual(own);
  });

  test('the role support answers, the role viewer reads', async () => {
    const keyOf = (role: 'viewer' | 'support') => scopedKey(service, [...scopesOfRole(role)]);
    const [viewer, support] = [await keyOf('viewer'), await keyOf('support')];
    const { id } = await objected(service, token);
    expect((await service.request('GET', `/reviews/${id}`, { key: viewer })).status).toBe(200);
    expect((await answerReview(service, id, ANSWER, viewer)).status).toBe(403);
    expect((await answerReview(service, id, ANSWER, support)).status).toBe(200);
  });

  test('the audit finds a later deadline, a missing review and an outcome of somebody else', async () => {
    const { eventId, token } = await withOutcome('audited');
    const ids: string[] = [];
    for (const body of [{}, { eventId }, {}]) ids.push((await objected(service, token, body)).id);
    expect(await differencesIn(service.db)).toEqual([]);
    await service.ledger.execute(
      `update review set respond_by = respond_by + interval '1 day' where review_id = $1`,
      [ids[0]],
    );
    await service.ledger.execute('update review set event_id = $2 where review_id = $1', [
      ids[1],
      UNKNOWN_ID,
    ]);
    await service.ledger.execute('update review set number = 4 where review_id = $1', [ids[2]]);
    const found = (await differencesIn(service.db)).map((line) => line.slice(line.indexOf(' ') + 1));
    expect(found.sort()).toEqual(
      [
        `review ${ids[0]}: respond_by is 360 h after its opening, REVIEW_WINDOW_HOURS was 336`,
        `review ${ids[1]}: it is about an event that the ledger of its subject lacks`,
        `review ${ids[2]}: its number is 4, the one before has 2`,
      ].sort(),
    );
  });
});
