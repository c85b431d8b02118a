import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PATIENCE_MS } from '#harness/eventually.js';
import { gate } from '#harness/gate.js';
import { type Reaction, type Receiver, startReceiver } from '#harness/receiver.js';
import { createTextModel, plainTextOf, type TextModel } from '#kit/ai.js';
import { endsInTime } from '#kit/inTime.js';

const ORDER = { task: 'Retell it.', material: '{"summary":"The secret of the prompt."}', isFine: () => true };

describe('the AI client', () => {
  let endpoint: Receiver;
  let ai: TextModel;
  let now = 0;
  const lines: { failure: string }[] = [];

  beforeAll(async () => {
    endpoint = await startReceiver();
  });
  beforeEach(() => {
    lines.length = 0;
    endpoint.forget();
    endpoint.react(() => said('It is fine.'));
    ai = model({});
  });
  afterEach(() => ai.close());
  afterAll(() => endpoint.close());

  // A machine that is busy may take longer than three seconds for an answer.
  const model = ({ apiKey, deadlineMs = PATIENCE_MS }: { apiKey?: string; deadlineMs?: number | null }) =>
    createTextModel({
      baseUrl: `${endpoint.url}/v1`,
      apiKey,
      deadlineMs: deadlineMs ?? undefined,
      model: 'small-model',
      clock: { now: () => new Date(now) },
      log: { warn: (line: object) => void lines.push(line as { failure: string }) },
    });

  test('sends the request of the protocol and returns the text', async () => {
    expect(await ai.write(ORDER)).toBe('It is fine.');
    const [request] = endpoint.received;
    expect([request?.method, request?.path]).toEqual(['POST', '/v1/chat/completions']);
    expect(request?.headers).not.toHaveProperty('authorization');
    expect(JSON.parse(request?.body ?? '')).toEqual({
      model: 'small-model',
      messages: [
        { role: 'system', content: ORDER.task },
        { role: 'user', content: ORDER.material },
      ],
      stream: false,
    });
    expect(lines).toEqual([]);
  });

  test('sends the key as a bearer token', async () => {
    await ai.close();
    ai = model({ apiKey: 'sk-of-the-tests' });
    await ai.write(ORDER);
    expect(endpoint.received[0]?.headers.authorization).toBe('Bearer sk-of-the-tests');
  });

  const bad: [string, string, Reaction][] = [
    ['an error', 'status 500', { status: 500, body: 'The secret of the answer.' }],
    ['a refusal of the key', 'status 401', { ...json('{"error":{"message":"no"}}'), status: 401 }],
    ['garbage', 'unreadable', json('The secret of the answer. {')],
    ['another shape', 'unreadable', json('{"choices":[]}')],
    ['no words', 'unreadable', said(null)],
    ['nothing visible', 'empty', said(' \u200b\u0007\n ')],
    ['deep nesting', 'unreadable', json('['.repeat(60_000))],
    ['a stream', 'streamed', { ...json('data: {}\n\n'), headers: { 'content-type': 'text/event-stream' } }],
    ['a hang-up', 'connection', 'hang up'],
  ];

  test.each(bad)('%s is null and one line: %s', async (_what, failure, reaction) => {
    endpoint.react(() => reaction);
    expect(await ai.write(ORDER)).toBeNull();
    expect(lines).toEqual([{ failure }]);
    expect(JSON.stringify(lines)).not.toContain('secret');
  });

  test('a redirect is not followed because the key belongs to one address', async () => {
    endpoint.react(({ path }) =>
      path === '/elsewhere'
        ? said('From elsewhere.')
        : { status: 307, headers: { location: `${endpoint.url}/elsewhere` } },
    );
    expect(await ai.write(ORDER)).toBeNull();
    expect(endpoint.received).toHaveLength(1);
    expect(lines).toEqual([{ failure: 'status 307' }]);
  });

  test('a huge answer is read only up to the limit of a text', async () => {
    const huge = said('long '.repeat(4_000_000)); // made before the deadline of the request runs
    endpoint.react(() => huge);
    expect(await ai.write(ORDER)).toBeNull();
    expect(lines).toEqual([{ failure: 'unreadable' }]);
  });

  test('a request times out after three seconds', async () => {
    await ai.close();
    ai = model({ deadlineMs: null });
    endpoint.react(() => 'hang');
    const startMs = performance.now();
    const written = ai.write(ORDER);
    expect(await endsInTime(written, 6000)).toBe(true);
    expect(performance.now() - startMs).toBeGreaterThan(2900);
    expect(await written).toBeNull();
    expect(lines).toEqual([{ failure: 'timeout' }]);
  });

  test('a text that cannot be shown is null and no failure of the endpoint', async () => {
    for (let round = 0; round < 7; round += 1) {
      expect(await ai.write({ ...ORDER, isFine: () => false })).toBeNull();
    }
    expect(endpoint.received).toHaveLength(7);
  });

  test('eight requests run at once, some wait, and the rest get null immediately', async () => {
    let atOnce = 0;
    let most = 0;
    const all = gate();
    endpoint.react(async () => {
      atOnce += 1;
      most = Math.max(most, atOnce);
      await all.wait();
      atOnce -= 1;
      return said('It is fine.');
    });
    const asked = Array.from({ length: 40 }, () => ai.write(ORDER));
    expect(await Promise.all(asked.slice(32))).toEqual(Array(8).fill(null));
    expect(lines).toEqual(Array(8).fill({ failure: 'busy' }));
    await endpoint.waitFor(8);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(endpoint.received).toHaveLength(8);
    all.open();
    expect(await Promise.all(asked.slice(0, 32))).toEqual(Array(32).fill('It is fine.'));
    expect(most).toBe(8);
  });

  test('after five failures in a row no request is sent for thirty seconds, then one is', async () => {
    endpoint.react(() => ({ status: 500 }));
    for (let round = 0; round < 8; round += 1) expect(await ai.write(ORDER)).toBeNull();
    expect(endpoint.received).toHaveLength(5);
    expect(lines.at(-1)).toEqual({ failure: 'status 500', pausedForSeconds: 30 });
    now += 29_999;
    await ai.write(ORDER);
    expect(endpoint.received).toHaveLength(5);
    now += 1;
    await Promise.all([ai.write(ORDER), ai.write(ORDER), ai.write(ORDER)]);
    expect(endpoint.received).toHaveLength(6);
    endpoint.react(() => said('It is back.'));
    now += 30_000;
    expect(await ai.write(ORDER)).toBe('It is back.');
    expect(await ai.write(ORDER)).toBe('It is back.');
  });

  test('a success resets the count of failures', async () => {
    for (let round = 0; round < 8; round += 1) {
      endpoint.react(() => (round % 4 === 3 ? said('Fine.') : { status: 500 }));
      await ai.write(ORDER);
    }
    expect(endpoint.received).toHaveLength(8);
  });
});

