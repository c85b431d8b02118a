import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { joinTestService, type TestService } from '#harness/service.js';
import { subjectIdOf } from '#ledger/subjectId.js';
import { once, outcome, report } from '../intake/eventFixtures.js';
import { type Alias, alias, ask } from '../subjects/linkFixtures.js';
import { trailOf } from '../tenancy/trail.js';
import { mint, SHARING_BASE, SHARING_ENV, verify, withdraw } from './sharingFixtures.js';

const TOKEN = /^st_[A-Za-z0-9_-]{32}$/;
const good = { eventType: 'CONTRACT_FULFILLED', isVerified: true };

describe.each(breadth)('share tokens on %s', (engine) => {
  let service: TestService;
  let count = 0;

  beforeAll(async () => {
    service = await joinTestService(engine, SHARING_ENV);
  });
  afterAll(() => service.close());

  const someone = () => alias(service, `sharer-${++count}`, [good]);
  const idOf = ({ platform, userId }: Alias) => subjectIdOf(platform.id, true, userId);
  const asOperator = (path: string) =>
    service.request('DELETE', `/admin/users/${path}`, { admin: true, key: null });

  test('a token comes with the addresses it opens and has an entry in the audit trail', async () => {
    const of = await someone();
    const { status, body } = await ask(service, of, 'POST', '/share-token');
    expect(status).toBe(201);
    expect(body.shareToken).toMatch(TOKEN);
    expect(body).toEqual({
      shareToken: body.shareToken,
      verifyUrl: `${SHARING_BASE}/verify/${body.shareToken}`,
      badgeUrl: `${SHARING_BASE}/badge/${body.shareToken}.svg`,
      includeProfile: false,
      createdAt: expect.stringMatching(/Z$/),
    });
    const [entry] = await trailOf(service, of.platform.live.key, '&action=SHARE_TOKEN_MINTED');
    expect(entry).toMatchObject({
      actor: `key:${of.platform.live.id}`,
      target: idOf(of),
      details: { userId: of.userId, includeProfile: false },
    });
    expect(JSON.stringify(entry)).not.toContain(body.shareToken);
  });

  test('a repeated request returns the same token, and the last consent applies', async () => {
    const of = await someone();
    const asked = async (body?: object) => (await ask(service, of, 'POST', '/share-token', { body })).body;
    const first = await asked({ includeProfile: true });
    expect(await asked()).toEqual(first);
    expect(await asked({})).toEqual(first);
    expect(await asked({ includeProfile: false })).toEqual({ ...first, includeProfile: false });
    expect(await asked()).toMatchObject({ shareToken: first.shareToken, includeProfile: false });
    expect(await trailOf(service, of.platform.live.key, '&action=SHARE_TOKEN_MINTED')).toHaveLength(1);
  });

  test('a withdrawn token opens nothing again, and the next token is a new one', async () => {
    const of = await someone();
    const token = await mint(service, of);
    expect((await verify(service, token)).status).toBe(200);
    expect((await withdraw(service, of)).body).toEqual({ revoked: true, alreadyRevoked: false });
    expect((await verify(service, token)).body.code).toBe('NOT_FOUND');
    expect((await withdraw(service, of)).body).toEqual({ revoked: true, alreadyRevoked: true });
    const next = await mint(service, of);
    expect(next).not.toBe(token);
    expect((await verify(service, next)).status).toBe(200);
    expect((await verify(service, token)).status).toBe(404);
    const [entry, ...others] = await trailOf(service, of.platform.live.key, '&action=SHARE_TOKEN_REVOKED');
    expect(entry).toMatchObject({ actor: `key:${of.platform.live.id}`, target: idOf(of) });
    expect(others).toEqual([]);
  });

  test('a subject that never shared has no token to withdraw', async () => {
    const of = await someone();
    expect((await withdraw(service, of)).body).toEqual({ revoked: true, alreadyRevoked: true });
    expect(await trailOf(service, of.platform.live.key, '&action=SHARE_TOKEN_REVOKED')).toEqual([]);
  });

  test('the operator withdraws by either id and never sees the token', async () => {
    const of = await someone();
    for (const path of [idOf(of), `${of.userId}/share-token?platformId=${of.platform.id}`]) {
      const token = await mint(service, of);
      const address = path.includes('?') ? path : `${path}/share-token`;
      const answer = await asOperator(address);
      expect([answer.status, answer.body]).toEqual([200, { revoked: true, alreadyRevoked: false }]);
      expect(answer.text).not.toContain(token);
      expect((await verify(service, token)).status).toBe(404);
      expect((await asOperator(address)).body.alreadyRevoked).toBe(true);
    }
    const entries = await trailOf(service, of.platform.live.key, '&action=SHARE_TOKEN_REVOKED');
    expect(entries.map(({ actor }) => actor)).toEqual(['operator', 'operator']);
  });

  test('the operator gets 404 for an unknown id', async () => {
    const { platform } = await someone();
    await report(service, outcome({ userId: 'of-test' }), { key: platform.test.key });
    for (const path of [
      `${platform.id}/share-token`,
      `nobody/share-token?platformId=${platform.id}`,
      'nobody/share-token',
      `${subjectIdOf(platform.id, false, 'of-test')}/share-token`,
    ]) {
      const { status, body } = await asOperator(path);
      expect([status, body.code]).toEqual([404, 'USER_NOT_FOUND']);
    }
  });

  test('fifty concurrent requests get one token, and one of many withdrawals ends it', async () => {
    const of = await someone();
    const tokens = new Set(await Promise.all(Array.from({ length: 50 }, () => mint(service, of))));
    expect(tokens.size).toBe(1);
    expect(await trailOf(service, of.platform.live.key, '&action=SHARE_TOKEN_MINTED')).toHaveLength(1);
    const withdrawals = await Promise.all(Array.from({ length: 10 }, () => withdraw(service, of)));
    expect(withdrawals.filter(({ body }) => !body.alreadyRevoked)).toHaveLength(1);
  });

  test('concurrent requests and withdrawals leave at most one valid token', async () => {
    const of = await someone();
    const acts = Array.from({ length: 40 }, (_, index) =>
      index % 2 === 0 ? mint(service, of) : withdraw(service, of).then(({ status }) => String(status)),
    );
    const tokens = [...new Set((await Promise.all(acts)).filter((text) => TOKEN.test(text)))];
    const answers = await Promise.all(tokens.map((token) => verify(service, token)));
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    const last = await mint(service, of);
    expect((await verify(service, last)).status).toBe(200);
  });

  test('no table contains a token in plain text', async () => {
    const of = await someone();
    const token = await mint(service, of);
    const { key } = of.platform.live;
    await service.request('POST', `/users/${of.userId}/share-token`, { key, ...once('share-once-2') });
    for (const table of ['share_token', 'activity', 'idempotency', 'envelope', 'status_entry']) {
      const rows = await service.db.query<{ text: string }>(
        `select coalesce(string_agg(t::text, ' '), '') as text from ${table} t`,
      );
      const text = rows[0]?.text ?? '';
      expect(text).not.toContain(token);
      expect(text).not.toContain(Buffer.from(token).toString('hex'));
    }
  });

  test('every token has its own random status bit', async () => {
    const holders = [await someone(), await someone(), await someone()];
    for (const of of holders) await mint(service, of);
    const rows = await service.db.query<{ statusList: number; statusIndex: number }>(
      'select status_list, status_index from share_token',
    );
    const positions = rows.map((row) => `${row.statusList} ${row.statusIndex}`);
    expect(new Set(positions).size).toBe(positions.length);
    // Sequential ones would lie close together.
    const indexes = rows.map((row) => row.statusIndex);
    expect(Math.max(...indexes) - Math.min(...indexes)).toBeGreaterThan(10_000);
  });
});
