import { createHash } from 'node:crypto';
import {
  formatNote,
  openNote,
  parseNote,
  parseVerifierKey,
  signNoteText,
  toBase64,
} from '@reliability/proof';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { engines, mainEngine } from '#harness/engines.js';
import { startTestService, TEST_KEYS, type TestService } from '#harness/service.js';
import { systemClock } from '#kit/clock.js';
import { createVault } from '#kit/crypto.js';
import { rotateSigningKey } from '#ledger/signingKeys.js';
import { testSigner } from '../../../../proof/test/keys.js';
import { foreignLog } from './foreignLog.js';

const log = foreignLog('scores.example/log');
const BASE_URL = 'https://witness.example';

describe.each(engines)('POST /log/witness/add-checkpoint on %s', (engine) => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService(engine, {
      env: { BASE_URL, LOG_WITNESS_FOR: log.vkey, LOG_LEVEL: 'silent' },
      inFirstGroup: true,
    });
  });
  beforeEach(() => service.db.execute('delete from witnessed_log'));
  afterAll(() => service.close());

  const add = (body: string, headers: Record<string, string> = { 'Content-Type': 'text/plain' }) =>
    service.request('POST', '!/log/witness/add-checkpoint', { key: null, body, headers });

  async function witnessKeys() {
    const { body } = await service.request('GET', '!/.well-known/ledger-log.json', { key: null });
    return body.asWitness;
  }

  test('the first checkpoint of a log is cosigned with the published key and the present time', async () => {
    const before = Math.floor(Date.now() / 1000);
    const { status, headers, text } = await add(await log.submission(0, 5));
    expect({ status, type: headers.get('content-type') }).toEqual({
      status: 200,
      type: 'text/plain; charset=utf-8',
    });
    const identity = await witnessKeys();
    expect(identity).toMatchObject({
      url: `${BASE_URL}/log/witness`,
      logs: ['scores.example/log'],
      announcedKeys: [],
    });
    const key = parseVerifierKey(identity.vkey);
    expect(key).toMatchObject({ name: 'witness.example/log/witness', type: 4 });
    const [cosignature] = await openNote(parseNote((await log.checkpoint(5)) + text), [key]);
    expect(cosignature?.unixSeconds).toBeGreaterThanOrEqual(before);
    expect(cosignature?.unixSeconds).toBeLessThanOrEqual(Date.now() / 1000);
  });

  test('a checkpoint that continues the last one is cosigned, also with nothing new', async () => {
    for (const [from, to] of [
      [0, 0],
      [0, 3],
      [3, 8],
      [8, 8],
      [8, 13],
    ] as const) {
      expect(await add(await log.submission(from, to)), `${from} to ${to}`).toMatchObject({ status: 200 });
    }
  });

  test('another old size is answered with the right one', async () => {
    await add(await log.submission(0, 5));
    for (const from of [0, 4, 6]) {
      const { status, headers, text } = await add(await log.submission(from, 9));
      expect({ status, text }).toEqual({ status: 409, text: '5\n' });
      expect(headers.get('content-type')).toBe('text/x.tlog.size');
    }
    expect(await add(await log.submission(0, 3))).toMatchObject({ status: 409, text: '5\n' });
  });

  test('another history is never cosigned, and the known one goes on', async () => {
    await add(await log.submission(0, 5));
    const [, ...honest] = (await log.submission(5, 9)).split('\n');
    const forked = [
      await log.submission(5, 9, 'forked'),
      (await log.submission(5, 9)).replace(/^old 5\n[^\n]+\n/, 'old 5\n'),
      ['old 5', toBase64(log.rootAt(2)), ...honest].join('\n'),
      (await log.submission(5, 5)).replace('old 5\n', `old 5\n${toBase64(log.rootAt(2))}\n`),
    ];
    for (const body of forked) expect(await add(body)).toMatchObject({ status: 422 });
    expect(await add(await log.submission(5, 5, 'forked'))).toMatchObject({ status: 409, text: '5\n' });
    expect(await add(await log.submission(5, 9))).toMatchObject({ status: 200 });
  });

  test('nothing proves more than nothing: no proof from size 0, and no other root of size 0', async () => {
    const body = (await log.submission(0, 5)).replace('old 0\n', `old 0\n${toBase64(log.rootAt(2))}\n`);
    expect(await add(body)).toMatchObject({ status: 422 });
    const text = `scores.example/log\n0\n${toBase64(log.rootAt(2))}\n`;
    const note = formatNote({
      text,
      signatures: [await signNoteText(text, log.signer.key, log.signer.sign)],
    });
    expect(await add(`old 0\n\n${note}`)).toMatchObject({ status: 409, text: '0\n' });
  });

  test('a log that is not named in LOG_WITNESS_FOR is unknown', async () => {
    expect(await add(await foreignLog('other.example/log').submission(0, 5))).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    });
  });

  test('without a valid signature of the log nothing is cosigned', async () => {
    const stranger = testSigner('scores.example/log');
    const unsigned = `old 0\n\n${await log.checkpoint(5, 'honest', stranger)}`;
    expect(await add(unsigned)).toMatchObject({ status: 403 });
    const [text, signature] = (await log.submission(0, 5)).split('\n\n— ');
    const other = (await log.submission(0, 6)).split('\n\n— ')[1];
    expect(signature).not.toBe(other);
    expect(await add(`${text}\n\n— ${other}`)).toMatchObject({ status: 403 });
  });

  test('signatures of others beside that of the log are ignored', async () => {
    const stranger = testSigner('stranger.example/log');
    const line = (await log.checkpoint(5, 'honest', stranger)).split('\n\n')[1];
    expect(await add((await log.submission(0, 5)) + line)).toMatchObject({ status: 200 });
  });

  test('a size that exceeds that of the checkpoint is malformed', async () => {
    await add(await log.submission(0, 5));
    const body = (await log.submission(5, 5)).replace('old 5', 'old 6');
    expect(await add(body)).toMatchObject({ status: 400 });
  });

  test.each([
    ['no text', ''],
    ['no empty line', 'old 0\nscores.example/log'],
    ['no old size', '\n\nscores.example/log\n0\n'],
    ['a size with a zero in front', 'old 05\n\nscores.example/log\n5\n'],
    ['a negative size', 'old -1\n\nscores.example/log\n5\n'],
    ['a proof that is not base64', 'old 5\n%%%\n\nscores.example/log\n5\n'],
    ['a hash of other length', 'old 5\nAAAA\n\nscores.example/log\n5\n'],
    ['a checkpoint without signatures', 'old 0\n\nscores.example/log\n5\nAAAA\n'],
    ['a NUL', 'old 0\n\nscores.example/log\0\n5\n'],
  ])('a body with %s is malformed', async (_, body) => {
    expect(await add(body)).toMatchObject({ status: 400 });
  });

  test('a proof has at most 63 lines, and a body at most 64 KiB', async () => {
    const [, checkpoint] = (await log.submission(0, 5)).split('\n\n', 2);
    const hash = `${toBase64(log.rootAt(2))}\n`;
    expect(await add(`old 5\n${hash.repeat(64)}\n${checkpoint}`)).toMatchObject({ status: 400 });
    expect(await add('x'.repeat(64 * 1024 + 1))).toMatchObject({ status: 413 });
  });

  test.each(['application/json', 'text/csv', 'text/plain; charset=utf-8'])(
    'the content type %s is as good as any',
    async (type) => {
      expect(await add(await log.submission(0, 5), { 'Content-Type': type })).toMatchObject({ status: 200 });
    },
  );

  test.each([
    ['that continue the same one', 5, (i: number) => log.submission(5, i % 2 === 0 ? 9 : 11)],
    ['of two histories', 0, (i: number) => log.submission(0, 9, i % 2 === 0 ? 'honest' : 'forked')],
  ])('of two checkpoints %s, sent at once, exactly one is cosigned', async (_, from, submission) => {
    if (from > 0) await add(await log.submission(0, from));
    const bodies = await Promise.all(Array.from({ length: 20 }, (_, i) => submission(i)));
    const answers = await Promise.all(bodies.map((body) => add(body)));
    const cosigned = answers.flatMap(({ status }, i) => (status === 200 ? [i % 2] : []));
    expect(new Set(cosigned).size).toBe(1);
  });

  test('everyone reads the newest cosigned checkpoint', async () => {
    const hash = createHash('sha256').update('scores.example/log').digest('hex');
    const path = `!/log/witness/${hash}/checkpoint`;
    expect(await service.request('GET', path, { key: null })).toMatchObject({ status: 404 });
    const { text: lines } = await add(await log.submission(0, 5));
    const { status, text } = await service.request('GET', path, { key: null });
    expect({ status, text }).toEqual({ status: 200, text: (await log.checkpoint(5)) + lines });
    const unknown = createHash('sha256').update('other').digest('hex');
    const other = await service.request('GET', `!/log/witness/${unknown}/checkpoint`, { key: null });
    expect(other).toMatchObject({ status: 404 });
  });

  test('an announced key cosigns beside the current one, so that logs can change over', async () => {
    const before = await witnessKeys();
    await rotateSigningKey(service.db, createVault(TEST_KEYS.data), systemClock, 'witness');
    const env = { BASE_URL, LOG_WITNESS_FOR: log.vkey };
    const restarted = await startTestService(engine, { db: service.db, env });
    const { body } = await restarted.request('GET', '!/.well-known/ledger-log.json', { key: null });
    expect(body.asWitness.vkey).toBe(before.vkey);
    expect(body.asWitness.announcedKeys).toHaveLength(1);
    const { text } = await restarted.request('POST', '!/log/witness/add-checkpoint', {
      key: null,
      body: await log.submission(0, 5),
    });
    const keys = [before.vkey, ...body.asWitness.announcedKeys].map(parseVerifierKey);
    expect(await openNote(parseNote((await log.checkpoint(5)) + text), keys)).toHaveLength(2);
    await restarted.close();
  });
});

test('a service witnesses no log until its operator names one', async () => {
  const service = await startTestService(mainEngine);
  const { body } = await service.request('GET', '!/.well-known/ledger-log.json', { key: null });
  expect(body.asWitness).toBeNull();
  const answer = await service.request('POST', '!/log/witness/add-checkpoint', {
    key: null,
    body: await log.submission(0, 5),
    headers: { 'Content-Type': 'text/plain' },
  });
  expect(answer).toMatchObject({ status: 404 });
  await service.close();
});
