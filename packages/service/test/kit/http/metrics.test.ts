import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { fail } from '#domain/errors.js';
import { ok } from '#kit/http/answer.js';
import { createMetrics, observeRequests } from '#kit/http/metrics.js';
import { route } from '#kit/http/route.js';
import { line, serverOf } from './answered.js';

function serve(level: string) {
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level }, { write: (json) => void lines.push(JSON.parse(json)) });
  const throwing = () => {
    throw new Error('of the test');
  };
  const server = serverOf(
    {
      'GET /things/{id}': route({ ...line, handle: () => ok({ answered: true }) }),
      'GET /refused': route({ ...line, handle: () => fail('CONFLICT') }),
      'GET /broken': route({ ...line, handle: throwing }),
    },
    log,
  );
  const metrics = createMetrics();
  observeRequests(server, metrics, () => {});
  return { server, metrics, lines };
}

describe('metrics', () => {
  test('count answers by method, route pattern and status', async () => {
    const { server, metrics } = serve('silent');
    await server.inject('/api/v1/things/secret-subject?token=secret');
    await server.inject('/api/v1/things/another');
    await server.inject('/api/v1/refused');
    await server.inject('/nowhere/secret-place');
    const text = await metrics.registry.metrics();
    expect(text).toContain('http_requests_total{method="GET",route="/api/v1/things/:id",status="200"} 2');
    expect(text).toContain('http_requests_total{method="GET",route="/api/v1/refused",status="409"} 1');
    expect(text).toContain('http_requests_total{method="GET",route="unmatched",status="404"} 1');
    expect(text).toContain('http_request_duration_seconds_count{route="/api/v1/things/:id"} 2');
    expect(text).toContain('process_resident_memory_bytes');
    expect(text).not.toContain('secret');
  });

  test('of two apps in one process do not mix', async () => {
    const [first, second] = [serve('silent'), serve('silent')];
    await first.server.inject('/api/v1/things/1');
    expect(await second.metrics.registry.metrics()).not.toContain('things');
  });
});

describe('the access log', () => {
  test('has a line for every answer at debug, for every refusal at info, and never request data', async () => {
    const { server, lines } = serve('debug');
    await server.inject({
      url: '/api/v1/things/secret?token=secret',
      headers: { authorization: 'Bearer secret' },
    });
    await server.inject('/api/v1/refused?token=secret');
    expect(
      lines.map(({ level, method, route, status, msg }) => ({ level, method, route, status, msg })),
    ).toEqual([
      { level: 20, method: 'GET', route: '/api/v1/things/:id', status: 200, msg: 'request answered' },
      { level: 30, method: 'GET', route: '/api/v1/refused', status: 409, msg: 'request refused' },
      { level: 20, method: 'GET', route: '/api/v1/refused', status: 409, msg: 'request answered' },
    ]);
    expect(JSON.stringify(lines)).not.toContain('secret');
    expect(lines.every(({ requestId }) => typeof requestId === 'string')).toBe(true);
    expect(lines.filter(({ ms }) => typeof ms === 'number')).toHaveLength(2);
  });

  test('logs only refusals at info', async () => {
    const { server, lines } = serve('info');
    await server.inject('/api/v1/things/1');
    expect(lines).toEqual([]);
  });

  test('leaves failures to the place that logs their cause', async () => {
    const { server, lines } = serve('info');
    await server.inject('/api/v1/broken');
    expect(lines.map(({ level, msg }) => ({ level, msg }))).toEqual([{ level: 50, msg: 'request failed' }]);
  });
});
