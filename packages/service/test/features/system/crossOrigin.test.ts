import { describe, expect, test } from 'vitest';
import { mainEngine } from '#harness/engines.js';
import { givenSharedService } from '#harness/givenService.js';
import { routeTable } from '#harness/routeTable.js';
import { operationsOf } from '#kit/http/route.js';

const operations = operationsOf(routeTable());
const open = operations.filter(({ route }) => route.access.kind === 'public' && !route.sameOrigin);
const openPaths = new Set(open.map(({ path }) => path));
const closed = operations.filter(({ path }) => !openPaths.has(path));

const EXPOSED = ['ETag', 'RateLimit-Remaining', 'Retry-After', 'X-Request-Id', 'WWW-Authenticate'];

describe('scripts of other websites', () => {
  const preflight = (path: string, method: string) =>
    fetch(service.url + path.replace(/\{\w+\}/g, 'some'), {
      method: 'OPTIONS',
      headers: {
        Origin: 'https://wallet.example',
        'Access-Control-Request-Method': method,
        'Access-Control-Request-Headers': 'authorization,content-type',
      },
    });

  const service = givenSharedService(mainEngine);

  test.each(open)(
    'may request $method $path after a preflight that is not rate limited',
    async ({ path, method }) => {
      const answer = await preflight(path, method);
      const listed = (name: string) => answer.headers.get(name)?.split(', ') ?? [];
      expect([answer.status, await answer.text()]).toEqual([204, '']);
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
      expect(listed('access-control-allow-methods')).toContain(method);
      expect(listed('access-control-allow-headers')).toEqual(
        expect.arrayContaining(['Authorization', 'Content-Type', 'X-Request-Id']),
      );
      expect(Number(answer.headers.get('access-control-max-age'))).toBeGreaterThan(0);
      expect(answer.headers.get('ratelimit-limit')).toBeNull();
    },
  );

  test('cannot reach operations that need a key or the admin secret, or belong to pages of the service', async () => {
    for (const { path, method } of closed) {
      const answer = await preflight(path, method);
      expect([path, answer.status]).toEqual([path, 405]);
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  test('can read the headers of answers and errors, but nothing of pages for people', async () => {
    for (const path of ['/plans', '/verify/st_unknown']) {
      const { headers } = await service.request('GET', path, { key: null });
      expect(headers.get('access-control-allow-origin')).toBe('*');
      const exposed = headers.get('access-control-expose-headers')?.split(', ');
      expect(exposed).toEqual(expect.arrayContaining(EXPOSED));
    }
    const page = await service.request('GET', '!/confirm/some?token=x', { key: null });
    expect(page.headers.get('access-control-allow-origin')).toBeNull();
  });
});
