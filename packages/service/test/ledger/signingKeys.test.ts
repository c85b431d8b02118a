import { createPublicKey, sign, verify } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { helpers, jwkToKeyID } from 'web-bot-auth';
import { DAY_MS, HOUR_MS } from '#domain/timestamp.js';
import { engines } from '#harness/engines.js';
import { over } from '#harness/over.js';
import { ownDatabase } from '#harness/ownDatabase.js';
import { createVault } from '#kit/crypto.js';
import { type Database, DatabaseUnavailableError, type Tx } from '#kit/db/database.js';
import {
  createKeyRing,
  ensureSigningKey,
  publishedKeys,
  rotateSigningKey,
  type SigningKey,
  thumbprintOf,
} from '#ledger/signingKeys.js';

const vault = createVault('the data key of the tests');

test('the thumbprint matches RFC 8037, A.3, and ignores other members of the key', () => {
  const key = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' } as const;
  expect(thumbprintOf(key)).toBe('kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k');
  expect(thumbprintOf({ ...key, kid: 'x', use: 'sig' } as typeof key)).toBe(thumbprintOf(key));
});

describe.each(engines)('signing keys on %s', (engine) => {
  const own = ownDatabase(engine);
  let db: Database;
  const clock = { at: new Date(), now: () => clock.at };
  const wait = (ms: number) => {
    clock.at = new Date(clock.at.getTime() + ms);
  };

  beforeAll(() => {
    db = own.db;
  });
  beforeEach(async () => {
    clock.at = new Date('2026-11-21T08:00:00.000Z');
    await db.execute('delete from signing_key');
  });

  const current = (on: Database = db) => ensureSigningKey(on, vault, clock, 'message');
  const rotate = (announcedMs?: number) => rotateSigningKey(db, vault, clock, 'message', announcedMs);
  const listed = async () => (await publishedKeys(db, vault, 'message', clock.at)).map(({ keyId }) => keyId);

  test('the first call creates a key and later calls return it', async () => {
    const made = await current();
    const found = await current();
    expect(found.keyId).toBe(made.keyId);
    expect(found.publicJwk).toEqual(made.publicJwk);
    expect(isPair(found)).toBe(true);
    const { publicJwk } = made;
    expect(await jwkToKeyID({ ...publicJwk }, helpers.WEBCRYPTO_SHA256, helpers.BASE64URL_DECODE)).toBe(
      made.keyId,
    );
  });

  test('processes whose locks do not exclude each other, as on two nodes, create one key', async () => {
    const noLock = (tx: Tx) => ({
      query: (text: string, ...rest: never[]) =>
        text.includes('pg_advisory') ? [] : tx.query(text, ...rest),
    });
    const transaction = (work: (tx: Tx) => unknown) =>
      db.transaction(async (tx) => work(over(tx, noLock(tx))));
    const unlocked = over(db, { transaction });
    const calls = Array.from({ length: 8 }, () => current(unlocked));
    expect(new Set((await Promise.all(calls)).map(({ keyId }) => keyId)).size).toBe(1);
    expect(await db.query('select 1 from signing_key')).toHaveLength(1);
  });

  test('the private key is stored sealed and bound to its key id', async () => {
    const { keyId } = await current();
    const [row] = await db.query<{ text: string; jwk: object }>(
      "select encode(sealed_private, 'escape') as text, public_jwk as jwk from signing_key",
    );
    expect(row?.text).not.toContain('PRIVATE');
    expect(Object.keys(row?.jwk ?? {})).toEqual(['kty', 'crv', 'x']);
    await expect(ensureSigningKey(db, createVault('another data key'), clock, 'message')).rejects.toThrow(
      keyId,
    );
    await db.execute("update signing_key set key_id = 'another'");
    await expect(current()).rejects.toThrow('cannot decrypt');
  });

  test('a new key is published 25 hours before it signs, and the old one for 30 days after', async () => {
    const old = await current();
    const { keyId, signsFrom } = await rotate();
    expect(signsFrom).toEqual(new Date('2026-11-22T09:00:00.000Z'));
    expect(await listed()).toEqual([old.keyId, keyId]);
    wait(25 * HOUR_MS - 1);
    expect((await current()).keyId).toBe(old.keyId);
    wait(1);
    const now = await current();
    expect(now.keyId).toBe(keyId);
    expect(isPair(now)).toBe(true);
    wait(30 * DAY_MS - 1);
    expect(await listed()).toEqual([old.keyId, keyId]);
    wait(1);
    expect(await listed()).toEqual([keyId]);
  });

  test('credential keys are separate and stay published for 92 days, two more than a credential lasts', async () => {
    const published = async () =>
      (await publishedKeys(db, vault, 'credential', clock.at)).map(({ keyId }) => keyId);
    const old = await ensureSigningKey(db, vault, clock, 'credential');
    expect((await current()).keyId).not.toBe(old.keyId);
    const { keyId } = await rotateSigningKey(db, vault, clock, 'credential', 0);
    expect(await listed()).toHaveLength(1);
    wait(92 * DAY_MS - 1);
    expect(await published()).toEqual([old.keyId, keyId]);
    wait(1);
    expect(await published()).toEqual([keyId]);
  });

  test('an immediate rotation replaces an announced one', async () => {
    const first = await current();
    const second = await rotate();
    const third = await rotate(0);
    expect((await current()).keyId).toBe(third.keyId);
    expect((await listed()).sort()).toEqual([first.keyId, second.keyId, third.keyId].sort());
  });

  test('two announced rotations follow one another', async () => {
    await current();
    const second = await rotate();
    wait(HOUR_MS);
    const third = await rotate();
    wait(24 * HOUR_MS);
    expect((await current()).keyId).toBe(second.keyId);
    wait(HOUR_MS);
    expect((await current()).keyId).toBe(third.keyId);
  });

  test('a rotation without a key creates one that signs at once', async () => {
    const { keyId, signsFrom } = await rotate();
    expect(signsFrom).toEqual(clock.at);
    expect((await current()).keyId).toBe(keyId);
  });

  test('concurrent rotations leave one key without an end', async () => {
    await current();
    await Promise.all([rotate(), rotate(), rotate()]);
    expect(await db.query('select 1 from signing_key where retired_at is null')).toHaveLength(1);
  });

  test('a published end never moves and is constant within a day', async () => {
    const end = async () => (await publishedKeys(db, vault, 'message', clock.at))[0]?.publishedUntil;
    await current();
    const promised = await end();
    expect(promised).toEqual(new Date('2026-12-21T00:00:00.000Z'));
    wait(15 * HOUR_MS);
    expect(await end()).toEqual(promised);
    await rotate(0);
    expect((await end())?.getTime()).toBeGreaterThan(promised?.getTime() ?? Number.NaN);
  });

  describe('the key cache of a process', () => {
    const ringOn = (on: Database) => createKeyRing(on, vault, clock, 'message');

    test('sees the rotation of another process within a minute', async () => {
      const ring = ringOn(db);
      const before = await ring.current();
      const { keyId } = await rotate(0);
      expect((await ring.current()).keyId).toBe(before.keyId);
      wait(60_000);
      expect((await ring.current()).keyId).toBe(keyId);
      expect((await ring.published()).map((key) => key.keyId)).toEqual([before.keyId, keyId]);
    });

    test('queries the database at most twice a minute', async () => {
      await current();
      let asked = 0;
      const ring = ringOn(spied(db, () => void asked++));
      await Promise.all(Array.from({ length: 100 }, () => ring.current()));
      await ring.published();
      const once = asked;
      expect(once).toBeLessThanOrEqual(2);
      wait(30_000);
      await ring.current();
      expect(asked).toBe(2 * once);
      wait(-5000); // a clock that was set back
      await ring.current();
      expect(asked).toBe(3 * once);
    });

    test('serves the cached keys during a database outage and fails if it never loaded any', async () => {
      let isAway = false;
      const shaky = spied(db, () => {
        if (isAway) throw new DatabaseUnavailableError('of the test');
      });
      const ring = ringOn(shaky);
      const { keyId } = await ring.current();
      isAway = true;
      wait(HOUR_MS);
      expect((await ring.current()).keyId).toBe(keyId);
      await expect(ringOn(shaky).current()).rejects.toThrow(DatabaseUnavailableError);
      isAway = false;
      const next = await rotate(0);
      wait(30_000);
      expect((await ring.current()).keyId).toBe(next.keyId);
    });

    test('reports a key sealed with another DATA_KEY', async () => {
      const ring = ringOn(db);
      await ring.current();
      await rotateSigningKey(db, createVault('another data key'), clock, 'message', 0);
      wait(30_000);
      await expect(ring.current()).rejects.toThrow('DATA_KEY');
    });
  });
});

function isPair({ privateKey, publicJwk }: SigningKey): boolean {
  const message = Buffer.from('anything');
  const publicKey = createPublicKey({ key: { ...publicJwk }, format: 'jwk' });
  return verify(null, message, publicKey, sign(null, message, privateKey));
}

/** The database; calls back for each statement outside transactions. */
function spied(db: Database, beforeQuery: () => void): Database {
  const query = async (text: string, ...rest: never[]) => {
    beforeQuery();
    return db.query(text, ...rest);
  };
  const spy: Database = over(db, {
    query,
    get shared() {
      return spy;
    },
  });
  return spy;
}
