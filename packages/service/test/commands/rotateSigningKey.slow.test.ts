import { describe, expect, test } from 'vitest';
import { hasPostgres, openTestDatabase } from '#harness/engines.js';
import { startTestService, TEST_KEYS } from '#harness/service.js';
import { systemClock } from '#kit/clock.js';
import { createVault } from '#kit/crypto.js';
import { publishedKeys, type SigningPurpose } from '#ledger/signingKeys.js';
import { runProgram } from '../crash/serverProcess.js';

const rotate = (env: Record<string, string>, args: readonly string[] = []) =>
  runProgram('rotateSigningKey', env, args);

describe.runIf(hasPostgres)('npm run rotate-signing-key', () => {
  test('publishes the new key beside the old one and removes a compromised key', async () => {
    const database = await openTestDatabase('postgresql');
    const service = await startTestService('postgresql', { db: database.db });
    await service.close();
    const env = { DATABASE_URL: database.url ?? '', DATA_KEY: TEST_KEYS.data };
    const listed = async (purpose: SigningPurpose = 'message') => {
      const keys = await publishedKeys(database.db, createVault(TEST_KEYS.data), purpose, systemClock.now());
      return keys.map(({ keyId }) => keyId);
    };

    expect(await rotate({ ...env, DATA_KEY: 'x'.repeat(32) })).toMatchObject({ code: 1 });
    expect(await rotate(env)).toMatchObject({ code: 0, output: expect.stringContaining('signs from') });
    const [first = ''] = await listed();
    expect(await rotate(env)).toMatchObject({ code: 0 });
    expect(await listed()).toHaveLength(2);
    const { output } = await rotate(env, ['--compromised']);
    const after = await listed();
    expect(after).toHaveLength(1);
    expect(after).not.toContain(first);
    expect(output).toContain(after[0]);
    const credential = await rotate(env, ['--purpose', 'credential']);
    const [credentialKey = ''] = await listed('credential');
    expect(credential.output).toContain(`credential key ${credentialKey}`);
    expect(await listed()).toEqual(after);
    await database.close();
  });

  test('names the invalid argument', async () => {
    expect(await rotate({}, ['--compromized'])).toMatchObject({ code: 2 });
    const answer = await rotate({}, ['--purpose', 'anything']);
    expect(answer).toMatchObject({ code: 2, output: expect.stringContaining('message, credential') });
  });
});
