import {
  formatVerifierKey,
  parseNote,
  parseVerifierKey,
  type VerifyOptions,
  verify,
} from '@reliability/proof';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breadth, type Engine, firstGroupOf, groupHandles, openTestDatabase } from '#harness/engines.js';
import { eventually } from '#harness/eventually.js';
import { freePort } from '#harness/freePort.js';
import { startTestService, TEST_KEYS, type TestService } from '#harness/service.js';
import { systemClock } from '#kit/clock.js';
import { createVault } from '#kit/crypto.js';
import type { Database } from '#kit/db/database.js';
import { logVerifierKey, originOf } from '#ledger/log/logKey.js';
import { readLogState } from '#ledger/log/state.js';
import { ensureSigningKey } from '#ledger/signingKeys.js';
import { witnessKey } from '../../../src/features/transparency/witness/cosign.js';
import { settledLog } from '../../ledger/log/logDeps.js';
import { outcome, report } from '../intake/eventFixtures.js';

const good = { eventType: 'CONTRACT_FULFILLED', isVerified: true };

type Installation = Awaited<ReturnType<typeof installation>>;

describe.each(breadth)('two services that witness one another, on %s', (engine) => {
  let a: Installation;
  let b: Installation;
  let first: TestService;
  let second: TestService;

  beforeAll(async () => {
    [a, b] = await Promise.all([installation(engine, 'a.example'), installation(engine, 'b.example')]);
    first = await start(a, b);
    second = await start(b, a);
  });
  afterAll(async () => {
    await Promise.all([first.close(), second.close()]);
    await Promise.all([a.database.close(), b.database.close()]);
  });

  const start = (own: Installation, other: Installation, env: Record<string, string> = {}) =>
    startTestService(engine, {
      db: own.database.db,
      port: own.port,
      inFirstGroup: true, // whose log is `/log`
      env: {
        BASE_URL: own.baseUrl,
        LOG_WITNESSES: `${other.witnessVkey} http://127.0.0.1:${other.port}/log/witness`,
        LOG_WITNESS_QUORUM: '1',
        LOG_WITNESS_FOR: other.logVkeys.join(','),
        LOG_LEVEL: 'silent',
        ...env,
      },
    });

  const trusting = (own: Installation, other: Installation): VerifyOptions => ({
    logKey: parseVerifierKey(own.logVkey),
    witnesses: [parseVerifierKey(other.witnessVkey)],
    now: new Date(Date.now() + 60_000),
  });

  async function scored(service: TestService, userId: string): Promise<string> {
    const { body } = await report(service, outcome({ userId, ...good }));
    await service.settle();
    await settledLog(service.db);
    await publishedAll(service.db);
    return body.eventId;
  }

  test('each publishes what the other has cosigned: checkpoint, receipt and proof of a score', async () => {
    for (const [service, own, other] of [
      [first, a, b],
      [second, b, a],
    ] as const) {
      const eventId = await scored(service, 'witnessed');
      const { body: receipt } = await service.request('GET', `/events/${eventId}/receipt`);
      const { body: proof } = await service.request('GET', '/users/witnessed/score/proof');
      const { text: checkpoint } = await service.request('GET', '!/log/checkpoint', { key: null });
      for (const made of [receipt, proof]) {
        const verification = await verify(made, trusting(own, other));
        expect(verification).toMatchObject({ ok: true, isComplete: true });
        expect(verification.steps.map(({ name }) => name)).toContain('witnesses');
      }
      expect(proof.cosignatures).toHaveLength(1);
      const name = parseVerifierKey(other.witnessVkey).name;
      expect(proof.cosignatures[0]).toContain(`— ${name} `);
      for (const note of [checkpoint, receipt.checkpoint, proof.checkpoint])
        expect(parseNote(note).signatures.map((signature) => signature.name)).toContain(name);
    }
  });

  test('the witnesses are public: their keys, the own one, and in /status.json how far they are', async () => {
    const { body } = await first.request('GET', '!/.well-known/ledger-log.json', { key: null });
    expect(body).toMatchObject({
      vkey: a.logVkey,
      witnesses: [b.witnessVkey],
      asWitness: { vkey: a.witnessVkey, logs: b.logVkeys.map((key) => parseVerifierKey(key).name) },
    });
    const { treeSize, publishedSize, witnesses } = (
      await first.request('GET', '!/status.json', { key: null })
    ).body.checks.log;
    expect(publishedSize).toBe(treeSize);
    expect(witnesses).toMatchObject([{ status: 'ok', cosignedSize: treeSize }]);
  });

  test('the operator shows one reader another log: it has no cosignature, and the witness tells', async () => {
    await scored(first, 'reader');
    const { body: honest } = await first.request('GET', '/users/reader/score/proof');
    expect((await verify(honest, trusting(a, b))).ok).toBe(true);

    // The operator keeps a second ledger under the same key, in which this worker looks worse.
    const forked = await openTestDatabase(engine);
    await copyKeys(a.database.db, forked.db);
    const env = { LOG_WITNESS_QUORUM: '0' };
    const shown = await start({ ...a, database: forked, port: await freePort() }, b, env);
    for (let i = 0; i < 3; i += 1)
      await report(shown, outcome({ userId: 'reader', eventType: 'CONTRACT_BREACHED', isVerified: true }));
    await shown.settle();
    await settledLog(forked.db);
    const { body: lie } = await shown.request('GET', '/users/reader/score/proof');

    // By itself it looks sound.
    const { witnesses: _, ...withoutWitnesses } = trusting(a, b);
    expect(await verify(lie, withoutWitnesses)).toMatchObject({ ok: true });
    const failed = async (proof: unknown) =>
      (await verify(proof, trusting(a, b))).steps.filter(({ ok }) => ok === false).map(({ name }) => name);
    expect(await failed(lie)).toEqual(['witnesses']);
    expect(await failed({ ...lie, cosignatures: honest.cosignatures })).toEqual(['witnesses']);

    await eventually(async () => {
      const { body } = await shown.request('GET', '!/status.json', { key: null });
      return body.checks.log.status === 'contradicted';
    });
    expect((await shown.request('GET', '/users/reader/score/proof')).body.cosignatures).toEqual([]);
    // Whoever demands a quorum gets nothing at all. The start already tells.
    await shown.close();
    await expect(start({ ...a, database: forked, port: await freePort() }, b)).rejects.toThrow(
      'does not contain the log of',
    );
    await forked.close();

    // The honest log goes on.
    await scored(first, 'reader');
    const { body: later } = await first.request('GET', '/users/reader/score/proof');
    expect((await verify(later, trusting(a, b))).ok).toBe(true);
  });

  test('while the witness is away the newest published checkpoint answers, and it goes on by itself', async () => {
    await scored(first, 'away');
    const { text: before } = await first.request('GET', '!/log/checkpoint', { key: null });
    await second.close();
    const { body } = await report(first, outcome({ userId: 'away', ...good }));
    await first.settle();
    await settledLog(first.db);
    expect(await first.request('GET', `/events/${body.eventId}/receipt`)).toMatchObject({
      status: 503,
      body: { code: 'NOT_LOGGED_YET', error: expect.stringContaining('cosignatures') },
    });
    expect((await first.request('GET', '!/log/checkpoint', { key: null })).text).toBe(before);
    second = await start(b, a);
    await publishedAll(first.db);
    expect((await first.request('GET', `/events/${body.eventId}/receipt`)).status).toBe(200);
  });
});

