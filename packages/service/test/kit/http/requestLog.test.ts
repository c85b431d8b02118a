import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createServer } from '#kit/http/server.js';

/**
 * A server that records its log lines, with a route that calls this function with the request's
 * log.
 */
function serverThatSays(say: (log: ReturnType<typeof createServer>['log']) => void) {
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: 'debug', redact: ['token'] }, { write: (line) => lines.push(JSON.parse(line)) });
  const server = createServer({ log, methodsOf: () => [] });
  server.get('/said', (request) => {
    say(request.log);
    return { said: true };
  });
  const ask = () => server.inject({ url: '/said', headers: { 'x-request-id': 'asked-by-the-test' } });
  return { lines, ask };
}

test("every log line of a request has the request's id, at each level and in children", async () => {
  const { lines, ask } = serverThatSays((log) => {
    log.info('a text');
    log.warn({ row: 7, token: 'st_secret' }, 'with %s', 'values');
    log.child({ part: 'mail' }).error('of a child');
    log.trace('below the level');
  });
  expect((await ask()).statusCode).toBe(200);
  expect(lines).toMatchObject([
    { level: 30, requestId: 'asked-by-the-test', msg: 'a text' },
    { level: 40, requestId: 'asked-by-the-test', row: 7, token: '[Redacted]', msg: 'with values' },
    { level: 50, requestId: 'asked-by-the-test', part: 'mail', msg: 'of a child' },
  ]);
});

test('a request can have its own log level without a change to the server', async () => {
  const levels: string[] = [];
  const { lines, ask } = serverThatSays((log) => {
    levels.push(log.level);
    log.level = 'error';
    levels.push(log.level);
    log.info('not any more');
  });
  await ask();
  await ask();
  expect(levels).toEqual(['debug', 'error', 'debug', 'error']);
  expect(lines).toEqual([]);
});
