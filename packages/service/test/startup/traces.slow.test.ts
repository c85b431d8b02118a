import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Receiver, startReceiver } from '#harness/receiver.js';
import { TEST_KEYS } from '#harness/service.js';
import { call } from '../crash/api.js';
import { ready, startChild, stopped } from './childService.js';
import { cleanUp, newFolder } from './places.js';

interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly { key: string; value: Record<string, unknown> }[];
  readonly status: { code?: number };
}

const attributeOf = (span: SentSpan | undefined, key: string) =>
  Object.values(span?.attributes.find((attribute) => attribute.key === key)?.value ?? {})[0];

describe('traces of a service that runs', () => {
  /** Takes OTLP over HTTP in JSON. */
  let collector: Receiver;
  let spans: SentSpan[];
  const traceId = 'a1b2c3d4e5f60718293a4b5c6d7e8f90';
  const callerSpan = '00f067aa0ba902b7';

  beforeAll(async () => {
    const receiver = await startReceiver();
    collector = await startReceiver();
    const headers = { 'Content-Type': 'application/json' };
    collector.react(() => ({ status: 200, headers, body: '{}' }));
    const service = startChild({
      DATA_DIR: newFolder(),
      BOOTSTRAP_LIVE_KEY: TEST_KEYS.live,
      BOOTSTRAP_TEST_KEY: TEST_KEYS.test,
      WEBHOOK_ALLOWED_PRIVATE_CIDRS: '127.0.0.1',
      OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=a%20b',
    });
    const url = await ready(service);
    const live = { Authorization: `Bearer ${TEST_KEYS.live}` };
    const post = (path: string, body: object, more = {}) =>
      call(url, 'POST', path, { headers: { ...live, ...more }, body: JSON.stringify(body) });
    await post('/webhooks', { url: receiver.url, events: ['score.updated'] });
    const event = { userId: 'subject-not-to-be-traced', eventType: 'CONTRACT_FULFILLED' };
    const traced = { traceparent: `00-${traceId}-${callerSpan}-01`, 'X-Request-Id': 'request-in-trace' };
    expect((await post('/events', event, traced)).status).toBe(201);
    await call(url, 'GET', '/users/subject-not-to-be-traced/score?secret=in-query', { headers: live });
    await receiver.waitFor(1);
    await receiver.close();
    // A stop delivers what is left.
    await stopped(service);
    expect(new Set(collector.received.map(({ method, path }) => `${method} ${path}`))).toEqual(
      new Set(['POST /v1/traces']),
    );
    const sent = collector.received.flatMap(({ body }) => JSON.parse(body).resourceSpans);
    spans = sent.flatMap(({ scopeSpans }) =>
      scopeSpans.flatMap((scope: { spans: SentSpan[] }) => scope.spans),
    );
  });
  afterAll(async () => {
    await Promise.all([cleanUp(), collector.close()]);
  });

  const named = (name: string) => spans.filter((span) => span.name === name);

  test('have a span of each request, in the trace of the caller', () => {
    const [request] = named('POST /api/v1/events');
    expect(request).toMatchObject({ traceId, parentSpanId: callerSpan, kind: 2 });
    expect(attributeOf(request, 'http.response.status_code')).toBe(201);
    expect(attributeOf(request, 'http.route')).toBe('/api/v1/events');
    expect(attributeOf(request, 'http.request.id')).toBe('request-in-trace');
    const [read] = named('GET /api/v1/users/:id/score');
    expect(read?.traceId).not.toBe(traceId);
    expect(read?.parentSpanId ?? '').toBe('');
  });

  test('show the group of an event and its statements below the request', () => {
    const [request] = named('POST /api/v1/events');
    const [group] = named('append group');
    expect(group).toMatchObject({ traceId, parentSpanId: request?.spanId });
    expect(attributeOf(group, 'ledger.events')).toBe(1);
    const statements = spans.filter(({ parentSpanId }) => parentSpanId === group?.spanId);
    expect(statements.map(({ name }) => name).join(' ')).toContain('insert event');
    expect(new Set(statements.map((span) => attributeOf(span, 'db.system.name')))).toEqual(
      new Set(['postgresql']),
    );
  });

  test('show the recompute with its statements, and the delivery with its result', () => {
    const recomputes = named('recompute');
    expect(recomputes.length).toBeGreaterThan(0);
    const ids = new Set(recomputes.map(({ spanId }) => spanId));
    const names = spans.filter(({ parentSpanId }) => ids.has(parentSpanId ?? '')).map(({ name }) => name);
    expect(names.join(' ')).toContain('score');
    const [delivery] = named('deliver');
    expect([attributeOf(delivery, 'delivery.kind'), attributeOf(delivery, 'delivery.result')]).toEqual([
      'webhook',
      'succeeded',
    ]);
  });

  test('name no subject, key, query or address of a receiver, and go to the collector with its headers', () => {
    const sent = collector.received.map(({ body }) => body).join('\n');
    expect(sent).not.toMatch(/subject-not-to-be-traced|in-query|crd_live|127\.0\.0\.1/);
    expect(new Set(collector.received.map(({ headers }) => headers['x-tenant']))).toEqual(new Set(['a b']));
    expect(sent).toContain('"reliability"');
  });
});

test('without a collector the packages are never loaded: the program imports them only when it starts to trace', () => {
  const folder = fileURLToPath(new URL('../../dist', import.meta.url));
  const parts = readdirSync(folder).filter((name) => name.endsWith('.js'));
  const program = parts.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
  expect(program).toContain('import("@opentelemetry/sdk-trace-base")');
  expect(program).not.toMatch(/^import [^\n]*@opentelemetry/m);
});