describe('the clean-up of an untrusted text', () => {
  test.each([
    ['one\r\ntwo\u2028three', 'one\ntwo\nthree'],
    ['a\u0000b\u001b[31mc\u0085\u009b', 'ab[31mc'],
    ['right\u202eto left\u2066\u200b\ufeff', 'rightto left'],
    ['<script>alert(1)</script> **bold** `code`', 'scriptalert(1)/script bold code'],
    ['half \ud83d of a pair', 'half  of a pair'],
    ['\n\n one\n\n\n\n\ntwo \n', 'one\n\ntwo'],
    ['tab\there', 'tab here'],
    ['Größe: 漢字 😀', 'Größe: 漢字 😀'],
  ])('%j becomes %j', (raw, plain) => {
    expect(plainTextOf(raw)).toBe(plain);
  });

  test('truncates to 2000 characters and never splits a surrogate pair', () => {
    expect(plainTextOf('x'.repeat(3000))).toBe('x'.repeat(2000));
    expect(plainTextOf(`${'x'.repeat(1999)}😀`)).toBe('x'.repeat(1999));
  });
});

function said(content: string | null): Exclude<Reaction, string> {
  const choices = [{ index: 0, message: { role: 'assistant', content } }];
  return json(JSON.stringify({ model: 'another-name', choices }));
}

function json(body: string): Exclude<Reaction, string> {
  return { status: 200, headers: { 'content-type': 'application/json' }, body };
}
