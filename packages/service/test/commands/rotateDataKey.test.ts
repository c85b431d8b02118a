import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asApplication, engines, ofLedger, openTestDatabase, type TestDatabase } from '#harness/engines.js';
import { startTestService, TEST_KEYS } from '#harness/service.js';
import { createVault } from '#kit/crypto.js';
import type { Database } from '#kit/db/database.js';
import { beginRotation, readDataKey } from '#ledger/dataKey.js';
import { countForeign, findForeign, rotateDataKey } from '../../src/commands/rotateDataKey/rotateDataKey.js';
import { sealedColumns } from '../../src/commands/rotateDataKey/sealedColumns.js';
import { assertDataKey } from '../../src/start/firstStart.js';
import { outcome, report } from '../features/intake/eventFixtures.js';

const NEW_KEY = 'the new data key of the tests, of forty-three characters';
const SLACK = 'https://hooks.slack.com/services/T000/B000/xyz';
const NO_KEY = Buffer.alloc(8);
const onProgress = () => {};

describe.each(engines)('the rotation of DATA_KEY on %s', (engine) => {
  let database: TestDatabase;
  /** The platform's ledger group, with the shared tables. */
  let ledger: Database;

  beforeAll(async () => {
    database = await openTestDatabase(engine);
    const service = await startTestService(engine, { db: database.db });
    ledger = ofLedger(service.ledger);
    expect((await report(service, outcome())).status).toBe(201);
    await service.settle();
    const post = async (path: string, body: object) => {
      const answer = await service.request('POST', path, { body });
      expect(answer.status, answer.text).toBeLessThan(300);
      return answer.body;
    };
    const webhook = { url: 'https://receiver.example/hook', events: ['score.updated'] };
    const { id } = await post('/webhooks', webhook);
    await post(`/webhooks/${id}/rotate-secret`, {});
    await post('/notification-channels', { type: 'slack', target: SLACK });
    await post('/users/worker-1/share-token', {});
    await post('/users/worker-1/credential-offers', {
      credentialType: 'ServiceProfessionalRecordCredential',
    });
    await report(service, outcome({ userId: 'erased' }));
    await post('/users/erased/erasure', {});
    await service.close();
  });
  afterAll(() => database.close());

  test('knows every column whose name says that it is sealed', async () => {
    const columns = await database.db.query<{ place: string }>(
      `select c.relname || '.' || a.attname as place from pg_attribute a join pg_class c on c.oid = a.attrelid
       where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace and not a.attisdropped
         and (a.attname like 'sealed%' or a.attname like '%data_key_check')`,
    );
    const known = [
      ...sealedColumns.map(({ table, column }) => `${table}.${column}`),
      'installation.data_key_check',
      'installation.previous_data_key_check',
      'idempotency.sealed', // under the caller's own key
    ];
    expect(columns.map(({ place }) => place).sort()).toEqual(known.sort());
  });

  test('seals everything under the new key and leaves what neither key opens', async () => {
    const db = asApplication(database.db);
    for (const place of sealedColumns) {
      expect(await countForeign(ledger, place, NO_KEY), place.label).toBeGreaterThan(0);
    }
    // As a lost key sealed it.
    const lost = randomBytes(80);
    await ledger.execute('update webhook set sealed_previous_secret = $1', [lost]);

    const vault = createVault(NEW_KEY, TEST_KEYS.data);
    expect(await assertDataKey(db, vault)).toBe('previous');
    const { resealed, unreadable } = await rotateDataKey({ db, vault, onProgress, graceMs: 0 });
    expect(resealed).toBeGreaterThanOrEqual(sealedColumns.length - 1);
    expect(unreadable).toEqual([expect.stringMatching(/^former webhook secrets [0-9a-f-]{36}$/)]);

    const alone = createVault(NEW_KEY);
    expect(await assertDataKey(db, alone)).toBe('current');
    for (const place of sealedColumns.filter(({ column }) => column !== 'sealed_previous_secret')) {
      const rows = await findForeign(ledger, place, NO_KEY, null, 100);
      expect(rows.length, place.label).toBeGreaterThan(0);
      for (const { key, sealed } of rows) alone.open(sealed, place.context(key));
    }
    expect(
      await ledger.query('select 1 from webhook where sealed_previous_secret = $1', [lost]),
    ).toHaveLength(1);
    const again = await rotateDataKey({ db, vault, onProgress, graceMs: 0 });
    expect(again.resealed).toBe(0);
  });

  test('says which key a start lacks, before and during a rotation', async () => {
    const db = asApplication(database.db);
    const THIRD = 'a third data key, of more than thirty-two characters';
    await expect(assertDataKey(db, createVault(THIRD))).rejects.toThrow('DATA_KEY differs');
    const vault = createVault(THIRD, NEW_KEY);
    expect(await assertDataKey(db, vault)).toBe('previous');
    await beginRotation(db, vault);
    expect(await readDataKey(db, createVault(THIRD, NEW_KEY))).toBe('rotating');
    await expect(assertDataKey(db, createVault(THIRD))).rejects.toThrow('Set DATA_KEY_PREVIOUS');
    await expect(assertDataKey(db, createVault(NEW_KEY))).rejects.toThrow('DATA_KEY differs');
    await expect(assertDataKey(db, createVault('x'.repeat(40), THIRD))).rejects.toThrow('DATA_KEY_PREVIOUS');
    // Back to the key before.
    const back = createVault(NEW_KEY, THIRD);
    expect(await assertDataKey(db, back)).toBe('previous');
    await rotateDataKey({ db, vault: back, onProgress, graceMs: 0 });
    expect(await assertDataKey(db, createVault(NEW_KEY))).toBe('current');
  });

  test('a process seals with the former key until the rotation begins', async () => {
    const db = asApplication(database.db);
    const NEXT = 'the next data key, of more than thirty-two characters';
    const vault = createVault(NEXT, NEW_KEY);
    await assertDataKey(db, vault);
    // Processes that know only the former key still run and must read it.
    expect(createVault(NEW_KEY).open(vault.seal('a secret', 'test'), 'test')).toBe('a secret');
    await beginRotation(db, createVault(NEXT, NEW_KEY));
    await readDataKey(db, vault);
    expect(createVault(NEXT).open(vault.seal('a secret', 'test'), 'test')).toBe('a secret');
  });
});
