import { describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { givenService } from '#harness/givenService.js';
import type { TestAnswer } from '#harness/service.js';
import { outcome, report } from '../intake/eventFixtures.js';
import { emitted } from '../notify/watchFixtures.js';
import { DAY_MS, movableClock } from '../tenancy/keyFixtures.js';
import {
  ANSWER,
  answerReview,
  object,
  objected,
  recordToken,
  TEXT,
  withdrawReview,
} from './reviewFixtures.js';

const TWENTY = Array.from({ length: 20 });

describe.each(breadth)('attacks by reviews on %s', (engine) => {
  const clock = movableClock();
  const service = givenService(engine, { clock });

  const known = async (userId: string) => {
    const { body } = await report(service, outcome({ userId }));
    return { token: await recordToken(service, userId), eventId: body.eventId as string };
  };
  const statusesOf = (answers: readonly TestAnswer[]) => {
    const count = (status: number) => answers.filter((answer) => answer.status === status).length;
    return { created: count(201), done: count(200), conflict: count(409) };
  };

  test('text is kept as it was written, and one that is too long, empty or blank is refused', async () => {
    const { token } = await known('writer');
    const texts = [
      '<script>alert(1)</script><img src=x onerror=alert(1)>',
      '\u202eevil\u2066 \u0627\u0644\u0633\u0644\u0627\u0645',
      'ü'.repeat(2000),
      "'; drop table review; --\nand a second line",
    ];
    for (const text of texts) expect((await objected(service, token, { text })).text).toBe(text);
    const refusals = [' '.repeat(2001), '', ' \n\t ', 7, null, ['x'], '\u0000', '\ud800'];
    for (const text of refusals) {
      expect(await object(service, token, { text })).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION_ERROR' },
      });
    }
    expect((await object(service, token, { text: 'x'.repeat(900_000) })).status).toBe(413);
    const form = new URLSearchParams({ text: '漢\r\n'.repeat(1000) });
    const sent = {
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      redirect: 'manual',
    } as const;
    const address = `${service.url}/record/${token}/reviews`;
    expect((await fetch(address, { ...sent, method: 'POST', body: form })).status).toBe(303);
    const newest = (await service.request('GET', '/reviews?userId=writer&limit=1')).body.reviews[0];
    expect(newest.text).toBe('漢\n'.repeat(1000));
    const { id } = await objected(service, token);
    const wrong = [
      { ...ANSWER, text: 'x'.repeat(900_000) },
      { ...ANSWER, text: 'x'.repeat(2001) },
      { ...ANSWER, text: ' ' },
      { ...ANSWER, reviewer: 'x'.repeat(256) },
      { ...ANSWER, reviewer: '' },
      { ...ANSWER, outcome: 'REFUSED' },
      { outcome: 'UPHELD', text: 'no name' },
    ];
    for (const body of wrong) expect((await answerReview(service, id, body)).status).toBe(400);
    expect((await answerReview(service, id)).status).toBe(200);
  });

  test('of objections to one outcome at the same moment one is opened', async () => {
    const { token, eventId } = await known('double');
    const answers = await Promise.all(TWENTY.map(() => object(service, token, { eventId, text: TEXT })));
    expect(statusesOf(answers)).toEqual({ created: 1, done: 0, conflict: 19 });
  });

  test('of objections at the same moment ten are opened, and the eleventh waits for an answer', async () => {
    const { token } = await known('flood');
    const answers = await Promise.all(TWENTY.map(() => object(service, token, { text: TEXT })));
    expect(statusesOf(answers)).toEqual({ created: 10, done: 0, conflict: 10 });
    clock.aheadMs += 2 * DAY_MS;
    const later = await recordToken(service, 'flood');
    expect((await object(service, later, { text: TEXT })).status).toBe(409);
    await answerReview(service, answers.find(({ status }) => status === 201)?.body.review.id);
    expect((await object(service, later, { text: TEXT })).status).toBe(201);
  });

  test('a script that opens and withdraws for ever opens ten a day, by any number of links', async () => {
    await known('script');
    const tokens = [await recordToken(service, 'script'), await recordToken(service, 'script')];
    const before = (await emitted(service, service.platformId, 'review.requested')).length;
    const answers: TestAnswer[] = [];
    for (const index of TWENTY.keys()) {
      const token = tokens[index % 2] ?? '';
      const answer = await object(service, token, { text: TEXT });
      answers.push(answer);
      if (answer.status === 201) await withdrawReview(service, token, answer.body.review.id);
    }
    expect(statusesOf(answers)).toEqual({ created: 10, done: 0, conflict: 10 });
    expect(await emitted(service, service.platformId, 'review.requested')).toHaveLength(before + 10);
    const texts = await service.db.query(
      `select 1 from review where text is not null and subject_id =
         (select subject_id from subject where external_id = 'script')`,
    );
    expect(texts).toEqual([]);
    clock.aheadMs += DAY_MS + 1000;
    expect((await object(service, tokens[0] ?? '', { text: TEXT })).status).toBe(201);
  });

  test('of answers at the same moment one wins, and one envelope says so', async () => {
    const { token } = await known('answered');
    const { id } = await objected(service, token);
    const answers = await Promise.all(
      TWENTY.map((_, index) => answerReview(service, id, { ...ANSWER, text: `answer ${index}` })),
    );
    expect(statusesOf(answers)).toEqual({ created: 0, done: 1, conflict: 19 });
    const winner = answers.find(({ status }) => status === 200);
    expect((await service.request('GET', `/reviews/${id}`)).body).toEqual(winner?.body);
    const envelopes = await emitted(service, service.platformId, 'review.answered');
    expect(envelopes.filter(({ reviewId }) => reviewId === id)).toHaveLength(1);
  });

  test('an answer and a withdrawal at the same moment end it one way', async () => {
    const { token } = await known('crossed');
    for (const _ of [1, 2, 3]) {
      const { id } = await objected(service, token);
      const [answer, withdrawal] = await Promise.all([
        answerReview(service, id),
        withdrawReview(service, token, id),
      ]);
      const { status } = (await service.request('GET', `/reviews/${id}`)).body;
      const isAnswered = status === 'ANSWERED';
      expect([answer.status === 200, withdrawal.status < 400]).toEqual([isAnswered, !isAnswered]);
    }
  });
});
