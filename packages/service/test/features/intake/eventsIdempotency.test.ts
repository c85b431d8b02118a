import { describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { givenSharedService } from '#harness/givenService.js';
import type { TestAnswer } from '#harness/service.js';
import { untilServed } from '#harness/untilServed.js';
import { anotherPlatform, exportAll, once, outcome, report, reportBatch } from './eventFixtures.js';

const REUSED = { code: 'IDEMPOTENCY_KEY_REUSED' };

function isReplay({ headers }: TestAnswer): boolean {
  return headers.get('idempotent-replay') === 'true';
}

function fifty(send: () => Promise<TestAnswer>): Promise<TestAnswer[]> {
  return Promise.all(Array.from({ length: 50 }, () => untilServed(send)));
}

describe.each(breadth)('events reported once on %s', (engine) => {
  const service = givenSharedService(engine);

  async function countOf(userId: string): Promise<number> {
    return (await exportAll(service)).filter((event) => event.userId === userId).length;
  }

  test('a repeated request with its key gets the first answer to the letter, marked as a replay', async () => {
    const body = outcome({
      userId: 'replayed',
      transactionValue: 12.5,
      completedAt: '2026-01-05T10:00:00+01:00',
      metadata: { b: 1, a: { z: [1.5], text: '“quoted” \\ "text"' } },
      oddField: 1,
    });
    const first = await report(service, body, once('replay-key-1'));
    expect([first.status, isReplay(first)]).toEqual([201, false]);
    for (let repeat = 0; repeat < 2; repeat += 1) {
      const again = await report(service, body, once('replay-key-1'));
      expect([again.status, isReplay(again), again.text]).toEqual([201, true, first.text]);
    }
    expect(await countOf('replayed')).toBe(1);
  });

  test('the same key with a different request is refused and writes nothing', async () => {
    const body = outcome({ userId: 'reused' });
    const key = once('reused-key-1');
    await report(service, body, key);
    for (const { status, body: refusal } of [
      await report(service, { ...body, isVerified: true }, key),
      await reportBatch(service, [body], key),
      await service.request('POST', '/events?note=1', { body, ...key }),
    ]) {
      expect([status, refusal.code, refusal.retryable]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED', false]);
    }
    expect(await countOf('reused')).toBe(1);
  });

  test('a failed request does not use its key', async () => {
    const send = (more: object) =>
      report(service, outcome({ userId: 'second-try', ...more }), once('free-again-1'));
    expect((await send({ stakeLevel: 'HUGE' })).status).toBe(400);
    const taken = await send({});
    expect([taken.status, isReplay(taken)]).toEqual([201, false]);
  });

  test('fifty identical concurrent requests write one event; the others get it or a retryable error', async () => {
    const body = outcome({ userId: 'stormed' });
    const answers = await fifty(() => report(service, body, once('storm-key-1')));
    const taken = answers.filter(({ status }) => status === 201);
    expect(new Set(taken.map((answer) => answer.body.eventId)).size).toBe(1);
    expect(taken.filter((answer) => !isReplay(answer))).toHaveLength(1);
    for (const { status, body: refusal, headers } of answers.filter((answer) => !taken.includes(answer))) {
      expect([status, refusal.code, refusal.retryable]).toEqual([409, 'IDEMPOTENCY_KEY_IN_USE', true]);
      expect(headers.get('retry-after')).toBe('1');
    }
    expect(await countOf('stormed')).toBe(1);
  });

  test('fifty concurrent requests with one item key write one event, and all return its id', async () => {
    const body = outcome({ userId: 'item-stormed', idempotencyKey: 'item-storm' });
    const answers = await fifty(() => report(service, body));
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(201));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter((answer) => !isReplay(answer))).toHaveLength(1);
    expect(await countOf('item-stormed')).toBe(1);
  });

  test('an item key is shared by all kinds of requests', async () => {
    const body = outcome({ userId: 'item-keyed', idempotencyKey: 'order-77' });
    const first = await report(service, body);
    const again = await report(service, body);
    expect([again.status, isReplay(again), again.body]).toEqual([201, true, first.body]);
    const inBatch = await reportBatch(service, [body]);
    expect(inBatch.body.results).toEqual([{ index: 0, status: 'skipped', eventId: first.body.eventId }]);
    const underHeader = await report(service, body, once('header-too-1'));
    expect(underHeader.body.eventId).toBe(first.body.eventId);
    expect(await countOf('item-keyed')).toBe(1);
  });

  test('a repeated item key with different content keeps the first event and gives a warning, also in a replay', async () => {
    const body = outcome({ userId: 'item-changed', idempotencyKey: 'order-78' });
    const first = await report(service, body);
    const send = () => report(service, { ...body, isVerified: true }, once('told-twice-1'));
    const changed = await send();
    expect(changed.body).toMatchObject({ event: first.body.event, warnings: [REUSED] });
    expect((await send()).text).toBe(changed.text);
    const defaults = { stakeLevel: 'MEDIUM', isVerified: false };
    const reordered = await report(service, { idempotencyKey: 'order-78', ...defaults, ...body });
    expect(reordered.body.warnings).toEqual([]); // the same content, spelt out
  });

  test('the order of names in metadata is no other content, the order of a list is', async () => {
    const send = async (metadata: object) => {
      const body = outcome({ userId: 'item-sorted', idempotencyKey: 'order-80', metadata });
      return (await report(service, body)).body.warnings;
    };
    await send({ b: { y: [{ d: 1, c: 2 }, 3], x: 2 }, a: null });
    expect(await send({ a: null, b: { x: 2, y: [{ c: 2, d: 1 }, 3] } })).toEqual([]);
    expect(await send({ a: null, b: { x: 2, y: [3, { c: 2, d: 1 }] } })).toMatchObject([REUSED]);
  });

  test.each([
    ['seven characters', 'seven77'],
    ['more than 255 characters', 'k'.repeat(256)],
    ['a letter outside of ASCII', 'clé-clé-clé'],
    ['a tab', 'tab\tin\tthe\tkey'],
    ['nothing', ''],
  ])('a key of %s is refused', async (_, key) => {
    const { status, body } = await report(service, outcome(), once(key));
    expect([status, body.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(body.details).toMatchObject([{ path: 'Idempotency-Key', code: 'invalid_format' }]);
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
      const answer = await report(service, body, { key, ...once('shared-request-key') });
      expect([answer.status, isReplay(answer)]).toEqual([201, false]);
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
