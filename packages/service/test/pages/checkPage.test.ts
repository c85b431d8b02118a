import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mainEngine } from '#harness/engines.js';
import { startTestService, type TestService } from '#harness/service.js';

describe('the page /check', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(mainEngine, { env: { BASE_URL: 'https://scores.example' } });
  });
  afterAll(() => service.close());
  const get = (path: string, headers = {}) => service.request('GET', `!${path}`, { key: null, headers });

  test('loads its own script alone, and has no script or style in its HTML that the policy does not name', async () => {
    const { status, headers, text } = await get('/check');
    expect(status).toBe(200);
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-\S+' 'sha256-\S+'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/,
    );
    expect(text.match(/<script[^>]*>/g)).toEqual(['<script src="check.js" defer>']);
    expect(text).not.toMatch(/ on\w+=|style=/);
    expect(text).toContain('data-did="did:web:scores.example" data-log="scores.example/log"');
  });

  test('explains itself without the script, which alone shows the form', async () => {
    const { text } = await get('/check');
    expect(text).toMatch(/<form id="check" class="slip" hidden/);
    expect(text).toContain('reliability verify');
    expect(text).toContain('/.well-known/did.json');
  });

  test('is in the language of the reader', async () => {
    const german = await get('/check', { 'Accept-Language': 'de-AT' });
    expect(german.headers.get('content-language')).toBe('de');
    expect(german.text).toContain('Ist das echt?');
    expect((await get('/check?lang=en', { 'Accept-Language': 'de' })).text).toContain('Is it genuine?');
    expect(german.headers.get('vary')).toContain('Accept-Language');
  });

  test('its script is at most 60 kB gzipped, a classic script, and has a strong ETag', async () => {
    const { status, headers, text } = await get('/check.js', { 'Accept-Encoding': 'gzip' });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(gzipSync(text).length).toBeLessThan(60_000);
    expect(() => new Function(text)).not.toThrow();
    expect(text).not.toMatch(/\beval\b|innerHTML|document\.write|\.cookie|localStorage|sessionStorage/);
    const etag = headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]+"$/);
    const again = await get('/check.js', { 'Accept-Encoding': 'gzip', 'If-None-Match': etag });
    expect([again.status, again.text]).toEqual([304, '']);
  });
});
