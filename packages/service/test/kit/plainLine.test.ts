import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { DatabaseUnavailableError } from '#kit/db/database.js';
import { errorInLog, plainLine } from '#kit/log.js';

/** A log line as createLog writes it. */
function logged(write: (log: pino.Logger) => void): string {
  let line = '';
  const options = {
    base: { pid: 1, role: 'all' },
    timestamp: () => ',"time":"2026-02-03T04:05:06.789Z"',
    formatters: { level: (label: string) => ({ level: label }) },
  };
  const stream = {
    write(json: string) {
      line = plainLine(json);
    },
  };
  write(pino(options, stream));
  return line;
}

describe('a line of the log on a terminal', () => {
  test('has the time, the level, the message and the fields', () => {
    const line = logged((log) => log.warn({ url: 'http://[::1]:80', waitMs: 3, tags: ['a b'] }, 'slow'));
    expect(line).toBe('04:05:06 WARN  slow url=http://[::1]:80 waitMs=3 tags=["a b"]\n');
  });

  test('is followed by the stacks of an error and its cause', () => {
    const error = new Error('outer', { cause: new Error('inner') });
    const [line, ...stack] = logged((log) => log.error({ err: error }, 'failed')).split('\n');
    expect(line).toBe('04:05:06 ERROR failed');
    expect(stack[0]).toBe('    Error: outer');
    expect(stack[1]).toMatch(/^ {8}at .*plainLine\.test\.ts/);
    expect(stack.join('\n')).toContain('    caused by: Error: inner\n');
  });

  test('stays one line without control characters for any input', () => {
    const line = logged((log) => log.info({ agent: '\x1b[2J\x9bm\u202e' }, 'a\nforged line'));
    expect(line).toBe('04:05:06 INFO  a forged line agent=\\u{1b}[2J\\u{9b}m\\u{202e}\n');
  });
});

test('a database that is away or slow is one sentence without a stack', () => {
  const err = errorInLog(new DatabaseUnavailableError('the database did not answer within 10 s'));
  expect(JSON.stringify(err)).not.toContain('stack');
  const line = plainLine(
    JSON.stringify({ level: 'warn', time: '2026-11-23T20:00:00.000Z', msg: 'waiting', err }),
  );
  expect(line).toContain('the database did not answer within 10 s');
  expect(line).not.toMatch(/^ *at /m);
  expect(errorInLog(new Error('a defect'))).toHaveProperty('stack');
});
