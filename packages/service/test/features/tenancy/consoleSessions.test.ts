import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breadth, mainEngine } from '#harness/engines.js';
import { startTestService, type TestService } from '#harness/service.js';
import {
  asConsole,
  bodyOf,
  cookieOf,
  FROM_CONSOLE,
  signedIn,
  signIn,
} from '../../console/consoleFixtures.js';
import { outcome, report } from '../intake/eventFixtures.js';
import { HOUR_MS, mint, movableClock, newPlatform } from './keyFixtures.js';

describe.each(breadth)('a session of the console on %s', (engine) => {
  const clock = movableClock();
  let service: TestService;
  let other: TestService;
  beforeAll(async () => {
    service = await startTestService(engine, { clock });
    // A second process on the same database.
    other = engine === 'pglite' ? service : await startTestService(engine, { clock, db: service.db });
  });
  afterAll(async () => {
    if (other !== service) await other.close();
    await service.close();
  });
  const status = async (cookie: string, path = '/users') =>
    (await asConsole(service.url, cookie, path)).status;
  const actions = async (key = service.liveKey) =>
    (await service.request('GET', '/activity', { key })).body.activity.map(
      ({ action }: { action: string }) => action,
    );
  const minted = async (body: object = {}) => (await mint(service, service.liveKey, body)).body;
  const signOut = (cookie: string, headers: Record<string, string> = {}) =>
    fetch(`${service.url}/console/session`, { method: 'DELETE', headers: { Cookie: cookie, ...headers } });
  const write = (cookie: string, userId: string, headers: Record<string, string> = FROM_CONSOLE) => {
    const body = { userId, eventType: 'TRANSACTION_COMPLETED' };
    return asConsole(service.url, cookie, '/events', { method: 'POST', body, headers });
  };

  test('can do what its key can, in every process, and says who is signed in', async () => {
    const cookie = await signedIn(service, service.liveKey);
    expect(await status(cookie)).toBe(200);
    expect((await asConsole(other.url, cookie, '/users')).status).toBe(200);
    const session = await asConsole(other.url, cookie, '/session');
    const platform = { id: service.platformId, name: 'Default' };
    expect(await session.json()).toMatchObject({ kind: 'key', mode: 'live', platform, scopes: [] });
    expect((await write(cookie, 'written-in-the-console')).status).toBe(201);
    expect((await service.request('GET', '/users?q=written-in')).body.users).toHaveLength(1);
    expect(await actions()).toContain('CONSOLE_SIGNED_IN');
  });

  test('cannot do more than its key', async () => {
    const { key } = await minted({ scopes: ['scores:read'] });
    const cookie = await signedIn(service, key);
    expect(await status(cookie)).toBe(200);
    const refused = await asConsole(service.url, cookie, '/webhooks');
    expect([refused.status, (await bodyOf(refused)).code]).toEqual([403, 'SCOPE_INSUFFICIENT']);
    expect(await status(cookie, '/admin/platforms')).toBe(403);
  });

  test('sets a cookie that scripts and other sites do not get', async () => {
    const answer = await signIn(service.url, service.testKey);
    expect(answer.headers.get('set-cookie')).toMatch(
      /^reliability_session_\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    const token = cookieOf(answer).split('=')[1] ?? '';
    const [stored] = await service.db.query<{ row: string }>(
      'select console_session::text as row from console_session',
    );
    expect(stored?.row).not.toContain(token);
  });

  test('opens the addresses of the console alone: its cookie is no key of /api/v1', async () => {
    const cookie = await signedIn(service, service.liveKey);
    for (const path of ['/api/v1/users', '/api/v1/session', '/api/v1/console/api/users']) {
      const answer = await fetch(service.url + path, { headers: { Cookie: cookie, ...FROM_CONSOLE } });
      expect([path, answer.status]).toEqual([path, path === '/api/v1/users' ? 401 : 404]);
    }
    const operators = await signedIn(service, service.adminSecret);
    const admin = await fetch(`${service.url}/api/v1/admin/platforms`, { headers: { Cookie: operators } });
    expect(admin.status).toBe(401);
  });

  test('is not opened by a key or the admin secret in a header, nor used beside one', async () => {
    const cookie = await signedIn(service, service.liveKey);
    const bearer = { Authorization: `Bearer ${service.liveKey}`, ...FROM_CONSOLE };
    expect((await asConsole(service.url, '', '/users', { headers: bearer })).status).toBe(401);
    expect((await asConsole(service.url, cookie, '/users', { headers: bearer })).status).toBe(401);
    const admin = { 'X-Admin-Secret': service.adminSecret, ...FROM_CONSOLE };
    expect((await asConsole(service.url, '', '/admin/platforms', { headers: admin })).status).toBe(401);
    expect(await status('')).toBe(401);
    expect(await status(`${cookie.split('=')[0]}=${'x'.repeat(43)}`)).toBe(401);
  });

  test.each<[string, Record<string, string>]>([
    ['from another site', { 'Sec-Fetch-Site': 'cross-site', 'X-Console': '1' }],
    ['from a neighbouring site', { 'Sec-Fetch-Site': 'same-site', 'X-Console': '1' }],
    ['typed into the address', { 'Sec-Fetch-Site': 'none', 'X-Console': '1' }],
    ['without the header of the console', { 'Sec-Fetch-Site': 'same-origin' }],
    ['without Sec-Fetch-Site', { 'X-Console': '1' }],
    ['from another origin without Sec-Fetch-Site', { 'X-Console': '1', Origin: 'http://evil.example' }],
  ])('refuses a write %s', async (_, headers) => {
    const cookie = await signedIn(service, service.liveKey);
    const refused = await write(cookie, 'forged', headers);
    expect([refused.status, (await bodyOf(refused)).code]).toEqual([403, 'FORBIDDEN']);
    expect((await service.request('GET', '/users?q=forged')).body.users).toEqual([]);
  });

  test('takes writes from its own origin over http, where browsers send no Sec-Fetch-Site', async () => {
    const cookie = await signedIn(service, service.testKey);
    const headers = { 'X-Console': '1', Origin: service.url };
    expect((await write(cookie, 'plain-http', headers)).status).toBe(201);
  });

  test('lets no other site read, sign in or sign out, and answers no preflight', async () => {
    const cookie = await signedIn(service, service.liveKey);
    const foreign = { 'Sec-Fetch-Site': 'cross-site' };
    expect((await asConsole(service.url, cookie, '/users', { headers: foreign })).status).toBe(403);
    expect((await signIn(service.url, service.liveKey, foreign)).status).toBe(403);
    expect((await signOut(cookie, foreign)).status).toBe(403);
    expect(await status(cookie)).toBe(200);
    const preflight = { method: 'OPTIONS', headers: { Origin: 'https://evil.example' } };
    for (const path of ['/console/session', '/console/api/users']) {
      const answer = await fetch(service.url + path, preflight);
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  test('ends with its key: revoked, expired, or used from outside of its networks', async () => {
    const revoked = await minted();
    const cookie = await signedIn(service, revoked.key);
    expect(await status(cookie)).toBe(200);
    await service.request('DELETE', `/platform/keys/${revoked.id}`);
    expect(await status(cookie)).toBe(401);
    expect((await asConsole(service.url, cookie, '/session')).status).toBe(401);

    const shortLived = await minted();
    const end = new Date(clock.now().getTime() + 60_000);
    await service.db.execute('update api_key set expires_at = $2 where key_id = $1', [shortLived.id, end]);
    const short = await signedIn(service, shortLived.key);
    expect(await status(short)).toBe(200);
    clock.aheadMs += (1 / 59) * HOUR_MS;
    expect(await status(short)).toBe(401);

    const { key } = await minted({ allowedCidrs: ['192.0.2.0/24'] });
    expect((await signIn(service.url, key)).status).toBe(403);
  });

  test.each([
    ['thirty minutes after its last use', 3, 29, 30],
    ['after twelve hours, however much it is used', 35, 20, 20],
  ])('ends %s', async (_, rounds, minutesBetween, minutesAtLast) => {
    const cookie = await signedIn(service, service.liveKey);
    for (let round = 0; round < rounds; round += 1) {
      clock.aheadMs += (minutesBetween / 60) * HOUR_MS;
      expect(await status(cookie)).toBe(200);
    }
    clock.aheadMs += (minutesAtLast / 60) * HOUR_MS;
    expect(await status(cookie)).toBe(401);
  });

  test('ends at the sign-out, in every process', async () => {
    const cookie = await signedIn(service, service.liveKey);
    expect((await asConsole(other.url, cookie, '/users')).status).toBe(200);
    const out = await signOut(cookie);
    expect([out.status, out.headers.get('set-cookie')]).toEqual([204, expect.stringContaining('Max-Age=0')]);
    expect(await status(cookie)).toBe(401);
    await expect.poll(async () => (await asConsole(other.url, cookie, '/users')).status).toBe(401);
    expect(await actions()).toContain('CONSOLE_SIGNED_OUT');
  });

  test.each<[string, (service: TestService) => string]>([
    ['a key', ({ liveKey }) => liveKey],
    ['the admin secret', ({ adminSecret }) => adminSecret],
  ])('of %s ends when the same browser signs in again, in every process', async (_, secretOf) => {
    const first = await signedIn(service, secretOf(service));
    const others = await signedIn(service, secretOf(service));
    const isOpen = async (cookie: string, url = service.url) =>
      (await asConsole(url, cookie, '/session')).status === 200;
    expect([await isOpen(first), await isOpen(first, other.url)]).toEqual([true, true]);
    const refused = await signIn(service.url, 'a wrong secret', { ...FROM_CONSOLE, Cookie: first });
    expect([refused.status, await isOpen(first)]).toEqual([401, true]);
    const again = await signIn(service.url, service.testKey, { ...FROM_CONSOLE, Cookie: first });
    expect(again.status).toBe(204);
    expect(await isOpen(first)).toBe(false);
    await expect.poll(() => isOpen(first, other.url)).toBe(false);
    expect([await isOpen(cookieOf(again)), await isOpen(others)]).toEqual([true, true]);
  });

  test('ends its live streams at the sign-out', async () => {
    const cookie = await signedIn(service, service.liveKey);
    const stream = await asConsole(service.url, cookie, '/events/stream');
    expect(stream.status).toBe(200);
    const ended = stream.text();
    await signOut(cookie);
    expect(await ended).toContain(':');
  });

  describe('of the operator', () => {
    const as = (id: string, mode = 'live') => ({
      ...FROM_CONSOLE,
      'X-Console-Platform': id,
      'X-Console-Mode': mode,
    });

    test('opens the operations of the operator, and no data of a platform by itself', async () => {
      const cookie = await signedIn(service, service.adminSecret);
      expect(await status(cookie, '/admin/platforms')).toBe(200);
      expect(await status(cookie)).toBe(403);
      const session = await asConsole(service.url, cookie, '/session');
      expect(await session.json()).toMatchObject({ kind: 'operator', platform: null, mode: null });
    });

    test('looks at a platform without changing anything, and its activity log says so once', async () => {
      const { platformId, live } = await newPlatform(service);
      await report(service, outcome({ userId: 'theirs' }), live);
      const cookie = await signedIn(service, service.adminSecret);
      for (let round = 0; round < 3; round += 1) {
        const seen = await asConsole(service.url, cookie, '/users', { headers: as(platformId) });
        expect((await bodyOf(seen)).users).toMatchObject([{ externalId: 'theirs' }]);
      }
      const inTest = await asConsole(service.url, cookie, '/users', { headers: as(platformId, 'test') });
      expect((await bodyOf(inTest)).users).toEqual([]);
      expect((await write(cookie, 'theirs', as(platformId))).status).toBe(403);
      const looks = (await actions(live.key)).filter(
        (action: string) => action === 'CONSOLE_VIEWED_AS_PLATFORM',
      );
      expect(looks).toHaveLength(1);
      const quota = await service.request('GET', '/usage/quota', live);
      expect(quota.body.used).toBe(2); // its own event and look at the log: the operator's reads are not its usage
      const nowhere = await asConsole(service.url, cookie, '/users', { headers: as('no-platform') });
      expect(nowhere.status).toBe(404);
    });
  });
});

describe('the sign-in', () => {
  test('refuses wrong secrets, counts them against the network and says nothing about them', async () => {
    const service = await startTestService(mainEngine, { env: { ANONYMOUS_RATE_LIMIT_PER_MINUTE: '5' } });
    const wrong = [`crd_live_${'x'.repeat(43)}`, 'not-the-admin-secret', 'signin_guess', '', 'x'];
    const statuses = await Promise.all(
      wrong.map(async (secret) => (await signIn(service.url, secret)).status),
    );
    expect(statuses.sort()).toEqual([400, 401, 401, 401, 401]);
    expect((await signIn(service.url, service.liveKey)).status).toBe(429);
    await service.close();
  });

  test('does not end the session of a service on another port of the host', async () => {
    const ports = ['3000', '3900'];
    const services = await Promise.all(
      ports.map((port) => startTestService(mainEngine, { env: { BASE_URL: `http://localhost:${port}` } })),
    );
    // As a browser keeps and sends them: by name, whatever the port.
    const jar = new Map<string, string>();
    for (const { url, liveKey } of services) {
      const [name = '', token = ''] = cookieOf(await signIn(url, liveKey)).split('=');
      jar.set(name, token);
    }
    const cookies = [...jar].map((cookie) => cookie.join('=')).join('; ');
    for (const { url, close } of services) {
      expect((await asConsole(url, cookies, '/users')).status).toBe(200);
      await close();
    }
  });

  test('over https asks the browser for the strictest cookie', async () => {
    const service = await startTestService(mainEngine, { env: { BASE_URL: 'https://scores.example' } });
    const answer = await signIn(service.url, service.liveKey);
    expect(answer.headers.get('set-cookie')).toMatch(
      /^__Host-reliability_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
    );
    expect((await asConsole(service.url, cookieOf(answer), '/users')).status).toBe(200);
    await service.close();
  });
});
