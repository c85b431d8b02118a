import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { words } from '#harness/words.js';
import { webLink } from '../../src/features/subjects/profile/schemas.js';

const isTaken = (text: string) => webLink.safeParse(text).success;

describe('a link that people may follow', () => {
  test.each([
    ...words`https://portfolio.example HTTP://portfolio.example:8080/a?b=c#d https://xn--mnchen-3ya.example/
      https://münchen.example/größe https://[2001:db8::1]/x`,
    `https://x.example/${'a'.repeat(2048 - 18)}`,
  ])('is accepted unchanged: %s', (text) => {
    expect(webLink.parse(text)).toBe(text);
  });

  test.each([
    ...words`javascript://portfolio.example/%0aalert(1) vbscript:x blob:https://portfolio.example/x
      data:text/html,x ftp://files.example/x //portfolio.example portfolio.example https://me@portfolio.example https://
      file:///etc/passwd https:/portfolio.example https://:secret@portfolio.example https://portfolio.example:99999`,
    'java\tscript:alert(1)',
    'https:\\\\portfolio.example',
    'https://a b.example',
    'https://portfolio.example\\@evil.example',
    'https://portfolio.example/\u2028',
    `https://x.example/${'a'.repeat(2048 - 17)}`,
  ])('is refused: %j', (text) => {
    expect(isTaken(text)).toBe(false);
  });

  test('always leads to a web address without credentials', () => {
    const parts = fc.constantFrom(
      ...words`http https javascript : // / \\ @ me:pw x.example %40 ? #`,
      '\t',
      ' ',
    );
    const pieced = fc.array(fc.oneof(parts, fc.string({ unit: 'grapheme', maxLength: 3 })), { maxLength: 9 });
    const text = fc.oneof(
      pieced.map((some) => some.join('')),
      pieced.map((some) => `https://${some.join('')}`),
    );
    fc.assert(
      fc.property(text, (given) => {
        if (!isTaken(given)) return;
        const { protocol, username, password, hostname } = new URL(given);
        expect(['http:', 'https:']).toContain(protocol);
        expect([username, password]).toEqual(['', '']);
        expect(hostname).not.toBe('');
      }),
      { numRuns: 2000 },
    );
  });
});
