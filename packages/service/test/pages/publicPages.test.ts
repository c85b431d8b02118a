import { gzipSync } from 'node:zlib';
import { model } from '@reliability/scoring';
import { describe, expect, test } from 'vitest';
import { mainEngine } from '#harness/engines.js';
import { givenService } from '#harness/givenService.js';
import { headingOf } from './hostedFixtures.js';

const env = { BASE_URL: 'https://scores.example/rated' };
const service = givenService(mainEngine, { env });
const get = (path: string, headers = {}) => service.request('GET', `!${path}`, { key: null, headers });
const UNSAFE = /\beval\b|innerHTML|document\.write|\.cookie|localStorage|sessionStorage/;

describe.each([
  {
    path: '/check',
    script: 'check.js',
    maxBytes: 60_000,
    english: 'Is it genuine?',
    german: 'Ist das echt?',
  },
  { path: '/how', script: 'how.js', maxBytes: 20_000, english: '64.99', german: '64,99' },
])('the page $path', ({ path, script, maxBytes, english, german }) => {
  test('loads its own script alone, and has no script or style in its HTML that the policy does not name', async () => {
    const { status, headers, text } = await get(path);
    expect(status).toBe(200);
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-\S+' 'sha256-\S+'; script-src 'self';( connect-src 'self';)? base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/,
    );
    expect(text.match(/<script[^>]*>/g)).toEqual([`<script src="${script}" defer>`]);
    expect(text).not.toMatch(/ on\w+=|style=/);
  });

  test('is in the language of the reader', async () => {
    const asked = await get(path, { 'Accept-Language': 'de-AT' });
    expect(asked.headers.get('content-language')).toBe('de');
    expect(asked.headers.get('vary')).toContain('Accept-Language');
    expect(asked.text).toContain(german);
    expect((await get(`${path}?lang=en`, { 'Accept-Language': 'de' })).text).toContain(english);
  });

  test(`has a classic script of at most ${maxBytes} bytes gzipped, with a strong ETag`, async () => {
    const { status, headers, text } = await get(`/${script}`, { 'Accept-Encoding': 'gzip' });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(gzipSync(text).length).toBeLessThan(maxBytes);
    expect(() => new Function(text)).not.toThrow();
    expect(text).not.toMatch(UNSAFE);
    const etag = headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]+"$/);
    const again = await get(`/${script}`, { 'Accept-Encoding': 'gzip', 'If-None-Match': etag });
    expect([again.status, again.text]).toEqual([304, '']);
  });
});

test('/check explains itself without the script, which alone shows the form', async () => {
  const { text } = await get('/check');
  expect(text).toMatch(/<form id="check" class="slip" hidden/);
  expect(text).toContain('data-did="did:web:scores.example" data-log="scores.example/log"');
  expect(text).toContain('reliability verify');
  expect(text).toContain('/.well-known/did.json');
});

test('/how names every band, and shows an example that adds up without its script', async () => {
  const { text } = await get('/how');
  for (const { band } of model.bands) expect(text).toContain(`>${band}</span>`);
  const figures = [...text.matchAll(/<dd(?: data-figure="(\w+)")?>([+−]?[\d.]+)<\/dd>/g)];
  const numberOf = (name: string) =>
    Number(figures.find(([, figure]) => figure === name)?.[2]?.replace('−', '-'));
  const parts = ['completion', 'timeliness', 'disputes', 'verification', 'gate'].map(numberOf);
  const sum = parts.reduce((total, part) => total + part, model.anchor);
  expect(sum).toBeCloseTo(numberOf('total'), 8);
  expect(numberOf('year')).toBeGreaterThan(numberOf('twoYears'));
  expect((await get('/how.js')).text).not.toContain('fetch(');
});

describe('the page /status', () => {
  test('says what /status.json says, in words, in the language of the reader', async () => {
    const { body } = await get('/status.json');
    const headings: Record<string, string[]> = {
      operational: ['Everything works.', 'Alles funktioniert.'],
      degraded: ['Something is late.', 'Etwas verzögert sich.'],
    };
    const [english, german] = [await get('/status'), await get('/status', { 'Accept-Language': 'de' })];
    expect([headingOf(english), headingOf(german)]).toEqual(headings[body.status]);
    expect(german.headers.get('content-language')).toBe('de');
    expect(english.headers.get('cache-control')).toBe('no-store');
    expect(english.text).toMatch(/<dt>Requests .*?<dd class="ok">Works<\/dd>/);
    expect(english.text).toMatch(/Checked on <time datetime="\d{4}-\d\d-\d\dT/);
  });

  test('is loaded again by its reader, not by itself, and names no internals', async () => {
    const { text, headers } = await get('/status');
    expect(text).toContain('<a href="">Check again</a>');
    expect(text + [...headers.keys()].join()).not.toMatch(/http-equiv|refresh/);
    expect(text).not.toMatch(/postgres|pglite|treeSize|latency/i);
  });
});

describe.each(['/verify-embed', '/trust-badge'])('for other websites %s', (name) => {
  test('is a small script, open to every website and cacheable', async () => {
    const { status, headers, text } = await get(`${name}.js`);
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'public, max-age=300',
    });
    expect(text.length).toBeLessThan(8192);
    // A classic script: module syntax would be a syntax error.
    expect(() => new Function(text)).not.toThrow();
    expect(text).not.toMatch(UNSAFE);
    const again = await get(`${name}.js`, { 'If-None-Match': headers.get('etag') ?? '' });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  test('has a page with HTML to copy, with this address', async () => {
    const { status, headers, text } = await get(`/docs${name}`);
    expect(status).toBe(200);
    const policy = headers.get('content-security-policy');
    expect(policy).toMatch(/^default-src 'none'; .*frame-ancestors 'none'$/);
    expect(policy).not.toContain('unsafe');
    // Without the colours of code.
    const shown = text.replaceAll(/<\/?(?:span|em|i|b)>/g, '');
    expect(shown).toContain(`src=&quot;https://scores.example/rated${name}.js&quot;`);
    expect(text).toContain('<code>script-src https://scores.example</code>');
    expect((await get('/docs')).text).toContain(`href="docs${name}"`);
  });
});
