import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { formatVerifierKey } from '@reliability/proof';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { hasCitus, hasPostgres, openTestDatabase, type TestDatabase } from '#harness/engines.js';
import { eventually, PATIENCE_MS } from '#harness/eventually.js';
import { dropDatabase, findPostgres, freshName, onServer } from '#harness/postgresCluster.js';
import { quietLog } from '#harness/quietLog.js';
import { scratchFolder } from '#harness/scratchFolder.js';
import { startTestService, TEST_KEYS, type TestService } from '#harness/service.js';
import { systemClock } from '#kit/clock.js';
import { createVault } from '#kit/crypto.js';
import type { Database } from '#kit/db/database.js';
import { logVerifierKey, originOf } from '#ledger/log/logKey.js';
import { readWitnessStates } from '#ledger/log/witness/witnesses.js';
import { ensureSigningKey, type SigningPurpose } from '#ledger/signingKeys.js';
import { witnessKey } from '../../src/features/transparency/witness/cosign.js';
import { openDatabase } from '../../src/shape/openDatabase.js';
import { runProgram } from '../crash/serverProcess.js';
import { outcome, report } from '../features/intake/eventFixtures.js';
import { settledLog } from '../ledger/log/logDeps.js';

const BASE_URL = 'https://scores.example';
const WITNESS_URL = 'https://witness.example';

