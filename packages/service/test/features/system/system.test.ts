import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { breadth, mainEngine } from '#harness/engines.js';
import { givenService, givenSharedService } from '#harness/givenService.js';
import { startTestService } from '#harness/service.js';

const METRICS_TOKEN = 'metrics-token-of-the-tests';

describe.each(breadth)('system addresses on %s', (engine) => {
  const service = givenSharedService(engine);
  const guarded = givenService(engine, { env: { METRICS_TOKEN } });

  const read = (path: string, headers?: Record<string, string>) =>
    service.request('GET', path, { key: null, headers });

  test.each(['/health', '!/health'])('%s answers while the process lives', async (path) => {
    expect(await read(path)).toMatchObject({ status: 200, body: { status: 'ok' } });
  });

  test.each(['/health/ready', '!/health/ready'])(
    '%s answers 200 while requests can be served',
    async (path) => {
      const database = { status: 'ok', latencyMs: expect.any(Number), unreachableGroups: 0 };
      expect(await read(path)).toMatchObject({
        status: 200,
        body: { status: 'ready', checks: { database } },
      });
    },
  );

  test.each(['/status.json', '!/status.json'])('%s has checks, history and storage', async (path) => {
    const { status, body } = await read(path);
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['status', 'checks', 'history', 'processes', 'storage']);
    expect(Object.keys(body.history)).toEqual(['24h', '7d']);
    expect(body.storage).toMatchObject({ engine, durability: expect.stringContaining('power') });
  });

  test('the description of the API is the same in both places', async () => {
    const [below, atRoot] = [await read('/openapi.json'), await read('!/openapi.json')];
    expect(below.body).toEqual(atRoot.body);
    expect(below.body.openapi).toBe('3.1.1');
  });

  test('metrics are open to this machine and name routes without ids', async () => {
    const line =
      /^http_requests_total\{method="GET",route="\/api\/v1\/users\/:id\/score",status="404"\} (\d+)$/m;
    const countIn = (text: string) => Number(line.exec(text)?.[1] ?? 0);
    const before = countIn((await read('!/metrics')).text);
    await service.request('GET', '/users/subject-of-a-scrape/score');
    const { status, headers, text } = await read('!/metrics');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toContain('text/plain');
    expect(countIn(text)).toBe(before + 1);
    for (const name of ['recompute_queue_depth', 'job_queue_depth', 'ledger_events_appended_total'])
      expect(text).toMatch(new RegExp(`^${name} \\d+$`, 'm'));
    expect(text).not.toContain('subject-of-a-scrape');
  });

  test.each(['X-Forwarded-For', 'Forwarded', 'Via', 'X-Real-IP', 'Origin'])(
    'metrics are closed to what a proxy or a browser on this machine asks for others (%s)',
    async (name) => {
      expect(await read('!/metrics', { [name]: 'https://stranger.test' })).toMatchObject({
        status: 403,
        body: { code: 'FORBIDDEN' },
      });
    },
  );

  // Not by fetch, which sends the Host of the address.
  const scrapeAs = async (host: string) => {
    const { hostname, port } = new URL(service.url);
    const scraped = get({ hostname, port, path: '/metrics', headers: { host } });
    const [answer] = (await once(scraped, 'response')) as [IncomingMessage];
    answer.resume();
    return answer.statusCode;
  };

  test.each(['localhost', 'LOCALHOST:3000', '127.0.0.1', '127.255.0.7:80', '[::1]', '[::1]:65535'])(
    'metrics are open under a name of this machine (Host: %s)',
    async (host) => expect(await scrapeAs(host)).toBe(200),
  );

  test.each([
    'rebound.example',
    'rebound.example:3000',
    'localhost.rebound.example',
    '127.0.0.1.rebound.example',
    '127.0.0.1@rebound.example',
    'rebound.example#localhost',
    '128.0.0.1',
    '[::2]',
    '0.0.0.0',
    'localhost:port',
  ])('metrics are closed to a page whose name leads to this machine (Host: %j)', async (host) => {
    expect(await scrapeAs(host)).toBe(403);
  });

  test.each<Record<string, string>>([
    { TRUST_PROXY: '1' },
    { TRUST_PROXY: '127.0.0.1' },
    { HOST: '0.0.0.0' },
    { HOST: '192.0.2.7' },
    { HOST: '::' },
  ])('without a token metrics are closed where a proxy can be in front (%j)', async (env) => {
    const exposed = await startTestService(engine, { env });
    const { status, body } = await exposed.request('GET', '!/metrics', { key: null });
    await exposed.close();
    expect([status, body.code]).toEqual([403, 'FORBIDDEN']);
    expect(body.error).toContain('Set METRICS_TOKEN');
  });

  test('with a token configured, metrics require it, also from this machine', async () => {
    const scrape = (headers?: Record<string, string>) =>
      guarded.request('GET', '!/metrics', { key: null, headers });
    expect(await scrape()).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } });
    expect(await scrape({ Authorization: 'Bearer wrong' })).toMatchObject({ status: 401 });
    const behindProxy = { Authorization: `Bearer ${METRICS_TOKEN}`, 'X-Forwarded-For': '203.0.113.7' };
    expect((await scrape(behindProxy)).status).toBe(200);
  });
});

describe('security.txt', () => {
  /** Of a service set up like this, at this moment. */
  const textOf = async (env: Record<string, string>, now: Date) => {
    const service = await startTestService(mainEngine, { env, clock: { now: () => now } });
    const answer = await service.request('GET', '!/.well-known/security.txt', { key: null });
    await service.close();
    return { answer, lines: answer.text.trimEnd().split('\n') };
  };
  const now = new Date('2026-05-04T12:34:56.789Z');

  test('names the contact, and an expiry in the future and within a year', async () => {
    const { answer, lines } = await textOf(
      { SECURITY_CONTACT: 'mailto:security@scores.example', BASE_URL: 'https://scores.example' },
      now,
    );
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(lines).toEqual([
      'Contact: mailto:security@scores.example',
      'Expires: 2026-10-31T00:00:00.000Z',
      'Preferred-Languages: en',
      'Canonical: https://scores.example/.well-known/security.txt',
    ]);
  });

  test('claims no canonical address that the format does not allow', async () => {
    const { lines } = await textOf({ SECURITY_CONTACT: 'https://scores.example/security' }, now);
    expect(lines.map((line) => line.split(': ')[0])).toEqual(['Contact', 'Expires', 'Preferred-Languages']);
  });

  test('is not found without a configured contact, and says how to set one', async () => {
    const { answer } = await textOf({}, now);
    expect([answer.status, answer.body.code]).toEqual([404, 'NOT_FOUND']);
    expect(answer.body.error).toContain('SECURITY_CONTACT');
  });
});
