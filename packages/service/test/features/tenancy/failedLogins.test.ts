import { pino } from 'pino';
import { beforeEach, describe, expect, test } from 'vitest';
import { mainEngine } from '#harness/engines.js';
import { givenService } from '#harness/givenService.js';
import { mint, newPlatform, revoke } from './keyFixtures.js';

const METRICS_TOKEN = 'metrics-token-of-the-tests';

describe('failed log-ins', () => {
  let lines: { msg: string; [field: string]: unknown }[] = [];
  // It moves only between the steps: on a slow machine a minute would pass within a test.
  const clock = { ms: Date.now(), now: () => new Date(clock.ms) };
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) });
  const failures = () => lines.filter(({ msg }) => msg === 'a log-in failed');
  const refusals = () => lines.filter(({ msg }) => msg === 'request refused');
  const call = (address: string, headers: Record<string, string>, path = '/platform') =>
    service.request('GET', path, { key: null, headers: { 'X-Forwarded-For': address, ...headers } });
  const asKey = (key: string) => ({ Authorization: `Bearer ${key}` });

  async function counted(kind: string): Promise<number> {
    const { text } = await service.request('GET', '!/metrics', { key: METRICS_TOKEN });
    return Number(new RegExp(`^failed_logins_total{kind="${kind}"} (\\d+)$`, 'm').exec(text)?.[1]);
  }

  const env = { TRUST_PROXY: '1', METRICS_TOKEN };
  const service = givenService(mainEngine, { log, clock, env });
  beforeEach(() => {
    clock.ms += 60_000;
    lines = [];
  });

  test('with a key that is unknown, malformed or revoked are logged once each, with the address', async () => {
    const { live } = await newPlatform(service);
    const revoked = (await mint(service, live.key)).body;
    await revoke(service, live.key, revoked.id);
    lines = [];
    const before = await counted('key');
    expect(before).toBe(0);
    const presented = [`crd_live_${'x'.repeat(43)}`, 'nonsense', revoked.key];
    for (const key of presented) expect((await call('203.0.113.77', asKey(key))).status).toBe(401);
    const logged = { kind: 'key', code: 'UNAUTHORIZED', address: '203.0.113.77', level: 40 };
    expect(failures()).toMatchObject(Array(3).fill({ ...logged, route: '/api/v1/platform' }));
    expect(refusals()).toEqual([]);
    expect(await counted('key')).toBe(before + 3);
    for (const secret of presented) expect(JSON.stringify(lines)).not.toContain(secret);
  });

  test('with a wrong admin secret are a separate kind', async () => {
    const before = await counted('operator');
    await call('2001:db8::7', { 'X-Admin-Secret': 'guessed-secret' }, '/admin/platforms');
    expect(failures()).toMatchObject([{ kind: 'operator', address: '2001:db8::7' }]);
    expect(JSON.stringify(lines)).not.toContain('guessed-secret');
    expect(await counted('operator')).toBe(before + 1);
  });

  test('include those of a key outside its networks', async () => {
    const { live } = await newPlatform(service);
    const bound = (await mint(service, live.key, { allowedCidrs: ['203.0.113.0/24'] })).body;
    await call('198.51.100.7', asKey(bound.key));
    expect(failures()).toMatchObject([{ kind: 'key', code: 'FORBIDDEN', address: '198.51.100.7' }]);
  });

  test('do not include requests without a key or successful ones', async () => {
    const before = await counted('key');
    await call('203.0.113.77', {});
    await call('203.0.113.77', {}, '/admin/platforms');
    await call('203.0.113.77', asKey(service.liveKey));
    expect(failures()).toEqual([]);
    expect(refusals()).toHaveLength(2);
    expect(await counted('key')).toBe(before);
  });

  test('are limited to ten log lines a minute for a network, and the next line counts the omitted ones', async () => {
    const before = await counted('key');
    for (let n = 0; n < 25; n += 1) await call(`2001:db8:1:2::${n}`, asKey('guess'));
    expect(failures()).toHaveLength(10);
    await call('203.0.113.77', asKey('guess'));
    expect(failures()).toHaveLength(11);
    expect(failures().at(-1)).toMatchObject({ address: '203.0.113.77', leftOut: 15 });
    clock.ms += 60_000;
    await call('2001:db8:1:2::1', asKey('guess'));
    expect(failures()).toHaveLength(12);
    expect(failures().at(-1)).not.toHaveProperty('leftOut');
    expect(await counted('key')).toBe(before + 27);
    expect(refusals()).toEqual([]);
  });

  test('from many networks are limited to two hundred log lines', async () => {
    for (let n = 0; n < 220; n += 1) await call(`10.0.0.${n}`, asKey('guess'));
    expect(failures()).toHaveLength(200);
  });
});