// A dump of the coordinator does not have the rows of a Citus cluster, which is restored from base backups.
describe.runIf(hasPostgres && !hasCitus)('after a restored backup', () => {
  const folder = scratchFolder('reliability-rollback-');
  const restoredName = freshName('reliability_restored');
  let own: TestDatabase;
  let ofWitness: TestDatabase;
  let witness: TestService;
  let env: Record<string, string>;
  let restoredUrl = '';
  let lostSize = 0;

  beforeAll(async () => {
    own = await openTestDatabase('postgresql');
    ofWitness = await openTestDatabase('postgresql');
    const logKey = logVerifierKey(originOf(BASE_URL, 0), (await keyOf(own.db, 'log')).publicJwk);
    witness = await startTestService('postgresql', {
      db: ofWitness.db,
      env: { BASE_URL: WITNESS_URL, LOG_WITNESS_FOR: formatVerifierKey(logKey) },
    });
    const key = witnessKey(WITNESS_URL, (await keyOf(ofWitness.db, 'witness')).publicJwk);
    env = { BASE_URL, LOG_WITNESSES: `${formatVerifierKey(key)} ${witness.url}/log/witness` };

    await reportCosigned(own.db, 3);
    const dump = join(folder, 'backup.dump');
    const programs = findPostgres() ?? '';
    execFileSync(join(programs, 'pg_dump'), [
      '--format=custom',
      '--no-owner',
      `--file=${dump}`,
      own.url ?? '',
    ]);
    lostSize = await reportCosigned(own.db, 5);

    const server = inject('testPostgresUrl') ?? '';
    await onServer(server, (admin) => admin.query(`create database ${restoredName}`));
    const url = new URL(own.url ?? '');
    url.pathname = `/${restoredName}`;
    restoredUrl = url.href;
    execFileSync(join(programs, 'pg_restore'), [
      '--no-owner',
      '--exit-on-error',
      `--dbname=${restoredUrl}`,
      dump,
    ]);
  });
  afterAll(async () => {
    await witness.close();
    await Promise.all([own.close(), ofWitness.close()]);
    const server = inject('testPostgresUrl') ?? '';
    await onServer(server, (admin) => dropDatabase(admin, restoredName));
    rmSync(folder, { recursive: true, force: true });
  });

  /** Reports events, and waits until the witness has cosigned all of the log: its leaves. */
  async function reportCosigned(db: Database, events: number): Promise<number> {
    const service = await startTestService('postgresql', { db, env });
    for (let i = 0; i < events; i += 1)
      await report(service, outcome({ userId: 'ana', eventType: 'CONTRACT_FULFILLED', isVerified: true }));
    await service.settle();
    await settledLog(db);
    const size = await cosignedAll(db);
    await service.close();
    return size;
  }

  const asProcess = (entry: 'main' | 'doctor' | 'acceptRollback', args: string[] = []) =>
    runProgram(
      entry,
      { ...env, DATABASE_URL: restoredUrl, DATA_KEY: TEST_KEYS.data, DATA_DIR: folder, PORT: '0' },
      args,
    );

  test('each step of OPERATIONS does what it says', async () => {
    const refused = await asProcess('main');
    expect(refused.code).toBe(1);
    expect(refused.output).toContain(`npm run accept-rollback -- ${lostSize}`);
    expect(refused.output).toContain('known by the witness witness.example/log/witness');

    expect(await asProcess('doctor')).toMatchObject({
      code: 1,
      output: expect.stringMatching(new RegExp(`FAIL  log .*accept-rollback -- ${lostSize}\\b`)),
    });

    const listed = await asProcess('acceptRollback');
    expect(listed).toMatchObject({
      code: 1,
      output: expect.stringContaining(`the log of ${lostSize} leaves`),
    });
    expect(await asProcess('acceptRollback', [String(lostSize + 1)])).toMatchObject({ code: 1 });
    expect((await asProcess('main')).code).toBe(1);

    const accepted = await asProcess('acceptRollback', [String(lostSize)]);
    expect(accepted).toMatchObject({ code: 0, output: expect.stringContaining('The loss is accepted') });
    expect(await asProcess('acceptRollback')).toMatchObject({
      code: 0,
      output: expect.stringContaining('Nothing to accept'),
    });

    expect(await asProcess('doctor')).toMatchObject({ output: expect.stringMatching(/ok {4}log /) });

    const db = await openDatabase({ databaseUrl: restoredUrl, log: quietLog, connectWithinMs: PATIENCE_MS });
    const quiet = { ...env, LOG_LEVEL: 'silent' };
    const service = await startTestService('postgresql', { db, env: quiet });
    await settledLog(db);
    const [note] = await db.query<{ fact: object }>(
      `select fact from log_note join log_fact on kind = 9 and ref = number where fact ->> 'kind' = 'rollback'`,
    );
    expect(note?.fact).toMatchObject({ size: lostSize });
    // The witness does not forget by itself.
    await eventually(async () => (await readWitnessStates(db)).some((state) => state.isContradicting));
    await service.close();

    const ofOther = { DATABASE_URL: ofWitness.url ?? '', DATA_KEY: TEST_KEYS.data, BASE_URL: WITNESS_URL };
    expect(await runProgram('acceptRollback', ofOther, ['--of', 'unknown.example/log'])).toMatchObject({
      code: 1,
    });
    expect(await runProgram('acceptRollback', ofOther, ['--of', 'scores.example/log'])).toMatchObject({
      code: 0,
      output: expect.stringContaining(`of ${lostSize} leaves is forgotten`),
    });
    await settledLog(ofWitness.db);
    const [forgotten] = await ofWitness.db.query<{ fact: object }>(
      `select fact from log_note join log_fact on kind = 9 and ref = number where fact ->> 'kind' = 'rollback'`,
    );
    expect(forgotten?.fact).toMatchObject({ origin: 'scores.example/log', size: lostSize });

    await reportCosigned(db, 1);
    expect(await readWitnessStates(db)).toMatchObject([{ isContradicting: false, problem: null }]);
    await db.close();
  });

  test.each([[['many']], [['0']], [['1', '2']], [['5', '--of', 'scores.example/log']], [['--off', 'x']]])(
    'the command does not take the arguments %j',
    async (args) => {
      expect(await asProcess('acceptRollback', args)).toMatchObject({ code: 2 });
    },
  );
});

function keyOf(db: Database, purpose: SigningPurpose) {
  return ensureSigningKey(db, createVault(TEST_KEYS.data), systemClock, purpose);
}

async function cosignedAll(db: Database): Promise<number> {
  let size = 0;
  await eventually(async () => {
    const [row] = await db.query<{ size: number }>('select max(tree_size) as size from log_checkpoint');
    size = row?.size ?? 0;
    return (await readWitnessStates(db)).every(({ cosignedSize }) => cosignedSize === size);
  });
  return size;
}
