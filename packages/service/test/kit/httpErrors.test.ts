import { describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { givenSharedService } from '#harness/givenService.js';
import type { RequestOptions, TestAnswer } from '#harness/service.js';
import { words } from '#harness/words.js';

const EVENT = { userId: 'worker-1', eventType: 'TRANSACTION_COMPLETED' };
const MIB = 1024 * 1024;

describe.each(breadth)('answers of the HTTP kit on %s', (engine) => {
  const service = givenSharedService(engine);

  function post(body: unknown, options: RequestOptions = {}): Promise<TestAnswer> {
    return service.request('POST', '/events', { ...options, body });
  }

  function expectError(answer: TestAnswer, status: number, code: string): void {
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.body).toMatchObject({ code, retryable: false, error: expect.stringMatching(/./) });
    expect(answer.body.requestId).toBe(answer.headers.get('x-request-id'));
    const known = ['error', 'code', 'requestId', 'retryable', 'details'];
    expect(Object.keys(answer.body).filter((name) => !known.includes(name))).toEqual([]);
  }

  test.each(['/nowhere', '/events/', '/users/a/b/c', '!/api/v2/events', '!/', '!/%00'])(
    '%s is not found',
    async (path) => {
      expectError(await service.request('GET', path), 404, 'NOT_FOUND');
    },
  );

  test.each([
    ['GET', '/events', 'POST'],
    ['DELETE', '/events', 'POST'],
    ['PUT', '/events/batch', 'POST'],
    ['GET', '/events/batch', 'POST'],
    ['POST', '/events/export', 'GET, HEAD'],
    ['PATCH', '/users/a%20b/score', 'GET, HEAD'],
    ['OPTIONS', '/users/scores', 'POST'],
    ['PROPFIND', '/events', 'POST'],
    ['POST', '!/health', 'GET, HEAD'],
  ])('%s %s is refused with the allowed methods: %s', async (method, path, allow) => {
    const answer = await service.request(method, path, method === 'GET' ? {} : { body: {} });
    expectError(answer, 405, 'METHOD_NOT_ALLOWED');
    expect(answer.headers.get('allow')).toBe(allow);
  });

  test('HEAD of a POST route is refused without a body', async () => {
    const { status, headers, text } = await service.request('HEAD', '/events');
    expect([status, headers.get('allow'), text]).toEqual([405, 'POST', '']);
  });

  test('a body of exactly 1 MiB is accepted, one byte more is not', async () => {
    const body = JSON.stringify(EVENT);
    expect((await post(body.padEnd(MIB))).status).toBe(201);
    expectError(await post(body.padEnd(MIB + 1)), 413, 'PAYLOAD_TOO_LARGE');
  });

  test.each([
    ['nothing that is JSON', 'userId=worker-1'],
    ['a cut-off object', '{"userId": "worker-1"'],
    ['a comma too many', '{"userId": "worker-1",}'],
    ['two values', '{} {}'],
    ['a number with a leading zero', '{"transactionValue": 01}'],
    ['a raw line break in a text', '{"userId": "a\nb"}'],
    ['a prototype in disguise', '{"userId": "worker-1", "__proto__": {"isVerified": true}}'],
    ['a prototype deep inside', '{"metadata": {"constructor": {"prototype": {}}}}'],
    ['a hundred thousand brackets', '['.repeat(100_000)],
    ['what is not UTF-8', Buffer.from(JSON.stringify({ ...EVENT, userId: 'Müller' }), 'latin1')],
    ['nothing', ''],
  ])('%s is refused as a body', async (_, body) => {
    expectError(await post(body), 400, 'BAD_REQUEST');
  });

  test('the refusal of a body says which name could pollute a prototype, and quotes nothing', async () => {
    const polluting = await post('{"userId": "worker-1", "__proto__": 1}');
    expect(polluting.body.error).toContain('`__proto__`');
    expect(polluting.body.error).not.toContain('not JSON');
    expect((await post('{"userId": "worker-1", "secret": hunter2-hunter2}')).text).not.toContain('hunter2');
  });

  test.each([
    ['userId', '{"userId":"a\\u0000b","eventType":"REVIEW_VERIFIED"}'],
    ['userId', '{"userId":"\\ud83d","eventType":"REVIEW_VERIFIED"}'],
    ['metadata.a.1.b', '{"userId":"a","eventType":"REVIEW_VERIFIED","metadata":{"a":[0,{"b":"\\udc00"}]}}'],
    ['metadata', '{"userId":"a","eventType":"REVIEW_VERIFIED","metadata":{"\\u0000":1}}'],
    ['note', '{"userId":"a","eventType":"REVIEW_VERIFIED","note":"\\u0000"}'],
  ])('a NUL or half a surrogate pair in %s is refused', async (path, body) => {
    const answer = await post(body);
    expectError(answer, 400, 'VALIDATION_ERROR');
    expect(answer.body.details).toMatchObject([{ path, code: 'invalid_format' }]);
  });

  test('a whole surrogate pair, written out or escaped, is a character like any other', async () => {
    const answer = await post('{"userId":"\\ud83d\\ude42 🙂","eventType":"REVIEW_VERIFIED"}');
    expect(answer.body.event.userId).toBe('🙂 🙂');
  });

  test.each(words`text/plain application/x-www-form-urlencoded multipart/form-data application/xml json */*`)(
    'a body with the type %s is refused',
    async (contentType) => {
      const answer = await post(JSON.stringify(EVENT), { headers: { 'Content-Type': contentType } });
      expectError(answer, 400, 'BAD_REQUEST');
    },
  );

  test.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON'])(
    'a body with the type %s is accepted',
    async (contentType) => {
      const answer = await post(JSON.stringify(EVENT), { headers: { 'Content-Type': contentType } });
      expect(answer.status).toBe(201);
    },
  );

  test('a missing body and a path that cannot be decoded are refused', async () => {
    expectError(await service.request('POST', '/events'), 400, 'BAD_REQUEST');
    expectError(await service.request('GET', '/users/%E0%A4%A/score'), 400, 'BAD_REQUEST');
  });

  test('an id of 255 four-byte characters fits into a path, one more does not', async () => {
    const id = '🙂'.repeat(127);
    const missing = await service.request('GET', `/users/${encodeURIComponent(id)}/score`);
    expectError(missing, 404, 'USER_NOT_FOUND');
    const tooLong = await service.request('GET', `/users/${encodeURIComponent('x'.repeat(256))}/score`);
    expectError(tooLong, 400, 'VALIDATION_ERROR');
  });

  test.each(['a', 'req-1:2.3_4', 'x'.repeat(128)])("a caller's request id is echoed: %s", async (id) => {
    const headers = { 'X-Request-Id': id };
    for (const path of ['/events/export', '/nowhere', '!/health']) {
      const answer = await service.request('GET', path, { headers });
      expect(answer.headers.get('x-request-id')).toBe(id);
      if (answer.status >= 400) expect(answer.body.requestId).toBe(id);
    }
  });

  test.each(['', 'two words', 'x'.repeat(129), 'ümlaut', '<script>', 'a,b'])(
    'a request id that could mislead a log is replaced: %j',
    async (id) => {
      const answer = await service.request('GET', '!/health', { headers: { 'X-Request-Id': id } });
      expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    },
  );

  test('answers of every kind have the security headers', async () => {
    const large = 'x'.repeat(MIB + 1);
    const answers: [number, Promise<TestAnswer>][] = [
      [200, service.request('GET', '/events/export')],
      [200, service.request('GET', '/events/export?format=csv')],
      [200, service.request('GET', '!/health', { key: null })],
      [201, service.request('POST', '/events', { body: EVENT })],
      [400, service.request('POST', '/events', { body: '{' })],
      [400, service.request('GET', '/users/%E0%A4%A/score')],
      [401, service.request('GET', '/events/export', { key: null })],
      [404, service.request('GET', '/nowhere')],
      [405, service.request('DELETE', '/events')],
      [413, service.request('POST', '/events', { body: large })],
    ];
    for (const [status, asked] of answers) {
      const answer = await asked;
      expect(answer.status).toBe(status);
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
      expect(answer.headers.get('strict-transport-security')).toContain('max-age=');
      expect(answer.headers.get('cache-control')).toBeTruthy();
      expect(answer.headers.get('x-request-id')).toBeTruthy();
      expect(answer.headers.get('x-powered-by')).toBeNull();
      expect(answer.headers.get('server')).toBeNull();
    }
  });
});
