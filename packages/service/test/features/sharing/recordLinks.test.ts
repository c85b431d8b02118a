import { describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { givenService } from '#harness/givenService.js';
import type { Queryable } from '#kit/db/database.js';
import { createIdSource } from '#kit/ids.js';
import { createRecordLinks } from '#ledger/issuing/recordLinks.js';
import { once, outcome, report } from '../intake/eventFixtures.js';
import { type Alias, alias, ask } from '../subjects/linkFixtures.js';
import { HOUR_MS, movableClock, UNKNOWN_ID } from '../tenancy/keyFixtures.js';
import { trailOf } from '../tenancy/trail.js';
import { SHARING_BASE, SHARING_ENV } from './sharingFixtures.js';

describe.each(breadth)('record links on %s', (engine) => {
  const clock = movableClock();
  const service = givenService(engine, { clock, env: SHARING_ENV });
  let count = 0;

  const someone = () => alias(service, `reader-${++count}`, [{}]);
  const made = (of: Alias, body: object = {}, headers = {}) =>
    ask(service, of, 'POST', '/record-links', { body, headers });
  const withdrawn = (of: Alias, id: string) => ask(service, of, 'DELETE', `/record-links/${id}`);
  const open = (url: string, headers = {}) =>
    service.request('GET', `!${new URL(url).pathname}`, { key: null, headers });
  const opens = async (url: string) => (await open(url)).status;

  test('a link has its address once, lasts three days, and its token is not stored', async () => {
    const of = await someone();
    const { status, body } = await made(of);
    expect([status, body]).toEqual([
      201,
      {
        recordLinkId: expect.any(String),
        url: expect.stringMatching(`^${SHARING_BASE}/record/rl_[\\w-]{43}$`),
        expiresAt: expect.any(String),
      },
    ]);
    expect(Date.parse(body.expiresAt) - clock.now().getTime()).toBeGreaterThan(71 * HOUR_MS);
    expect(Date.parse(body.expiresAt) - clock.now().getTime()).toBeLessThanOrEqual(72 * HOUR_MS);
    const rows = await service.db.query('select to_jsonb(l)::text as text from record_link l');
    const trail = await trailOf(service, of.platform.live.key, '&action=RECORD_LINK_CREATED');
    expect(JSON.stringify([rows, trail])).not.toContain(body.url.split('/').at(-1));
    expect(trail).toMatchObject([
      {
        actor: `key:${of.platform.live.id}`,
        target: body.recordLinkId,
        details: { userId: of.userId, expiresAt: body.expiresAt },
      },
    ]);
  });

  test('a link ends at its time, and its row with the sweep', async () => {
    const of = await someone();
    const { body } = await made(of, { expiresInHours: 1 });
    expect(await opens(body.url)).toBe(200);
    clock.aheadMs += HOUR_MS;
    expect(await opens(body.url)).toBe(404);
    await service.request('POST', '/admin/sweeps/retention', { admin: true });
    const rows = await service.db.query('select 1 from record_link where record_link_id = $1', [
      body.recordLinkId,
    ]);
    expect(rows).toEqual([]);
  });

  test('a withdrawn link opens nothing, which can be repeated', async () => {
    const of = await someone();
    const { body } = await made(of);
    for (const _ of [1, 2]) expect((await withdrawn(of, body.recordLinkId)).status).toBe(204);
    expect(await opens(body.url)).toBe(404);
    expect(await trailOf(service, of.platform.live.key, '&action=RECORD_LINK_WITHDRAWN')).toHaveLength(1);
  });

  test('a link is withdrawn only for its own subject and platform', async () => {
    const [of, other] = [await someone(), await someone()];
    const { body } = await made(of);
    const sibling = { ...of, userId: 'sibling' };
    await report(service, outcome({ userId: 'sibling' }), { key: of.platform.live.key });
    for (const asker of [other, sibling]) {
      const answer = await withdrawn(asker, body.recordLinkId);
      expect([answer.status, answer.body.code]).toEqual([404, 'NOT_FOUND']);
    }
    expect((await withdrawn(of, UNKNOWN_ID)).status).toBe(404);
    expect(await opens(body.url)).toBe(200);
  });

  test('a sixth link is refused, also of many at the same moment, until one has ended', async () => {
    const of = await someone();
    const answers = await Promise.all(Array.from({ length: 12 }, () => made(of, { expiresInHours: 2 })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    expect(answers.filter(({ status, body }) => status === 409 && body.code === 'CONFLICT')).toHaveLength(7);
    const one = answers.find(({ status }) => status === 201);
    await withdrawn(of, one?.body.recordLinkId);
    expect((await made(of, { expiresInHours: 2 })).status).toBe(201);
    expect((await made(of)).status).toBe(409);
    clock.aheadMs += 2 * HOUR_MS;
    expect((await made(of)).status).toBe(201);
  });

  test.each([{ expiresInHours: 0 }, { expiresInHours: 721 }, { expiresInHours: 1.5 }, { language: 'fr' }])(
    '%j is refused',
    async (body) => {
      expect((await made(await someone(), body)).body.code).toBe('VALIDATION_ERROR');
    },
  );

  test('an unknown subject has no link', async () => {
    const { platform } = await someone();
    expect((await made({ platform, userId: 'nobody' })).body.code).toBe('USER_NOT_FOUND');
  });

  test('only the same request with its key is answered with the same address', async () => {
    const of = await someone();
    const { headers } = once('a-link-of-its-own');
    const first = await made(of, {}, headers);
    const again = await made(of, {}, headers);
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(again.headers.get('idempotent-replay')).toBe('true');
    const stored = await service.db.query('select to_jsonb(i)::text as text from idempotency i');
    expect(JSON.stringify(stored)).not.toContain(first.body.url.split('/').at(-1));
  });

  test('test subjects have links, which a reset of test data ends', async () => {
    const { platform } = await someone();
    const { key } = platform.test;
    await report(service, outcome({ userId: 'of-test' }), { key });
    const { body } = await service.request('POST', '/users/of-test/record-links', { key });
    expect((await open(body.url, { Accept: 'text/html' })).text).toContain('This is a test.');
    await service.request('DELETE', '/test/data', { key });
    expect(await opens(body.url)).toBe(404);
    await report(service, outcome({ userId: 'of-test' }), { key });
    expect(await opens(body.url)).toBe(404);
  });

  describe('what a link that opens nothing answers', () => {
    test('is the same for unknown, malformed, expired, withdrawn and erased ones, and for other tokens', async () => {
      const [of, erased] = [await someone(), await someone()];
      const [left, gone, last] = [await made(of), await made(of, { expiresInHours: 1 }), await made(erased)];
      const share = (await ask(service, of, 'POST', '/share-token')).body.shareToken;
      await withdrawn(of, left.body.recordLinkId);
      await ask(service, erased, 'POST', '/erasure');
      clock.aheadMs += HOUR_MS;
      const token = `rl_${'A'.repeat(43)}`;
      const urls = [left.body.url, gone.body.url, last.body.url, ...[token, share, 'x', '%00'].map(urlOf)];
      for (const accept of ['text/html', 'application/json']) {
        const answers = [];
        for (const url of urls) answers.push(await open(url, { Accept: accept }));
        const bytes = answers.map(({ status, text, headers }) => {
          const shown = accept === 'text/html' ? text : { ...JSON.parse(text), requestId: '' };
          return JSON.stringify([status, shown, headers.get('content-length') !== '0', headers.get('vary')]);
        });
        expect(new Set(bytes).size, bytes.join('\n')).toBe(1);
        expect(answers[0]?.status).toBe(404);
      }
    });

    test('costs one statement by the hash of the token, whatever its shape', async () => {
      const asked: unknown[][] = [];
      const db = {
        query(...statement: unknown[]) {
          asked.push(statement);
          return Promise.resolve([]);
        },
      } as unknown as Queryable;
      const { open } = createRecordLinks({ ids: createIdSource(), config: { baseUrl: SHARING_BASE } });
      const tokens = ['', 'x', `st_${'A'.repeat(32)}`, `rl_${'A'.repeat(43)}`, 'x'.repeat(16_000)];
      for (const token of tokens) expect(await open(db, token, clock.now())).toBeNull();
      expect(new Set(asked.map(([text]) => text)).size).toBe(1);
      expect(asked.map(([, values]) => (values as [Buffer])[0].length)).toEqual(tokens.map(() => 32));
    });

    test('is the same for its files and for what its page sends', async () => {
      const path = `/record/rl_${'A'.repeat(43)}`;
      for (const file of ['data.json', 'data.csv'])
        expect(await opens(`${SHARING_BASE}${path}/${file}`)).toBe(404);
      const sent = [
        ['reviews', { text: 'This is wrong.' }],
        [`reviews/${UNKNOWN_ID}/withdraw`, {}],
        ['share', { action: 'start' }],
      ] as const;
      for (const [act, body] of sent) {
        expect((await service.request('POST', `!${path}/${act}`, { key: null, body })).status).toBe(404);
      }
    });
  });
});

function urlOf(token: string): string {
  return `${SHARING_BASE}/record/${token}`;
}
