import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { freePort } from '#harness/freePort.js';
import { issuerEnv, startIssuer, type TestIssuer } from '#harness/issuer.js';
import { startTestService, type TestService } from '#harness/service.js';
import { asConsole, bodyOf, FROM_CONSOLE, signIn } from '../../console/consoleFixtures.js';
import { asking } from '../attestation/confirmationFixtures.js';
import { added, failureIn, newBrowser, signInThrough, statusAs } from './issuerFixtures.js';
import { HOUR_MS, mint, movableClock, newPlatform } from './keyFixtures.js';

describe.each(breadth)('a user of the console on %s', (engine) => {
  const clock = movableClock();
  let issuer: TestIssuer;
  let service: TestService;
  let other: TestService;
  beforeAll(async () => {
    const port = await freePort();
    issuer = await startIssuer([port]);
    const env = issuerEnv(issuer.url, port);
    service = await startTestService(engine, { clock, port, env });
    // A second process on the same database.
    other = engine === 'pglite' ? service : await startTestService(engine, { clock, db: service.db, env });
  });
  afterAll(async () => {
    if (other !== service) await other.close();
    await service.close();
    await issuer.close();
  });

  let count = 0;
  /** Somebody whom the issuer knows, and who was added with the role. */
  async function person(role: string, key?: string) {
    count += 1;
    const name = `person${count}`;
    const email = `${name}@example.com`;
    issuer.people.set(name, { email, email_verified: true });
    const user = await added(service, email, role, key);
    return { ...user, name };
  }
  async function signedInAs(role: string, key?: string) {
    const user = await person(role, key);
    return { ...user, ...(await signInThrough(service, user.name)) };
  }
  const call = (cookie: string, method: string, path: string, body?: object, headers = FROM_CONSOLE) =>
    asConsole(service.url, cookie, path, { method, headers, ...(body && { body }) });
  const outcomeOf = (userId: string) => ({ userId, eventType: 'TRANSACTION_COMPLETED' });
  const change = (id: string, method: string, body?: object) =>
    service.request(method, `/platform/users/${id}`, body && { body });

  test('signs in with a verified address, lands on the view that was asked for, and is named in the activity log', async () => {
    const { name, email, id } = await person('support');
    const { url, cookie } = await signInThrough(service, name, { to: '/book?band=Good' });
    expect(url).toBe(`${service.url}/console/book?band=Good`);
    const session = await bodyOf(await asConsole(other.url, cookie, '/session'));
    expect(session).toMatchObject({
      kind: 'user',
      person: { email, userId: id, role: 'support' },
      platform: { id: service.platformId, name: 'Default' },
      mode: null,
      issuer: new URL(issuer.url).host,
    });
    const asked = await call(cookie, 'POST', '/confirmations', asking({ userId: 'asked-by-a-person' }));
    expect(asked.status).toBe(201);
    expect((await call(cookie, 'POST', '/events', outcomeOf('reported-by-a-person'))).status).toBe(201);
    const events = [outcomeOf('reported-by-a-person'), { eventType: 'no such' }];
    expect((await call(cookie, 'POST', '/events/batch', { events })).status).toBe(200);
    const { body } = await service.request('GET', '/activity?limit=100');
    const own = body.activity.filter((entry: { actor: string }) => entry.actor === `user:${email}`);
    expect(own.map((entry: { action: string }) => entry.action)).toEqual([
      'EVENT_CREATED',
      'EVENT_CREATED',
      'CONFIRMATION_REQUEST_CREATED',
      'CONSOLE_SIGNED_IN',
    ]);
    const listed = (await service.request('GET', '/platform/users')).body.users;
    expect(listed.find((user: { id: string }) => user.id === id).lastSignedInAt).not.toBeNull();
  });

  test('may do what the role may, and no more', async () => {
    const tried = async (role: string) => {
      const { cookie } = await signedInAs(role);
      const calls: [string, string, object?][] = [
        ['GET', '/users'],
        ['GET', '/platform/keys'],
        ['GET', '/platform/users'],
        ['POST', '/events', outcomeOf(`by-${role}`)],
        ['POST', '/confirmations', asking()],
        ['POST', '/platform/keys', { label: 'from the console' }],
        ['POST', '/platform/users', { email: `of-${role}@example.com`, role: 'viewer' }],
        ['PATCH', '/platform', { maxKeyLifetimeDays: null }],
        ['GET', '/admin/platforms'],
      ];
      const answers = [];
      for (const [method, path, body] of calls) answers.push((await call(cookie, method, path, body)).status);
      return answers;
    };
    expect(await tried('viewer')).toEqual([200, 200, 200, 403, 403, 403, 403, 403, 403]);
    expect(await tried('support')).toEqual([200, 200, 200, 201, 201, 403, 403, 403, 403]);
    expect(await tried('admin')).toEqual([200, 200, 200, 201, 201, 201, 201, 200, 403]);
    const { cookie } = await signedInAs('viewer');
    const refused = await bodyOf(await call(cookie, 'POST', '/webhooks', {}));
    expect(refused).toMatchObject({
      code: 'SCOPE_INSUFFICIENT',
      error: expect.stringContaining('Your role'),
    });
  });

  test('sees both modes, and each request names one', async () => {
    const { cookie } = await signedInAs('admin');
    const inTest = { ...FROM_CONSOLE, 'X-Console-Mode': 'test' };
    expect((await call(cookie, 'POST', '/events', outcomeOf('only-in-test'), inTest)).status).toBe(201);
    const found = async (path: string, headers = FROM_CONSOLE) => {
      const answer = await fetch(service.url + path, { headers: { Cookie: cookie, ...headers } });
      return (await bodyOf(answer)).users.length;
    };
    expect(await found('/console/api/users?q=only-in-test', inTest)).toBe(1);
    expect(await found('/console/api-test/users?q=only-in-test')).toBe(1);
    expect(await found('/console/api/users?q=only-in-test')).toBe(0);
    const neither = { ...FROM_CONSOLE, 'X-Console-Mode': 'both' };
    expect((await call(cookie, 'GET', '/users', undefined, neither)).status).toBe(403);
  });

  test.each<[string, (id: string) => Promise<unknown>]>([
    ['is removed', (id) => change(id, 'DELETE')],
    ['gets another role', (id) => change(id, 'PATCH', { role: 'viewer' })],
  ])('who %s is signed out at once, in every process, with live streams', async (_, act) => {
    const { id, cookie } = await signedInAs('admin');
    expect(await statusAs(other, cookie)).toBe(200);
    const stream = await asConsole(other.url, cookie, '/events/stream');
    const ended = stream.text();
    await act(id);
    expect([stream.status, await statusAs(service, cookie)]).toEqual([200, 401]);
    await expect.poll(() => statusAs(other, cookie)).toBe(401);
    expect(await ended).toContain(':');
  });

  test('who keeps the role stays signed in, and who was removed cannot come back', async () => {
    const { id, name, cookie } = await signedInAs('support');
    expect((await change(id, 'PATCH', { role: 'support' })).status).toBe(200);
    expect(await statusAs(service, cookie)).toBe(200);
    expect((await change(id, 'DELETE')).status).toBe(204);
    const again = await signInThrough(service, name);
    expect([failureIn(again), again.cookie.includes('reliability_session')]).toEqual(['unknown', false]);
    expect((await change(id, 'DELETE')).status).toBe(404);
  });

  test('is signed out when the platform is closed, and stays out when it opens again', async () => {
    const { platformId, live } = await newPlatform(service);
    const { name, cookie } = await signedInAs('admin', live.key);
    expect(await statusAs(service, cookie)).toBe(200);
    const set = (isActive: boolean) =>
      service.request('PATCH', `/admin/platforms/${platformId}`, { admin: true, body: { isActive } });
    await set(false);
    expect(await statusAs(service, cookie)).toBe(401);
    expect(failureIn(await signInThrough(service, name))).toBe('unknown');
    await set(true);
    expect(await statusAs(service, cookie)).toBe(401);
    expect(failureIn(await signInThrough(service, name))).toBeUndefined();
  });

  test('of several platforms chooses one after the sign-in, and can change it', async () => {
    const { platformId, live } = await newPlatform(service, { name: 'Harbour Homes' });
    const first = await person('viewer');
    const second = await added(service, first.email.toUpperCase(), 'admin', live.key);
    const { cookie } = await signInThrough(service, first.name);
    const choose = async (userId: string, headers: Record<string, string> = FROM_CONSOLE) => {
      const answer = await fetch(`${service.url}/console/session`, {
        method: 'PATCH',
        headers: { Cookie: cookie, 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify({ userId }),
      });
      return [answer.status, await bodyOf(answer)] as const;
    };
    expect(await statusAs(service, cookie)).toBe(403);
    const session = await bodyOf(await asConsole(service.url, cookie, '/session'));
    expect(session).toMatchObject({ kind: 'user', platform: null, person: { userId: null, role: null } });
    expect(session.choices.map(({ userId }: { userId: string }) => userId).sort()).toEqual(
      [first.id, second.id].sort(),
    );
    expect(await choose(second.id)).toMatchObject([200, { platform: { id: platformId }, scopes: [] }]);
    expect((await call(cookie, 'POST', '/events', outcomeOf('there'))).status).toBe(201);
    expect(await choose(first.id)).toMatchObject([200, { platform: { id: service.platformId } }]);
    expect((await call(cookie, 'POST', '/events', outcomeOf('here'))).status).toBe(403);
    const stranger = await person('admin');
    expect((await choose(stranger.id))[0]).toBe(404);
    expect((await choose(second.id, { 'Sec-Fetch-Site': 'cross-site' }))[0]).toBe(403);
    // Of the two only this one was removed: the person stays signed in where they are.
    await service.request('DELETE', `/platform/users/${second.id}`, { key: live.key });
    expect([await statusAs(service, cookie), (await choose(second.id))[0]]).toEqual([200, 404]);
  });

  test('of the operator does the operator’s work under their own name, within the role', async () => {
    issuer.people.set('ops', { email: 'ops@example.com', email_verified: true });
    const asOperator = (method: string, path: string, body?: object) =>
      service.request(method, `/admin/users${path}`, { admin: true, ...(body && { body }) });
    const { id } = (await asOperator('POST', '', { email: 'Ops@Example.com', role: 'admin' })).body;
    expect((await asOperator('POST', '', { email: 'ops@example.com', role: 'viewer' })).body.code).toBe(
      'CONFLICT',
    );
    expect((await asOperator('GET', '')).body.users).toMatchObject([{ id, email: 'ops@example.com' }]);
    const { platformId, live } = await newPlatform(service);
    const rename = (cookie: string, name: string) =>
      call(cookie, 'PATCH', `/admin/platforms/${platformId}`, { name });
    const admin = await signInThrough(service, 'ops');
    expect((await rename(admin.cookie, 'Renamed')).status).toBe(200);
    const view = { ...FROM_CONSOLE, 'X-Console-Platform': platformId };
    expect((await call(admin.cookie, 'GET', '/users', undefined, view)).status).toBe(200);
    const { activity } = (await service.request('GET', '/activity', { key: live.key })).body;
    expect(activity.slice(0, 2)).toMatchObject([
      { action: 'CONSOLE_VIEWED_AS_PLATFORM', actor: 'user:ops@example.com' },
      { action: 'PLATFORM_UPDATED', actor: 'user:ops@example.com' },
    ]);
    await asOperator('PATCH', `/${id}`, { role: 'support' });
    expect(await statusAs(service, admin.cookie, '/admin/platforms')).toBe(401);
    const { cookie } = await signInThrough(service, 'ops');
    expect(await statusAs(service, cookie, '/admin/platforms')).toBe(200);
    expect((await rename(cookie, 'Again')).status).toBe(403);
    expect((await asOperator('DELETE', `/${id}`)).status).toBe(204);
    expect(await statusAs(service, cookie, '/admin/platforms')).toBe(401);
  });

  test('is added once for an address, whatever its case, and only by who may do as much', async () => {
    const { key } = (await mint(service, service.liveKey, { scopes: ['admin'] })).body;
    const bound = (await mint(service, service.liveKey, { allowedCidrs: ['127.0.0.0/8'] })).body;
    const add = (email: string, role: string, by = service.liveKey) =>
      service.request('POST', '/platform/users', { key: by, body: { email, role } });
    expect((await add('Grace@Example.com', 'viewer')).body).toMatchObject({
      email: 'grace@example.com',
      role: 'viewer',
    });
    const codes = [];
    codes.push((await add('gracE@example.com', 'admin')).body.code);
    codes.push((await add('eve@example.com', 'admin', key)).body.code);
    codes.push((await add('eve@example.com', 'viewer', bound.key)).body.code);
    codes.push((await add('eve@example.com', 'viewer', service.testKey)).body.code);
    codes.push((await add('eve', 'viewer')).body.code);
    codes.push((await add('eve@example.com', 'owner')).body.code);
    expect(codes).toEqual([
      'CONFLICT',
      'SCOPE_CEILING_EXCEEDED',
      'SCOPE_CEILING_EXCEEDED',
      'TEST_MODE_NOT_ALLOWED',
      'VALIDATION_ERROR',
      'VALIDATION_ERROR',
    ]);
    const claim = { 'Idempotency-Key': 'adds-a-user-once' };
    const once = { body: { email: 'once@example.com', role: 'viewer' }, headers: claim };
    const [made, replayed] = [
      await service.request('POST', '/platform/users', once),
      await service.request('POST', '/platform/users', once),
    ];
    expect([made.status, replayed.body]).toEqual([201, made.body]);
  });

  test('goes with the leaked key that added them, and with them the keys that they made', async () => {
    const leaked = (await mint(service, service.liveKey)).body;
    const { id, cookie } = await signedInAs('admin', leaked.key);
    const made = await bodyOf(await call(cookie, 'POST', '/platform/keys', { label: 'kept by a thief' }));
    expect(made.createdBy).toMatch(/^user:/);
    const revoked = await service.request('DELETE', `/platform/keys/${leaked.id}?cascade=true`);
    expect(revoked.body.descendantsRevoked).toBe(1);
    expect(await statusAs(service, cookie)).toBe(401);
    expect((await service.request('GET', '/platform', { key: made.key })).status).toBe(401);
    expect((await change(id, 'DELETE')).status).toBe(404);
  });

  test('is signed out after the same times as a key, at the sign-out, and when the browser signs in again', async () => {
    const first = await signedInAs('viewer');
    const browser = newBrowser();
    for (const [cookie, value] of first.browser.jar) browser.jar.set(cookie, value);
    const again = await signInThrough(service, first.name, { browser });
    expect([await statusAs(service, first.cookie), await statusAs(service, again.cookie)]).toEqual([
      401, 200,
    ]);
    await fetch(`${service.url}/console/session`, { method: 'DELETE', headers: { Cookie: again.cookie } });
    expect(await statusAs(service, again.cookie)).toBe(401);
    const { cookie } = await signedInAs('viewer');
    clock.aheadMs += HOUR_MS / 2;
    expect(await statusAs(service, cookie)).toBe(401);
    clock.aheadMs = 0;
  });

  test('needs no key, and a sign-in with a key works as before', async () => {
    expect((await signIn(service.url, service.liveKey)).status).toBe(204);
    const nobody = await asConsole(service.url, '', '/session');
    expect((await bodyOf(nobody)).details).toEqual({ issuer: new URL(issuer.url).host });
  });
});
