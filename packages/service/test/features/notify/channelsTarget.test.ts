import { describe, expect, test } from 'vitest';
import { ServiceError } from '#domain/errors.js';
import { SOON } from '#harness/eventually.js';
import { channelTargetOf } from '../../../src/features/notify/channels/channelTarget.js';

const SECRET = 'AbCdEfGhIjKlMnOpQrStXv3q';
const HOOK = `https://hooks.slack.com/services/T0EXAMPLE/B0EXAMPLE/${SECRET}`;

describe('a Slack target', () => {
  const slack = (target: string) => channelTargetOf('slack', target, true);

  test.each([
    [HOOK, HOOK],
    [`https://hooks.slack.com:443/services/T0EXAMPLE/B0EXAMPLE/${SECRET}`, HOOK],
    [`https://@hooks.slack.com/services/T0EXAMPLE/B0EXAMPLE/${SECRET}`, HOOK],
    [`https://ｈｏｏｋｓ.slack.com/services/T0EXAMPLE/B0EXAMPLE/${SECRET}`, HOOK],
    [`https://hooks.slack.com/x/../services/T0EXAMPLE/B0EXAMPLE/${SECRET}#here`, HOOK],
    ['https://hooks.slack.com/workflows/T1/A1/1/x', 'https://hooks.slack.com/workflows/T1/A1/1/x'],
    ['https://hooks.slack.com/triggers/E1/1/x?y=z', 'https://hooks.slack.com/triggers/E1/1/x?y=z'],
  ])('%s is called as %s', (given, called) => {
    expect(slack(given)).toMatchObject({ type: 'slack', address: called });
  });

  test.each([
    '',
    'hooks.slack.com/services/a/b/c',
    'http://hooks.slack.com/services/a/b/c',
    'https://hooks.slack.com/',
    'https://hooks.slack.com/?services/a/b/c',
    'https://hooks.slack.com/..',
    'https://hooks.slack.com:8443/services/a/b/c',
    'https://user@hooks.slack.com/services/a/b/c',
    'https://:word@hooks.slack.com/services/a/b/c',
    'https://hooks.slack.com@evil.example/services/a/b/c',
    'https://hooks.slack.com%00.evil.example/services/a/b/c',
    'https://hooks.slack.com.evil.example/services/a/b/c',
    'https://evil.example\\hooks.slack.com/services/a/b/c',
    'https://evilhooks.slack.com/services/a/b/c',
    'https://hooks.slack.com./services/a/b/c',
    'https://hооks.slack.com/services/a/b/c', // Cyrillic letters
    'https://127.0.0.1/services/a/b/c',
    ` ${HOOK}`,
    HOOK.replace('/services', '/ser\nvices'),
    HOOK.replace('hooks.', 'hooks.\t'),
    `${HOOK}\u0000`,
    `${HOOK}/${'x'.repeat(2048)}`,
  ])('%j is refused', (target) => {
    expect(codeOf(() => slack(target))).toBe('NOTIFICATION_CHANNEL_INVALID');
  });

  test.each([
    [HOOK, 'https://hooks.slack.com/services/…/…Xv3q'],
    ['https://hooks.slack.com/services/a/b/short', 'https://hooks.slack.com/services/…/…'],
    [`https://hooks.slack.com/triggers/E1/1/${SECRET}`, 'https://hooks.slack.com/triggers/…/…Xv3q'],
    [`https://hooks.slack.com/${SECRET}`, 'https://hooks.slack.com/…/…Xv3q'],
    ['https://hooks.slack.com/secret', 'https://hooks.slack.com/…/…'],
    [`https://hooks.slack.com/services/a?token=${SECRET}`, 'https://hooks.slack.com/services/…/…'],
  ])('%s is shown as %s', (target, masked) => {
    expect(slack(target).masked).toBe(masked);
  });
});

describe('an e-mail target', () => {
  const email = (target: string) => channelTargetOf('email', target, true);

  test.each([
    ['watcher@example.com', 'w***@e***.com'],
    ['first.last+tag@mail.example.co.uk', 'f***@m***.uk'],
    ["o'neil_{x}@xn--bcher-kva.example", 'o***@x***.example'],
    ['a@b.de', '***@b***.de'],
    [`${'x'.repeat(64)}@example.com`, 'x***@e***.com'],
  ])('%s is accepted and shown as %s', (target, masked) => {
    expect(email(target)).toEqual({ type: 'email', address: target, masked });
  });

  test.each([
    '',
    '@example.com',
    'a@localhost',
    'a@b@example.com',
    'a b@example.com',
    '.a@example.com',
    'a..b@example.com',
    '"a b"@example.com',
    'Somebody <a@example.com>',
    'a@example.com,b@example.com',
    'group: a@example.com;',
    'a@example.com\r\nBcc: b@example.com',
    'a@example.com (comment)',
    'a@-example.com',
    'a@example..com',
    'a@[127.0.0.1]',
    'mailto:a@example.com',
    'ä@example.com',
    `${'x'.repeat(65)}@example.com`,
    `a@${'x'.repeat(64)}.com`,
    `a@${'x.'.repeat(130)}com`,
  ])('%j is refused', (target) => {
    expect(codeOf(() => email(target))).toBe('NOTIFICATION_CHANNEL_INVALID');
  });

  test('a long invalid text is refused without delay', () => {
    const startMs = performance.now();
    expect(codeOf(() => email(`${'a.'.repeat(500_000)}@`))).toBe('NOTIFICATION_CHANNEL_INVALID');
    expect(codeOf(() => email(`${'a'.repeat(250)}!@`))).toBe('NOTIFICATION_CHANNEL_INVALID');
    expect(performance.now() - startMs).toBeLessThan(SOON.timeout);
  });
});

function codeOf(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
}
