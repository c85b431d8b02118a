import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { mainEngine } from '#harness/engines.js';
import { freePort } from '#harness/freePort.js';
import { type Faults, issuerEnv, startFaultyIssuer, startIssuer, type TestIssuer } from '#harness/issuer.js';
import { startTestService, type TestService } from '#harness/service.js';
import { signIn } from '../../console/consoleFixtures.js';
import { added, failureIn, newBrowser, signInThrough, statusAs } from './issuerFixtures.js';
import { HOUR_MS, movableClock } from './keyFixtures.js';

const CALLBACK = /\/console\/sign-in\/callback\?/;

describe('a sign-in through a real provider', () => {
  const clock = movableClock();
  let port: number;
  let issuer: TestIssuer;
  let service: TestService;
  beforeAll(async () => {
    port = await freePort();
    issuer = await startIssuer([port]);
    service = await startTestService(mainEngine, { clock, port, env: issuerEnv(issuer.url, port) });
    issuer.people.set('ada', { email: 'ada@example.com', email_verified: true });
    await added(service, 'ada@example.com', 'viewer');
  });
  afterAll(async () => {
    await service.close();
    await issuer.close();
  });
  /** The address with which the issuer sent the browser back. */
  const callbackIn = ({ way }: { way: string[] }) => new URL(way.find((url) => CALLBACK.test(url)) ?? '');

  test('asks for a code with PKCE, state and nonce, and sets no readable cookie', async () => {
    const start = await fetch(`${service.url}/console/sign-in`, { redirect: 'manual' });
    const address = new URL(start.headers.get('location') ?? '');
    expect([start.status, address.origin]).toEqual([303, issuer.url]);
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      response_type: 'code',
      scope: 'openid email',
      redirect_uri: `${service.url}/console/sign-in/callback`,
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    const cookie = start.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/^reliability_sign_in_\d+=[\w-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/);
    expect(cookie).not.toContain(address.searchParams.get('state'));
  });

  test.each<[string, object, string]>([
    ['an address that is not verified', { email: 'ada@example.com', email_verified: false }, 'unverified'],
    ['an address of which nothing is said', { email: 'ada@example.com' }, 'unverified'],
    ['no address', { email_verified: true }, 'unverified'],
    ['an address that looks alike', { email: 'ada@examp\u212Ae.com', email_verified: true }, 'unverified'],
    ['an address without a user', { email: 'eve@example.com', email_verified: true }, 'unknown'],
  ])('makes no session and no user of %s', async (_, person, failure) => {
    issuer.people.set('eve', person);
    const ended = await signInThrough(service, 'eve');
    expect(failureIn(ended)).toBe(failure);
    expect(ended.cookie).not.toContain('reliability_session');
    expect((await service.request('GET', '/platform/users')).body.users).toHaveLength(1);
  });

  test('takes an answer once, and only in the browser that began, with its state', async () => {
    const { browser, cookie, ...way } = await signInThrough(service, 'ada');
    expect(await statusAs(service, cookie)).toBe(200);
    const callback = callbackIn(way);
    expect(failureIn(await browser.go(callback.href))).toBe('expired');

    const tampered = newBrowser();
    await tampered.go(`${service.url}/console/sign-in`);
    const held = tampered.cookies();
    expect(failureIn(await tampered.go(callback.href))).toBe('expired');
    expect(tampered.cookies()).not.toContain('reliability_session');

    // The victim's browser holds no cookie of the attacker's sign-in.
    expect(failureIn(await newBrowser().go(callback.href))).toBe('expired');

    // The right state with a code that was used: the issuer refuses it.
    const begun = await fetch(`${service.url}/console/sign-in`, { redirect: 'manual' });
    const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state') ?? '';
    const replay = new URL(callback);
    replay.searchParams.set('state', state);
    const mine = begun.headers.get('set-cookie')?.split(';')[0] ?? '';
    const answer = await fetch(replay, { redirect: 'manual', headers: { Cookie: mine } });
    expect(answer.headers.get('location')).toBe('/console#sign-in-failed=refused');

    const damaged = held.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    const refused = await fetch(callback, { redirect: 'manual', headers: { Cookie: damaged } });
    expect(refused.headers.get('location')).toBe('/console#sign-in-failed=expired');
  });

  test('ends after ten minutes', async () => {
    const browser = newBrowser();
    const start = await fetch(`${service.url}/console/sign-in`, { redirect: 'manual' });
    const [name = '', value = ''] = (start.headers.get('set-cookie')?.split(';')[0] ?? '').split('=');
    browser.jar.set(name, value);
    const state = new URL(start.headers.get('location') ?? '').searchParams.get('state');
    clock.aheadMs = HOUR_MS / 6;
    const ended = await browser.go(`${service.url}/console/sign-in/callback?code=any&state=${state}`);
    clock.aheadMs = 0;
    expect(failureIn(ended)).toBe('expired');
  });

  test.each([
    '//evil.example',
    'https://evil.example/',
    '/\\evil.example',
    '/../../docs',
    '/%2e%2e/docs',
    '\\evil.example',
    'javascript:alert(1)',
    '/\t/evil.example',
    '',
  ])('never leads away from the console, whatever is asked for: %j', async (to) => {
    const { url, cookie } = await signInThrough(service, 'ada', { to });
    expect(new URL(url).origin).toBe(service.url);
    expect(new URL(url).pathname).toMatch(/^\/console(\/|$)/);
    expect(await statusAs(service, cookie)).toBe(200);
  });

  test('leads to the address of BASE_URL first, if opened under another name of the machine', async () => {
    const { port: at } = new URL(service.url);
    const opened = await fetch(`http://localhost:${at}/console/sign-in?to=/book`, { redirect: 'manual' });
    expect(opened.headers.get('location')).toBe(`${service.url}/console/book#sign-in-failed=moved`);
  });

  test('is begun by no other site, and cancelled by a person without a trace', async () => {
    const headers = { 'Sec-Fetch-Site': 'cross-site' };
    const foreign = await fetch(`${service.url}/console/sign-in`, { redirect: 'manual', headers });
    expect(foreign.status).toBe(403);
    const browser = newBrowser();
    const page = await browser.go(`${service.url}/console/sign-in?to=/book`);
    const abort = /href="([^"]*\/abort)"/.exec(page.text)?.[1] ?? '';
    const ended = await browser.go(new URL(abort, page.url).href);
    expect(ended.url).toBe(`${service.url}/console/book#sign-in-failed=cancelled`);
  });

  test('works while the issuer is away for those with a key, and again when it is back', async () => {
    const at = Number(new URL(issuer.url).port);
    const people = [...issuer.people];
    await issuer.close();
    const ownPort = await freePort();
    // It starts all the same.
    const late = await startTestService(mainEngine, {
      port: ownPort,
      db: service.db,
      env: issuerEnv(issuer.url, ownPort),
    });
    expect(failureIn(await newBrowser().go(`${late.url}/console/sign-in`))).toBe('unavailable');
    expect((await signIn(late.url, late.liveKey)).status).toBe(204);
    issuer = await startIssuer([port, ownPort], { port: at, authentication: 'client_secret_post' });
    for (const [name, person] of people) issuer.people.set(name, person);
    const { url, cookie } = await signInThrough(late, 'ada', { to: '/usage' });
    expect([url, await statusAs(late, cookie)]).toEqual([`${late.url}/console/usage`, 200]);
    await late.close();
  });
});

