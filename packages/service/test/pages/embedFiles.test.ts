import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mainEngine } from '#harness/engines.js';
import { startTestService, type TestService } from '#harness/service.js';

describe('the files for other websites', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(mainEngine, { env: { BASE_URL: 'https://scores.example/rated' } });
  });
  afterAll(() => service.close());
  const get = (path: string, headers = {}) => service.request('GET', path, { key: null, headers });

  test.each(['!/verify-embed.js', '!/trust-badge.js'])(
    '%s is small, open to every website and cacheable',
    async (path) => {
      const { status, headers, text } = await get(path);
      expect(status).toBe(200);
      expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8');
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
      expect(headers.get('cache-control')).toBe('public, max-age=300');
      expect(text.length).toBeLessThan(8192);
      // A classic script: module syntax would be a syntax error.
      expect(() => new Function(text)).not.toThrow();
      expect(text).not.toMatch(/\beval\b|innerHTML|document\.write|\.cookie|localStorage|sessionStorage/);
      const again = await get(path, { 'If-None-Match': headers.get('etag') ?? '' });
      expect([again.status, again.text]).toEqual([304, '']);
    },
  );

  test.each(['!/docs/verify-embed', '!/docs/trust-badge'])(
    '%s shows HTML to copy, with this address',
    async (path) => {
      const { status, headers, text } = await get(path);
      expect(status).toBe(200);
      expect(headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; .*frame-ancestors 'none'$/,
      );
      expect(headers.get('content-security-policy')).not.toContain('unsafe');
      expect(text).toContain(`src=&quot;https://scores.example/rated${path.replace('!/docs', '')}.js&quot;`);
      expect(text).toContain('<code>script-src https://scores.example</code>');
      expect((await get('!/docs')).text).toContain(`href="${path.slice(2)}"`);
    },
  );
});
