import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { serviceError } from '#domain/errors.js';
import { overloaded } from '#kit/http/errorAnswer.js';
import { createServer } from '#kit/http/server.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

test('refusals for load are one line a minute with their number by code, and one cause', async () => {
  const lines: { msg: string; [field: string]: unknown }[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) });
  const server = createServer({ log, methodsOf: () => [] });
  server.get('/busy', () => {
    throw overloaded('The database is overloaded.', new Error('no answer in time'));
  });
  server.get('/month', () => {
    throw serviceError('QUOTA_EXCEEDED');
  });
  for (let time = 0; time < 40; time += 1) expect((await server.inject('/busy')).statusCode).toBe(503);
  expect((await server.inject('/month')).statusCode).toBe(429);
  vi.advanceTimersByTime(59_999);
  expect(lines).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(lines).toMatchObject([
    { level: 40, refused: { OVERLOADED: 40, QUOTA_EXCEEDED: 1 }, err: { message: 'no answer in time' } },
  ]);
  vi.advanceTimersByTime(600_000);
  expect(lines).toHaveLength(1);
  await server.inject('/month');
  await server.close();
  expect(lines[1]).toMatchObject({ refused: { QUOTA_EXCEEDED: 1 } });
  expect(lines[1]).not.toHaveProperty('err');
});