/** An installation before its first start: its keys are known, as after a start without witnesses. */
async function installation(engine: Engine, host: string) {
  const database = await openTestDatabase(engine);
  const baseUrl = `https://${host}`;
  const keyOf = (purpose: 'log' | 'witness') => signingKey(database.db, purpose);
  const { publicJwk } = await keyOf('log');
  /** Of the logs of all ledger groups. */
  const logVkeys = (await groupHandles(database.db)).map(({ ledgers }) =>
    formatVerifierKey(logVerifierKey(originOf(baseUrl, ledgers.own), publicJwk)),
  );
  return {
    database,
    port: await freePort(),
    baseUrl,
    logVkey: logVkeys[0] ?? '',
    logVkeys,
    witnessVkey: formatVerifierKey(witnessKey(baseUrl, (await keyOf('witness')).publicJwk)),
  };
}

function signingKey(db: Database, purpose: 'log' | 'witness') {
  return ensureSigningKey(db, createVault(TEST_KEYS.data), systemClock, purpose);
}

async function copyKeys(from: Database, to: Database): Promise<void> {
  const rows = await from.query<{ keyId: string; publicJwk: object; sealedPrivate: Buffer; createdAt: Date }>(
    `select key_id, public_jwk, sealed_private, created_at from signing_key where purpose = 'log'`,
  );
  for (const { keyId, publicJwk, sealedPrivate, createdAt } of rows)
    await to.execute(
      `insert into signing_key (key_id, purpose, public_jwk, sealed_private, created_at) values ($1, 'log', $2, $3, $4)`,
      [keyId, publicJwk, sealedPrivate, createdAt],
    );
}

/** Waits until witnesses have cosigned the newest checkpoints of all ledger groups. */
async function publishedAll(db: Database): Promise<void> {
  for (const group of await groupHandles(firstGroupOf(db))) {
    await eventually(async () => {
      const { publishedSize, signedSize } = await readLogState(group);
      return publishedSize === signedSize;
    });
  }
}
