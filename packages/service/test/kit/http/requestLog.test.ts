import { pino } from 'pino';
import { expect, test } from 'vitest';
import { logOf } from '#kit/http/errorAnswer.js';
import { createServer } from '#kit/http/server.js';

test("every log line of a request has the request's id, at each level and in children", async () => {
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: 'debug', redact: ['token'] }, { write: (line) => lines.push(JSON.parse(line)) });
  const server = createServer({ log, methodsOf: () => [] });
  server.get('/said', (request) => {
    const own = logOf(request);
    own.info('a text');
    own.warn({ row: 7, token: 'st_secret' }, 'with %s', 'values');
    own.child({ part: 'mail' }).error('of a child');
    own.trace('below the level');
    return { said: true };
  });
  const answer = await server.inject({ url: '/said', headers: { 'x-request-id': 'asked-by-the-test' } });
  expect(answer.statusCode).toBe(200);
  expect(lines).toMatchObject([
    { level: 30, requestId: 'asked-by-the-test', msg: 'a text' },
    { level: 40, requestId: 'asked-by-the-test', row: 7, token: '[Redacted]', msg: 'with values' },
    { level: 50, requestId: 'asked-by-the-test', part: 'mail', msg: 'of a child' },
  ]);
});
