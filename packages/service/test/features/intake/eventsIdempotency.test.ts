import { describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { joinTestService, type TestAnswer } from '#harness/service.js';
import { suiteService } from '#harness/suiteService.js';
import { untilServed } from '#harness/untilServed.js';
import { anotherPlatform, exportAll, once, outcome, report, reportBatch } from './eventFixtures.js';

describe.each(breadth)('events reported once on %s', (engine) => {
  const service = suiteService(() => joinTestService(engine));

  async function countOf(userId: string): Promise<number> {
    return (await exportAll(service)).filter((event) => event.userId === userId).length;
  }

  test('a repeated request with its key gets the first answer, marked as a replay', async () => {
    const body = outcome({
      userId: 'replayed',
      transactionValue: 12.5,
      completedAt: '2026-01-05T10:00:00+01:00',
      metadata: { b: 1, a: { z: [1.5], text: '“quoted” \\ "text"' } },
      oddField: 1,
    });
    const first = await report(service, body, once('replay-key-1'));
    expect(first.status).toBe(201);
    expect(first.headers.get('idempotent-replay')).toBeNull();
    for (let repeat = 0; repeat < 2; repeat += 1) {
      const again = await report(service, body, once('replay-key-1'));
      expect(again.status).toBe(201);
      expect(again.headers.get('idempotent-replay')).toBe('true');
      expect(again.text).toBe(first.text);
    }
    expect(await countOf('replayed')).toBe(1);
  });

  test('the same key with a different request is refused and writes nothing', async () => {
    const body = outcome({ userId: 'reused' });
    await report(service, body, once('reused-key-1'));
    const others = [
      await report(service, { ...body, isVerified: true }, once('reused-key-1')),
      await report(service, `${JSON.stringify(body)} `, once('reused-key-1')),
      await reportBatch(service, [body], once('reused-key-1')),
      await service.request('POST', '/events?note=1', { body, ...once('reused-key-1') }),
    ];
    for (const answer of others) {
      expect(answer.status).toBe(422);
      expect(answer.body).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED', retryable: false });
    }
    expect(await countOf('reused')).toBe(1);
  });

  test('a failed request does not use its key', async () => {
    const refused = await report(
      service,
      outcome({ userId: 'second-try', stakeLevel: 'HUGE' }),
      once('free-again-1'),
    );
    expect(refused.status).toBe(400);
    const taken = await report(service, outcome({ userId: 'second-try' }), once('free-again-1'));
    expect(taken.status).toBe(201);
    expect(taken.headers.get('idempotent-replay')).toBeNull();
  });

  test('fifty identical concurrent requests write one event; the others get it or a retryable error', async () => {
    const body = outcome({ userId: 'stormed' });
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => untilServed(() => report(service, body, once('storm-key-1')))),
    );
    const taken = answers.filter(({ status }) => status === 201);
    expect(new Set(taken.map((answer) => answer.body.eventId)).size).toBe(1);
    expect(taken.filter((answer) => answer.headers.get('idempotent-replay') === null)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expect(answer.status).toBe(409);
      expect(answer.body).toMatchObject({ code: 'IDEMPOTENCY_KEY_IN_USE', retryable: true });
      expect(answer.headers.get('retry-after')).toBe('1');
    }
    expect(await countOf('stormed')).toBe(1);
  });

  test('fifty concurrent requests with one item key write one event, and all return its id', async () => {
    const body = outcome({ userId: 'item-stormed', idempotencyKey: 'item-storm' });
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => untilServed(() => report(service, body))),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(201));
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
    expect(answers.filter((answer) => answer.headers.get('idempotent-replay') === null)).toHaveLength(1);
    expect(await countOf('item-stormed')).toBe(1);
  });

  test('an item key is shared by all kinds of requests', async () => {
    const body = outcome({ userId: 'item-keyed', idempotencyKey: 'order-77' });
    const first = await report(service, body);
    const again = await report(service, body);
    expect(again.status).toBe(201);
    expect(again.headers.get('idempotent-replay')).toBe('true');
    expect(again.body).toEqual(first.body);
    const inBatch = await reportBatch(service, [body]);
    expect(inBatch.body.results).toEqual([{ index: 0, status: 'skipped', eventId: first.body.eventId }]);
    const underHeader = await report(service, body, once('header-too-1'));
    expect(underHeader.body.eventId).toBe(first.body.eventId);
    expect(await countOf('item-keyed')).toBe(1);
  });

  test('a repeated item key with different content keeps the first event and gives a warning', async () => {
    const body = outcome({ userId: 'item-changed', idempotencyKey: 'order-78' });
    const first = await report(service, body);
    const changed = await report(service, { ...body, isVerified: true });
    expect(changed.status).toBe(201);
    expect(changed.headers.get('idempotent-replay')).toBe('true');
    expect(changed.body.event).toEqual(first.body.event);
    expect(changed.body.warnings).toMatchObject([{ code: 'IDEMPOTENCY_KEY_REUSED' }]);
    const reordered = await report(service, {
      idempotencyKey: 'order-78',
      stakeLevel: 'MEDIUM',
      isVerified: false,
      eventType: 'TRANSACTION_COMPLETED',
      userId: 'item-changed',
    });
    expect(reordered.body.warnings).toEqual([]); // the same content, spelt out
  });

  test('the order of names in metadata is no other content, the order of a list is', async () => {
    const send = (metadata: object) =>
      report(service, outcome({ userId: 'item-sorted', idempotencyKey: 'order-80', metadata }));
    await send({ b: { y: [{ d: 1, c: 2 }, 3], x: 2 }, a: null });
    const sorted = await send({ a: null, b: { x: 2, y: [{ c: 2, d: 1 }, 3] } });
    expect(sorted.headers.get('idempotent-replay')).toBe('true');
    expect(sorted.body.warnings).toEqual([]);
    const other = await send({ a: null, b: { x: 2, y: [3, { c: 2, d: 1 }] } });
    expect(other.body.warnings).toMatchObject([{ code: 'IDEMPOTENCY_KEY_REUSED' }]);
  });

  test('a replay repeats the warning about different content', async () => {
    const body = outcome({ userId: 'told-twice', idempotencyKey: 'order-79' });
    await report(service, body);
    const changed = { ...body, isVerified: true };
    const first = await report(service, changed, once('told-twice-1'));
    expect(first.body.warnings).toMatchObject([{ code: 'IDEMPOTENCY_KEY_REUSED' }]);
    expect((await report(service, changed, once('told-twice-1'))).text).toBe(first.text);
  });

  test.each([
    ['seven characters', 'seven77'],
    ['more than 255 characters', 'k'.repeat(256)],
    ['a letter outside of ASCII', 'clé-clé-clé'],
    ['a tab', 'tab\tin\tthe\tkey'],
    ['nothing', ''],
  ])('a key of %s is refused', async (_, key) => {
    const answer = await report(service, outcome(), once(key));
    expect(answer.status).toBe(400);
    expect(answer.body.code).toBe('VALIDATION_ERROR');
    expect(answer.body.details).toMatchObject([{ path: 'Idempotency-Key', code: 'invalid_format' }]);
  });

  test.each([
    ['8 characters', 'eight888'],
    ['255 characters', 'k'.repeat(255)],
    ['every printable character', ' !"#$%&\'()*+,-./0:;<=>?@A[\\]^_`a{|}~'.trim()],
  ])('a key of %s is taken', async (_, key) => {
    expect((await report(service, outcome(), once(key))).status).toBe(201);
  });

  test('keys of one platform or mode do not affect another', async () => {
    const other = await anotherPlatform(service);
    const body = outcome({ userId: 'kept-apart', idempotencyKey: 'shared-item-key' });
    const ids = new Set<string>();
    for (const key of [service.liveKey, service.testKey, other.liveKey, other.testKey]) {
      const answer: TestAnswer = await report(service, body, { key, ...once('shared-request-key') });
      expect(answer.status).toBe(201);
      expect(answer.headers.get('idempotent-replay')).toBeNull();
      ids.add(answer.body.eventId);
    }
    expect(ids.size).toBe(4);
  });

  test('keys that differ only in case are different', async () => {
    const first = await report(service, outcome(), once('Case-Sensitive'));
    const second = await report(service, outcome(), once('case-sensitive'));
    expect(second.body.eventId).not.toBe(first.body.eventId);
  });
});