describe('a sign-in through a provider that lies or stumbles', () => {
  let issuer: Awaited<ReturnType<typeof startFaultyIssuer>>;
  let service: TestService;
  beforeAll(async () => {
    const port = await freePort();
    issuer = await startFaultyIssuer();
    service = await startTestService(mainEngine, { port, env: issuerEnv(issuer.url, port) });
    await added(service, 'ada@example.com', 'admin');
  });
  afterEach(() => {
    issuer.faults.current = {};
  });
  afterAll(async () => {
    await service.close();
    await issuer.close();
  });

  const ADA = { email: 'ada@example.com', email_verified: true };
  const now = () => Math.floor(Date.now() / 1000);

  test('works if it does neither', async () => {
    issuer.faults.current = { claims: ADA };
    const { url, cookie } = await signInThrough(service, 'ada');
    expect([url, await statusAs(service, cookie)]).toEqual([`${service.url}/console`, 200]);
  });

  test.each<[string, () => Faults, string]>([
    ['another nonce', () => ({ claims: { ...ADA, nonce: 'another' } }), 'refused'],
    ['no nonce', () => ({ claims: { ...ADA, nonce: undefined } }), 'refused'],
    ['another issuer in the token', () => ({ claims: { ...ADA, iss: 'https://evil.example' } }), 'refused'],
    ['another issuer beside the code', () => ({ claims: ADA, iss: 'https://evil.example' }), 'refused'],
    ['a token for another client', () => ({ claims: { ...ADA, aud: 'another' } }), 'refused'],
    ['a token that has expired', () => ({ claims: { ...ADA, exp: now() - 3600 } }), 'refused'],
    ['a token signed by somebody else', () => ({ claims: ADA, foreignKey: true }), 'refused'],
    ['a token without a signature', () => ({ claims: ADA, unsigned: true }), 'refused'],
    ['a huge token', () => ({ claims: { ...ADA, more: 'x'.repeat(1_000_000) } }), 'refused'],
    ['an answer that is not JSON', () => ({ tokens: '{"access_token":' }), 'refused'],
    ['a nested answer', () => ({ tokens: '['.repeat(100_000) }), 'refused'],
    [
      'a huge address',
      () => ({ claims: { ...ADA, email: `${'a'.repeat(60_000)}@example.com` } }),
      'unverified',
    ],
    ['a list of addresses', () => ({ claims: { ...ADA, email: ['ada@example.com'] } }), 'unverified'],
    ['the word of another issuer', () => ({ claims: { email: ADA.email, xms_edov: true } }), 'unverified'],
    ['an answer that does not come', () => ({ claims: ADA, delayMs: 6000 }), 'unavailable'],
  ])('opens nothing with %s', async (_, faults, failure) => {
    issuer.faults.current = faults();
    const ended = await signInThrough(service, 'ada');
    expect(failureIn(ended)).toBe(failure);
    expect(ended.cookie).not.toContain('reliability_session');
  });
});
