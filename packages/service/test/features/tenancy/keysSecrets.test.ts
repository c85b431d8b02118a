import { pino } from 'pino';
import { beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { givenService } from '#harness/givenService.js';
import { tablesWith } from '#harness/tablesWith.js';
import { hashOfSecret } from '#kit/crypto.js';
import { once, outcome, report } from '../intake/eventFixtures.js';
import { mint, newPlatform, revoke, rotate } from './keyFixtures.js';

const WRONG_SECRET = 'not-the-admin-secret-but-secret';
const METRICS_TOKEN = 'token-of-the-metrics-reader';
const UNKNOWN_KEY = `crd_live_${'u'.repeat(43)}`;

describe.each(breadth)('secrets on %s', (engine) => {
  const lines: string[] = [];
  const secrets = new Set([WRONG_SECRET, METRICS_TOKEN, UNKNOWN_KEY]);
  /** Every answer except those that return a new key to its owner. */
  const answers: string[] = [];

  // Without the redaction of the real log: a secret must not be passed to the log at all.
  const log = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) });
  const service = givenService(engine, { log, env: { METRICS_TOKEN } });
  beforeAll(async () => {
    for (const secret of [service.liveKey, service.testKey, service.adminSecret]) secrets.add(secret);
    await useEverything();
  });

  async function useEverything(): Promise<void> {
    const { platformId, live, test: testKey } = await newPlatform(service);
    secrets.add(live.key).add(testKey.key);
    const keys = `/admin/platforms/${platformId}/keys`;
    const minted = (await mint(service, live.key, {}, once('secret-mint'))).body;
    const rotated = (await rotate(service, live.key, minted.id)).body;
    const byOperator = await service.request('POST', `${keys}/${testKey.id}/rotate`, { admin: true });
    for (const { key } of [minted, rotated, byOperator.body]) secrets.add(key);
    const headers = { 'X-Admin-Secret': WRONG_SECRET };
    const basic = { Authorization: `Basic ${live.key}` };
    const seen = [
      await service.request('GET', '/platform', { key: live.key }),
      await service.request('GET', '/platform/keys', { key: live.key }),
      await service.request('GET', keys, { admin: true }),
      await service.request('GET', '/admin/platforms', { headers }),
      await service.request('GET', '/platform', { key: UNKNOWN_KEY }),
      await service.request('GET', '/platform', { key: null, headers: basic }),
      await service.request('GET', `/users/someone/score?key=${live.key}`, { key: null }),
      await report(service, outcome(), { key: live.key }),
      await report(service, '{ "userId": ', { key: live.key }),
      await report(service, outcome({ eventType: 7 }), { key: live.key }),
      await mint(service, live.key, { scopes: ['everything'] }),
      await revoke(service, live.key, rotated.id),
      await service.request('GET', '/platform', { key: rotated.key }),
      await service.request('GET', '!/metrics', { key: METRICS_TOKEN }),
      await service.request('GET', '!/metrics', { key: live.key }),
      await service.request('GET', '/status.json', { key: null }),
    ];
    answers.push(...seen.map(({ text, headers: sent }) => text + JSON.stringify([...sent])));
    // An internal error is logged with its cause.
    await service.db.execute('alter table api_key rename to api_key_away');
    answers.push((await service.request('GET', '/platform/keys', { key: live.key })).text);
    await service.db.execute('alter table api_key_away rename to api_key');
  }

  /** A secret and its hash in the encodings that a program might print. */
  function spellings(): string[] {
    return [...secrets].flatMap((secret) => {
      const hash = hashOfSecret(secret);
      return [secret, hash.toString('hex'), hash.toString('base64'), hash.toString('base64url')];
    });
  }

  function expectNone(text: string): void {
    for (const spelling of spellings()) expect(text.includes(spelling), spelling.slice(0, 12)).toBe(false);
    expect(text).not.toMatch(/crd_(live|test)_[A-Za-z0-9_-]{10}/);
  }

  test('the most verbose log contains none', () => {
    expect(lines.join('')).toContain('request refused');
    expect(lines.join('')).toContain('request failed');
    expectNone(lines.join(''));
    for (const line of lines) expect(line).not.toMatch(/"type":"Buffer"/);
  });

  test('no answer, error or metric shows one a second time', () => {
    expect(answers.join('')).toContain('http_request');
    expectNone(answers.join(''));
  });

  test('the audit trail contains none', async () => {
    const rows = await service.db.query('select * from activity');
    expect(JSON.stringify(rows)).toContain('API_KEY_ROTATED');
    expectNone(JSON.stringify(rows));
  });

  test('no table contains one in plain text', async () => {
    const plain = [...secrets].flatMap((secret) => [secret, Buffer.from(secret).toString('hex')]);
    expect(await tablesWith(service.db, (row) => plain.some((text) => row.includes(text)))).toEqual([]);
  });

  test('a stored answer contains its key only sealed', async () => {
    const rows = await service.db.query<{ answer: unknown; sealed: Buffer | null }>(
      'select answer, sealed from idempotency',
    );
    expect(rows.filter(({ sealed }) => sealed !== null)).toHaveLength(1);
    for (const { answer, sealed } of rows) expectNone(JSON.stringify(answer) + sealed?.toString('latin1'));
  });
});
