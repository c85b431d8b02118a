import { parseNote } from '@reliability/proof';
import { beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { givenService } from '#harness/givenService.js';
import { settledLog } from '../../ledger/log/logDeps.js';
import { recordToken } from '../attestation/reviewFixtures.js';
import { once, outcome, report, scopedKey } from '../intake/eventFixtures.js';
import { qualification, verified } from './profileFixtures.js';

const DONE = { eventType: 'CONTRACT_FULFILLED', isVerified: true };

// biome-ignore lint/suspicious/noExplicitAny: a file can be changed to anything
type Change = (file: any) => void;

describe.each(breadth)('a file of a record, taken to another installation on %s', (engine) => {
  const origin = givenService(engine, { env: { BASE_URL: 'https://origin.example' } });
  const target = givenService(engine, { env: { BASE_URL: 'https://target.example' } });
  let text: string;
  let count = 0;

  beforeAll(async () => {
    await report(origin, outcome({ userId: 'ana', ...DONE }));
    await report(origin, outcome({ userId: 'ana', eventType: 'CONTRACT_BREACHED' }));
    const add = (body: object) => origin.request('POST', '/users/ana/qualifications', { body });
    await add(verified({ title: 'Tiling', issuer: 'Guild', url: 'https://guild.example/1' }));
    await add(
      qualification({ eventType: 'CERTIFICATION_VERIFIED', title: 'Forklift', issuedAt: '2024-05-01' }),
    );
    await origin.settle();
    await settledLog(origin.db);
    const token = await recordToken(origin, 'ana');
    text = (await origin.request('GET', `!/record/${token}/data.json`, { key: null })).text;
  });

  /** A new subject of the target. */
  const someone = async (key?: string) => {
    const userId = `taker-${++count}`;
    await report(target, outcome({ userId }), { key });
    return userId;
  };
  const send = (userId: string, body: unknown, options = {}, service = target) =>
    service.request('POST', `/users/${userId}/career-import`, { body, ...options });
  const listed = async (userId: string, service = target) =>
    (await service.request('GET', `/users/${userId}/qualifications`)).body.qualifications;
  const changed = (change: Change) => {
    const file = JSON.parse(text);
    change(file);
    return file;
  };

  test('verifies offline, and the answer says by whose key, what was checked and what the log holds', async () => {
    const userId = await someone();
    const { status, body } = await send(userId, text);
    expect(status).toBe(200);
    const { score } = JSON.parse(text);
    expect(body).toMatchObject({
      userId,
      file: { service: 'https://origin.example', userId: 'ana', platform: { id: origin.platformId } },
      verified: true,
      signer: 'stated',
      origin: expect.stringMatching(/^origin\.example\/log/),
      score: { finalScore: score.finalScore, scoreBand: score.scoreBand },
      outcomes: { stated: 2, proven: 2 },
      qualifications: { written: 2, known: 0, refused: [] },
    });
    expect(body.steps.every(({ ok }: { ok: boolean | null }) => ok === true)).toBe(true);
  });

  test('qualifications become unverified ones, whatever the file says, and move no score', async () => {
    const userId = await someone();
    await target.settle();
    const before = (await target.request('GET', `/users/${userId}/score`)).body;
    await send(userId, text);
    await target.settle();
    expect(await listed(userId)).toMatchObject([
      { title: 'Forklift', isVerified: false, verifiedBy: null, issuedAt: '2024-05-01T00:00:00.000Z' },
      { title: 'Tiling', isVerified: false, verifiedBy: null, referenceId: null, issuer: 'Guild' },
    ]);
    expect((await target.request('GET', `/users/${userId}/score`)).body).toEqual(before);
  });

  test('sent again, also at the same time, it adds nothing twice', async () => {
    const userId = await someone();
    const both = await Promise.all([send(userId, text), send(userId, text)]);
    const written = both.map(({ body }) => body.qualifications.written);
    expect(written.sort()).toEqual([0, 2]);
    expect((await send(userId, text)).body.qualifications).toEqual({ written: 0, known: 2, refused: [] });
    expect(await listed(userId)).toHaveLength(2);
    const first = await send(userId, text, once('the same import'));
    const again = await send(userId, text, once('the same import'));
    expect([again.body, again.headers.get('idempotent-replay')]).toEqual([first.body, 'true']);
  });

  test('at home the log is recognised by its own key', async () => {
    await report(origin, outcome({ userId: 'ana-2' }));
    const { body } = await send('ana-2', text, {}, origin);
    expect(body).toMatchObject({ verified: true, signer: 'own' });
    expect(await listed('ana-2', origin)).toHaveLength(2);
  });

  test.each<[string, Change, string]>([
    [
      'an outcome',
      (file) => Object.assign(file.outcomes[1], { eventType: 'CONTRACT_FULFILLED' }),
      'outcomes',
    ],
    ['the score', (file) => Object.assign(file.scoreProof.snapshot.fact, { finalScore: 99 }), 'snapshot'],
    ['an outcome less', (file) => file.outcomes.pop(), 'outcomes'],
    ['another key', (file) => Object.assign(file.log, { keys: [] }), 'checkpoint'],
  ])('with a change of %s nothing is verified or written, and the step says why', async (_, change, name) => {
    const userId = await someone();
    const { status, body } = await send(userId, changed(change));
    expect(status).toBe(200);
    expect(body).toMatchObject({ verified: false, signer: 'none', score: null, outcomes: { proven: 0 } });
    const failed = body.steps.filter(({ ok }: { ok: boolean | null }) => ok !== true);
    expect(failed.map((step: { name: string }) => step.name)).toContain(name);
    if (name !== 'checkpoint') expect(await listed(userId)).toEqual([]);
  });

  test('under the name of a log of this installation, a key of the file counts for nothing', async () => {
    const userId = await someone();
    const forged = changed((file) => {
      const note = parseNote(file.scoreProof.checkpoint);
      file.scoreProof.checkpoint = file.scoreProof.checkpoint.replaceAll(
        'origin.example/log',
        'target.example/log',
      );
      expect(note.text).toContain('origin.example/log');
      file.log.keys = file.log.keys.map((key: string) => key.replaceAll('origin.example', 'target.example'));
    });
    const { body, status } = await send(userId, forged);
    if (status === 200) expect(body).toMatchObject({ verified: false, signer: 'none' });
    else expect(body.code).toBe('VALIDATION_ERROR');
    expect(await listed(userId)).toEqual([]);
  });

  test('an invalid qualification is refused alone, and a file without proofs proves nothing', async () => {
    const userId = await someone();
    const { body } = await send(
      userId,
      changed((file) => {
        const [first, second] = file.qualifications;
        file.qualifications = [
          { ...first, url: 'javascript:alert(1)' },
          { ...second, title: 'a'.repeat(256) },
          { ...first, title: 'nul \u0000' },
          { ...first, eventType: 'CONTRACT_FULFILLED' },
          7,
          second,
        ];
        Object.assign(file, { log: null, scoreProof: null });
      }),
    );
    expect(body).toMatchObject({
      verified: false,
      signer: 'none',
      origin: null,
      outcomes: { stated: 2, proven: 0 },
    });
    const { written, refused } = body.qualifications;
    expect([written, refused.map(({ index }: { index: number }) => index)]).toEqual([1, [0, 1, 2, 3, 4]]);
    expect(refused[0].reason).toContain('url');
  });

  test.each<[string, () => string, RegExp]>([
    ['a million lists in each other', () => `${'['.repeat(1e6)}${']'.repeat(1e6)}`, /nested more than 16/],
    ['the name __proto__', () => text.replace('{', '{"__proto__":{"isVerified":true},'), /__proto__/],
    ['a name twice', () => text.replace('{', '{"userId":"eve",'), /"userId" twice/],
    ['no JSON', () => 'data', /not JSON/],
    ['another document', () => '{}', /generatedAt/],
    ['a proof of a score alone', () => JSON.stringify(JSON.parse(text).scoreProof), /generatedAt/],
    [
      'too many qualifications',
      () => JSON.stringify(changed((file) => Object.assign(file, { qualifications: Array(1001).fill({}) }))),
      /qualifications/,
    ],
    [
      'a key that is none',
      () => JSON.stringify(changed((file) => Object.assign(file.log, { keys: ['x'] }))),
      /verifier key/,
    ],
  ])('%s is refused with the reason', async (_, body, reason) => {
    const { status, body: answer } = await send(await someone(), body());
    expect([status, answer.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(answer.details[0].message).toMatch(reason);
  });

  test('the scope, the subject and the size are checked as for other writes of a profile', async () => {
    const reader = await scopedKey(target, ['scores:read']);
    expect((await send(await someone(), text, { key: reader })).status).toBe(403);
    expect((await send('nobody', text)).body.code).toBe('USER_NOT_FOUND');
    const large = await send(await someone(), ' '.repeat(32 * 1024 * 1024 + 1));
    expect([large.status, large.body.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    const key = target.testKey;
    const { status, body } = await send(await someone(key), text, { key });
    expect([status, body.qualifications.written]).toEqual([200, 2]);
  });
});
