import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '#harness/eventually.js';
import { startReceiver } from '#harness/receiver.js';
import { TEST_KEYS } from '#harness/service.js';
import { type ChildService, ready, startChild, stopped } from './childService.js';
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

/** A collector: takes OTLP over HTTP in JSON. */
class Collector {
  readonly spans: SentSpan[] = [];
  readonly texts: string[] = [];
  readonly headers: Record<string, unknown>[] = [];
  readonly #server: Server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    expect([request.method, request.url]).toEqual(['POST', '/v1/traces']);
    this.texts.push(text);
    this.headers.push(request.headers);
    const { resourceSpans } = JSON.parse(text);
    for (const { scopeSpans } of resourceSpans) for (const { spans } of scopeSpans) this.spans.push(...spans);
    response.setHeader('Content-Type', 'application/json').end('{}');
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  }

  close(): Promise<unknown> {
    return new Promise((resolve) => this.#server.close(resolve));
  }

  named(name: string): SentSpan[] {
    return this.spans.filter((span) => span.name === name);
  }
}

const attributeOf = (span: SentSpan | undefined, key: string) =>
  Object.values(span?.attributes.find((attribute) => attribute.key === key)?.value ?? {})[0];

describe('traces of a service that runs', () => {
  const collector = new Collector();
  let service: ChildService;
  let url: string;
  const traceId = 'a1b2c3d4e5f60718293a4b5c6d7e8f90';
  const callerSpan = '00f067aa0ba902b7';

  const send = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
    fetch(`${url}${path}`, {
      method,
      headers: { Authorization: `Bearer ${TEST_KEYS.live}`, 'Content-Type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });

  beforeAll(async () => {
    const [endpoint, receiver] = await Promise.all([collector.start(), startReceiver()]);
    service = startChild({
      DATA_DIR: newFolder(),
      BOOTSTRAP_LIVE_KEY: TEST_KEYS.live,
      BOOTSTRAP_TEST_KEY: TEST_KEYS.test,
      WEBHOOK_ALLOWED_PRIVATE_CIDRS: '127.0.0.1',
      OTEL_EXPORTER_OTLP_ENDPOINT: `${endpoint}/`,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=a%20b',
    });
    url = await ready(service);
    await send('POST', '/api/v1/webhooks', { url: receiver.url, events: ['score.updated'] });
    const event = { userId: 'subject-not-to-be-traced', eventType: 'CONTRACT_FULFILLED' };
    const headers = { traceparent: `00-${traceId}-${callerSpan}-01`, 'X-Request-Id': 'request-in-trace' };
    expect((await send('POST', '/api/v1/events', event, headers)).status).toBe(201);
    await send('GET', '/api/v1/users/subject-not-to-be-traced/score?secret=in-query');
    await eventually(() => receiver.received.length > 0);
    await receiver.close();
    // A stop delivers what is left.
    await stopped(service);
  });
  afterAll(async () => {
    await Promise.all([cleanUp(), collector.close()]);
  });

  test('have a span of each request, in the trace of the caller', () => {
    const [request] = collector.named('POST /api/v1/events');
    expect(request).toMatchObject({ traceId, parentSpanId: callerSpan, kind: 2 });
    expect(attributeOf(request, 'http.response.status_code')).toBe(201);
    expect(attributeOf(request, 'http.route')).toBe('/api/v1/events');
    expect(attributeOf(request, 'http.request.id')).toBe('request-in-trace');
    const [read] = collector.named('GET /api/v1/users/:id/score');
    expect(read?.traceId).not.toBe(traceId);
    expect(read?.parentSpanId ?? '').toBe('');
  });

  test('show the group of an event and its statements below the request', () => {
    const [request] = collector.named('POST /api/v1/events');
    const [group] = collector.named('append group');
    expect(group).toMatchObject({ traceId, parentSpanId: request?.spanId });
    expect(attributeOf(group, 'ledger.events')).toBe(1);
    const statements = collector.spans.filter(({ parentSpanId }) => parentSpanId === group?.spanId);
    expect(statements.map(({ name }) => name).join(' ')).toContain('insert event');
    expect(new Set(statements.map((span) => attributeOf(span, 'db.system.name')))).toEqual(
      new Set(['postgresql']),
    );
  });

  test('show the recompute with its statements, and the delivery with its result', () => {
    const recomputes = collector.named('recompute');
    expect(recomputes.length).toBeGreaterThan(0);
    const ids = new Set(recomputes.map(({ spanId }) => spanId));
    const names = collector.spans
      .filter(({ parentSpanId }) => ids.has(parentSpanId ?? ''))
      .map(({ name }) => name);
    expect(names.join(' ')).toContain('score');
    const [delivery] = collector.named('deliver');
    expect([attributeOf(delivery, 'delivery.kind'), attributeOf(delivery, 'delivery.result')]).toEqual([
      'webhook',
      'succeeded',
    ]);
  });

  test('name no subject, key, query or address of a receiver, and go to the collector with its headers', () => {
    const sent = collector.texts.join('\n');
    expect(sent).not.toMatch(/subject-not-to-be-traced|in-query|crd_live|127\.0\.0\.1/);
    expect(collector.headers.every((headers) => headers['x-tenant'] === 'a b')).toBe(true);
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
