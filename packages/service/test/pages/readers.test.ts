import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openerOf } from '../../src/pages/hosted/layout.js';
import { chooseLanguage } from '../../src/pages/texts/chooseLanguage.js';
import { bidiIsolate, languages } from '../../src/pages/texts/texts.js';

describe('the language of a page', () => {
  test.each([
    [undefined, 'en'],
    ['', 'en'],
    ['de', 'de'],
    ['de-AT', 'de'],
    ['DE-de', 'de'],
    ['en-US,en;q=0.9,de;q=0.8', 'en'],
    ['de;q=0.8,en;q=0.9', 'en'],
    ['fr-FR,fr;q=0.9,de;q=0.5,en;q=0.3', 'de'],
    ['fr', 'en'],
    ['fr, *;q=0.1', 'en'],
    ['*, en;q=0', 'de'],
    ['en;q=0, de;q=0', 'en'],
    ['de;q=2, en;q=0.1', 'en'],
    ['de;q=abc', 'en'],
    ['de, en', 'de'],
    ['en, de', 'en'],
    ['den', 'en'],
    ['\u0000;;;===,,,', 'en'],
  ])('for "%s" is %s', (header, tag) => {
    expect(chooseLanguage(undefined, header).tag).toBe(tag);
  });

  test('is the requested one, whatever the browser prefers', () => {
    expect(chooseLanguage('de', 'en').tag).toBe('de');
    expect(chooseLanguage('fr', 'de').tag).toBe('de');
    expect(chooseLanguage(['de', 'en'], undefined).tag).toBe('en');
  });

  test('is an available one for any header', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (header) => {
        expect(languages).toContain(chooseLanguage(undefined, header));
      }),
    );
  });
});

describe('the website that opens a page in a frame', () => {
  test.each([
    'https://shop.example',
    'https://shop.example:8443',
    'https://xn--bcher-kva.example',
    'http://localhost:5173',
    'http://127.0.0.1:8080',
  ])('may be %s', (origin) => {
    expect(openerOf({ embed: '1', origin })).toBe(origin);
    expect(openerOf({ embed: '0', origin })).toBeNull();
    expect(openerOf({ embed: '1', origin: [origin] })).toBeNull();
  });

  test.each([
    'http://shop.example',
    'https://shop.example/',
    'https://*.example',
    '*',
    'null',
    "https://shop.example 'self'",
    'https://shop.example; script-src *',
    'https://shop.example,https://b.example',
    'https://user@shop.example',
    'https://SHOP.example',
    'https://shop.example:443',
    'https://shop.example:99999',
    'http://localhost.evil.example',
    'javascript:alert(1)',
    '',
  ])('is not %j', (origin) => {
    expect(openerOf({ embed: '1', origin })).toBeNull();
  });

  test('is nothing that a policy interprets differently from a browser', () => {
    const pieces = fc.constantFrom('https://', 'http://localhost', ':443', ':80', ..."a.*; ',/@\nä", '%2a');
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 6 }), (parts) => {
        const opener = openerOf({ embed: '1', origin: parts.join('') });
        if (opener === null) return;
        expect(opener).toMatch(/^https?:\/\/[a-z0-9.-]+(:\d+)?$/);
        expect(new URL(opener).origin).toBe(opener);
      }),
      { numRuns: 2000 },
    );
  });
});

test('a name cannot break out of its bidi isolation', () => {
  const marks = fc.constantFrom('\u2066', '\u2067', '\u2068', '\u2069', '\u202a', '\u202e', 'a', 'ש');
  fc.assert(
    fc.property(fc.string({ unit: marks }), (name) => {
      expect(bidiIsolate(name)).toMatch(/^\u2068[^\u2066-\u2069\u202a-\u202e]*\u2069$/);
    }),
  );
});
