import { type Logger, pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { breadth, openTestDatabase, type TestDatabase } from '#harness/engines.js';
import { givenService } from '#harness/givenService.js';
import { startTestService, type TestAnswer, type TestService } from '#harness/service.js';
import { FROM_CONSOLE, signedIn } from '../../console/consoleFixtures.js';
import { outcome, report } from '../intake/eventFixtures.js';
import { mint, movableClock, newPlatform } from './keyFixtures.js';

/** A key is looked up again a second after it was found. */
const KEY_AGE_MS = 2000;

function limitsOf({ headers }: TestAnswer) {
  const number = (name: string) => (headers.has(name) ? Number(headers.get(name)) : null);
  return {
    limit: number('RateLimit-Limit'),
    remaining: number('RateLimit-Remaining'),
    reset: number('RateLimit-Reset'),
    policy: headers.get('RateLimit-Policy'),
  };
}

/** A platform of the smallest plan with its own limit. */
async function platformWith(service: TestService, changes: object = {}) {
  const { platformId: id, live, test: inTest } = await newPlatform(service, { plan: 'starter' });
  await service.request('PATCH', `/admin/platforms/${id}`, { admin: true, body: changes });
  return { id, live: live.key, test: inTest.key };
}

describe.each(breadth)('requests per minute of a platform on %s', (engine) => {
  const clock = movableClock();
  const service = givenService(engine, { clock });
  const listed = (key: string) => service.request('GET', '/events/export', { key });

  test('every answer to a platform, also an error, has its remaining requests', async () => {
    const { live } = await platformWith(service);
    const answers = [
      await listed(live),
      await service.request('GET', '/users/nobody/score', { key: live }),
      await service.request('GET', '/users?limit=0', { key: live }),
      await service.request('POST', '/events', { key: live, body: '{' }),
      await service.request('HEAD', '/events/export', { key: live }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 400, 400, 200]);
    answers.forEach((answer, index) => {
      const { reset, ...limits } = limitsOf(answer);
      expect(limits).toEqual({ limit: 120, remaining: 119 - index, policy: '120;w=60' });
      expect(reset).toBeGreaterThan(0);
      expect(reset).toBeLessThanOrEqual(60);
    });
  });

  test('a platform above its limit gets Retry-After; test traffic and other platforms are not limited', async () => {
    const [limited, other] = [
      await platformWith(service, { rateLimitPerMinute: 3 }),
      await platformWith(service),
    ];
    const second = (await mint(service, limited.live)).body.key;
    for (const key of [second, limited.live]) expect((await listed(key)).status).toBe(200);

    const refused = await listed(second);
    expect(refused.status).toBe(429);
    expect(refused.body).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', retryable: true });
    expect(limitsOf(refused)).toMatchObject({ limit: 3, remaining: 0 });
    expect(refused.headers.get('Retry-After')).toBe(refused.headers.get('RateLimit-Reset'));
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThanOrEqual(1);
    expect((await listed(limited.test)).status).toBe(200);
    expect((await listed(other.live)).status).toBe(200);
  });

  test('a refused request has no effect', async () => {
    const { id, live } = await platformWith(service, { rateLimitPerMinute: 1 });
    await listed(live);
    expect((await report(service, outcome(), { key: live })).status).toBe(429);
    expect(await service.db.query('select from event where platform_id = $1', [id])).toEqual([]);
  });

  test('a limit of 0 means no limit and no headers', async () => {
    const { live } = await platformWith(service, { rateLimitPerMinute: 0 });
    const answer = await listed(live);
    expect(answer.status).toBe(200);
    expect(limitsOf(answer)).toEqual({ limit: null, remaining: null, reset: null, policy: null });
  });

  test('a request without the scope counts for its platform, not its address', async () => {
    const { live } = await platformWith(service, { rateLimitPerMinute: 10 });
    const narrow = (await mint(service, live, { scopes: ['scores'] })).body.key;
    const refused = await listed(narrow);
    expect([refused.status, limitsOf(refused).remaining]).toEqual([403, 8]);
    expect(limitsOf(await listed(live)).remaining).toBe(7);
  });

  test('a key of a platform above its limit is not looked up, until a change of its platform', async () => {
    const { id, live } = await platformWith(service, { rateLimitPerMinute: 2 });
    for (let time = 0; time < 2; time += 1) expect((await listed(live)).status).toBe(200);
    expect((await listed(live)).status).toBe(429);
    clock.aheadMs += KEY_AGE_MS;
    // Behind the back of the service: a look-up would find no key.
    const setActive = (isActive: boolean) =>
      service.db.execute('update api_key set is_active = $2 where platform_id = $1', [id, isActive]);
    await setActive(false);
    const refused = await listed(live);
    expect([refused.status, limitsOf(refused)]).toMatchObject([429, { limit: 2, remaining: 0 }]);
    await setActive(true);
    const raised = { admin: true, body: { rateLimitPerMinute: 100 } };
    await service.request('PATCH', `/admin/platforms/${id}`, raised);
    expect((await listed(live)).status).toBe(200);
  });
});

describe.each(breadth)('requests per minute of an address on %s', (engine) => {
  let database: TestDatabase;
  let service: TestService;
  /** Limits are counted in memory: each test has its own process on one database. */
  const start = async (env: Record<string, string> = {}, log?: Logger) => {
    clock.aheadMs = 0;
    service = await startTestService(engine, { env, db: database.db, clock, ...(log && { log }) });
  };
  const clock = movableClock();
  const listed = (key: string) => service.request('GET', '/events/export', { key });
  const open = (headers?: Record<string, string>) => service.request('GET', '/plans', { key: null, headers });

  beforeAll(async () => {
    database = await openTestDatabase(engine);
  });
  afterEach(() => service.close());
  afterAll(() => database.close());

  test('open operations, wrong keys and unknown paths share the limit of their address', async () => {
    await start({ ANONYMOUS_RATE_LIMIT_PER_MINUTE: '7' });
    const headers = { 'X-Admin-Secret': 'a-secret-that-is-not-it' };
    const calls: [status: number, method: string, path: string, options: object][] = [
      [200, 'GET', '/plans', { key: null }],
      [401, 'GET', '/events/export', { key: null }],
      [401, 'GET', '/events/export', { key: `crd_live_${'x'.repeat(43)}` }],
      [401, 'GET', '/admin/platforms', { key: null, headers }],
      [404, 'GET', '/nowhere', { key: service.liveKey }],
      [405, 'PUT', '/events', { key: service.liveKey }],
      [400, 'GET', '!/%zz', { key: null }],
    ];
    for (const [index, [status, method, path, options]] of calls.entries()) {
      const answer = await service.request(method, path, options);
      const { remaining, policy } = limitsOf(answer);
      expect([answer.status, remaining, policy]).toEqual([status, 6 - index, '7;w=60']);
    }
    for (const [, method, path, options] of calls) {
      const { status, body, headers: sent } = await service.request(method, path, { ...options, key: null });
      expect([status, body.code]).toEqual([429, 'RATE_LIMIT_EXCEEDED']);
      expect(Number(sent.get('Retry-After'))).toBeGreaterThanOrEqual(1);
    }
  });

  test('tiles of the log have a limit of their own, ten times that of an address', async () => {
    await start({ ANONYMOUS_RATE_LIMIT_PER_MINUTE: '1' });
    await open();
    expect((await open()).status).toBe(429);
    const tile = () => service.request('GET', '!/log/tile/0/999', { key: null });
    const read: TestAnswer[] = [];
    for (let time = 0; time < 11; time += 1) read.push(await tile());
    expect(read.map(({ status }) => status)).toEqual([...Array(10).fill(404), 429]);
    expect(read.map((answer) => limitsOf(answer).remaining)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0]);
    expect((await service.request('GET', '!/log/checkpoint', { key: null })).status).toBe(429);
  });

  test('an address above its limit can still use a key that was used before, or the admin secret', async () => {
    await start({ ANONYMOUS_RATE_LIMIT_PER_MINUTE: '1' });
    expect((await listed(service.liveKey)).status).toBe(200);
    await open();
    expect((await open()).status).toBe(429);
    expect((await listed(service.liveKey)).status).toBe(200);
    clock.aheadMs += KEY_AGE_MS;
    expect((await listed(service.liveKey)).status).toBe(200);
    const operator = await service.request('GET', '/admin/platforms', { admin: true });
    expect([operator.status, limitsOf(operator).limit]).toEqual([200, 60_000]);
  });

  test('above the limit of an address, no key or session is looked up that was never found before', async () => {
    await start();
    const { live } = await platformWith(service);
    const cookie = await signedIn(service, live);
    const env = { ANONYMOUS_RATE_LIMIT_PER_MINUTE: '1', TRUST_PROXY: '1' };
    const other = await startTestService(engine, { env, db: database.db, clock });
    const from = async (address: string, headers: Record<string, string>, path = '/api/v1/usage') => {
      const all = { 'X-Forwarded-For': address, ...headers };
      return (await fetch(other.url + path, { headers: all })).status;
    };
    const asKey = { Authorization: `Bearer ${live}` };
    const asSession = { Cookie: cookie, ...FROM_CONSOLE };
    const inConsole = '/console/api/usage';
    await from('203.0.113.1', {}, '/api/v1/plans');
    expect(await from('203.0.113.1', asKey)).toBe(429);
    expect(await from('203.0.113.1', asSession, inConsole)).toBe(429);
    expect(await from('203.0.113.2', asKey)).toBe(200);
    expect(await from('203.0.113.2', asSession, inConsole)).toBe(200);
    clock.aheadMs += KEY_AGE_MS;
    expect(await from('203.0.113.1', asKey)).toBe(200);
    expect(await from('203.0.113.1', asSession, inConsole)).toBe(200);
    await other.close();
  });

  test('refusals are counted in the log, and have no lines of their own', async () => {
    const lines: { msg: string; [field: string]: unknown }[] = [];
    const log = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) });
    await start({}, log);
    const { live } = await platformWith(service, { rateLimitPerMinute: 3 });
    for (let time = 0; time < 13; time += 1) await listed(live);
    await service.request('GET', '/nowhere', { key: null });
    expect(lines.filter(({ msg }) => msg.includes('refused'))).toMatchObject([{ code: 'NOT_FOUND' }]);
    await service.close();
    expect(lines.filter(({ msg }) => msg.includes('refused for load'))).toMatchObject([
      { refused: { RATE_LIMIT_EXCEEDED: 10 } },
    ]);
    await start(); // closed after each test
  });

  test('health, readiness and metrics have no limit', async () => {
    await start({ ANONYMOUS_RATE_LIMIT_PER_MINUTE: '1' });
    await open();
    for (const path of ['!/health', '!/health/ready', '/health', '/health/ready', '!/metrics']) {
      for (let time = 0; time < 3; time += 1) {
        const answer = await service.request('GET', path, { key: null });
        expect([path, answer.status, limitsOf(answer).limit]).toEqual([path, 200, null]);
      }
    }
  });

  test('X-Forwarded-For is ignored unless a proxy is trusted', async () => {
    await start({ ANONYMOUS_RATE_LIMIT_PER_MINUTE: '50' });
    const left = [];
    for (const last of [1, 2])
      left.push(limitsOf(await open({ 'X-Forwarded-For': `203.0.113.${last}` })).remaining);
    expect(left).toEqual([49, 48]);
  });

  test.each(['1', '127.0.0.0/8', '::1, 127.0.0.1'])(
    'behind a proxy trusted as %s each caller has its own limit, and addresses claimed by callers are ignored',
    async (trusted) => {
      await start({ ANONYMOUS_RATE_LIMIT_PER_MINUTE: '50', TRUST_PROXY: trusted });
      for (const [forwarded, remaining] of [
        ['203.0.113.1', 49],
        ['203.0.113.2', 49],
        ['203.0.113.1', 48],
        ['198.51.100.9, 203.0.113.1', 47],
        ['2001:db8:7:7::1', 49],
        ['2001:db8:7:7::2', 48],
      ] as const) {
        expect(limitsOf(await open({ 'X-Forwarded-For': forwarded })).remaining).toBe(remaining);
      }
    },
  );
});
