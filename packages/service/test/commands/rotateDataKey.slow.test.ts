import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { applicationUrl } from '#harness/applicationRole.js';
import { hasPostgres, openTestDatabase } from '#harness/engines.js';
import { heldTransaction } from '#harness/heldTransaction.js';
import { serviceMigrations } from '#harness/migrationsFolder.js';
import { seededDataDir } from '#harness/pgliteSeed.js';
import { createVault } from '#kit/crypto.js';
import type { Database } from '#kit/db/database.js';
import { call, LIVE_KEY, TEST_KEY } from '../crash/api.js';
import { ready, startChild, stopped } from '../startup/childService.js';
import { cleanUp, newFolder } from '../startup/places.js';

const OLD_KEY = 'the former data key, of more than thirty-two characters';
const NEW_KEY = 'the new data key, of more than thirty-two characters';
/** Enough for many steps of the rotation. */
const SEEDED = 20_000;

afterAll(cleanUp);

describe.runIf(hasPostgres)('npm run rotate-data-key', () => {
  test('killed in the middle and run again, it leaves nothing under the former key, while two processes run', async () => {
    const database = await openTestDatabase('postgresql');
    const base = {
      DATABASE_URL: applicationUrl(database.url ?? ''),
      DATA_DIR: newFolder(),
      BOOTSTRAP_LIVE_KEY: LIVE_KEY,
      BOOTSTRAP_TEST_KEY: TEST_KEY,
      ADMIN_SECRET: 'admin-secret-of-the-rotation',
    };
    const former = startChild({ ...base, DATA_KEY: OLD_KEY });
    const formerAddress = await ready(former);
    const hooks = [await newWebhook(formerAddress)];
    await seedWebhooks(database.db);

    // Process by process: the first one still seals so that the former process can read it.
    const env = { ...base, DATA_KEY: NEW_KEY, DATA_KEY_PREVIOUS: OLD_KEY };
    const first = startChild(env);
    const firstAddress = await ready(first);
    hooks.push(await newWebhook(firstAddress));
    for (const hook of hooks) expect(await testDelivery(formerAddress, hook)).toBe(200);
    await stopped(former);
    const second = startChild(env);
    const addresses = [firstAddress, await ready(second)];

    // It cannot pass the last webhook before it is killed.
    const lastWebhook = 'select from webhook order by webhook_id desc limit 1 for update';
    const release = await heldTransaction(database.db, (tx) => tx.query(lastWebhook));
    const killed = rotate(env);
    await killed.printed(/webhook secrets: \d+ of/);
    killed.signal('SIGKILL');
    await killed.ended();
    await release();
    const count = async () => {
      const [row] = await database.db.query<{ count: number }>(
        'select count(*) as count from webhook where substring(sealed_secret for 8) <> $1',
        [createVault(NEW_KEY).currentKeyId],
      );
      return row?.count ?? 0;
    };
    expect(await count()).toBeGreaterThan(0);
    expect(await count()).toBeLessThan(SEEDED);

    const early = startChild({ ...base, DATA_KEY: NEW_KEY });
    expect(await early.ended()).toBe(1);
    expect(early.output()).toContain('Set DATA_KEY_PREVIOUS to the former key');

    const again = rotate(env);
    await again.printed(/Continuing a rotation/);
    for (const address of addresses) hooks.push(await newWebhook(address));
    // Two at once do no harm.
    const twin = rotate(env);
    expect(await again.ended()).toBe(0);
    expect(again.output()).toContain('Nothing is encrypted with the previous key any more');
    expect(await twin.ended()).toBe(0);
    expect(await count()).toBe(0);
    for (const hook of hooks) expect(await testDelivery(addresses[0] ?? '', hook)).toBe(200);
    await stopped(first);
    await stopped(second);

    const tooOld = startChild({ ...base, DATA_KEY: OLD_KEY });
    expect(await tooOld.ended()).toBe(1);
    expect(tooOld.output()).toContain('DATA_KEY differs');
    const after = startChild({ ...base, DATA_KEY: NEW_KEY });
    const address = await ready(after);
    for (const hook of hooks) expect(await testDelivery(address, hook)).toBe(200);
    await stopped(after);

    const idle = rotate({ ...base, DATA_KEY: NEW_KEY });
    expect(await idle.ended()).toBe(2);
    expect(idle.output()).toContain('DATA_KEY_PREVIOUS is not set');
    await database.close();
  });
});

describe('npm run rotate-data-key on the embedded database', () => {
  test('generates the new key and keeps the former one until it has ended', async () => {
    const DATA_DIR = newFolder();
    await seededDataDir(serviceMigrations, join(DATA_DIR, 'database'));
    const first = startChild({ DATA_DIR, BOOTSTRAP_LIVE_KEY: LIVE_KEY });
    const hook = await newWebhook(await ready(first));
    const refused = rotate({ DATA_DIR });
    expect(await refused.ended()).toBe(1);
    expect(refused.output()).toContain('is in use');
    await stopped(first);

    const file = join(DATA_DIR, 'data-key');
    const former = readFileSync(file, 'utf8');
    const killed = rotate({ DATA_DIR });
    await killed.printed(/signing keys: \d+ of/);
    killed.signal('SIGKILL');
    await killed.ended();
    expect(readFileSync(join(DATA_DIR, 'data-key-previous'), 'utf8')).toBe(former);
    const between = startChild({ DATA_DIR, BOOTSTRAP_LIVE_KEY: LIVE_KEY });
    expect(await testDelivery(await ready(between), hook)).toBe(200);
    await stopped(between);

    const present = readFileSync(file, 'utf8');
    const again = rotate({ DATA_DIR });
    expect(await again.ended(), again.output()).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(present);
    expect(present).not.toBe(former);
    expect(existsSync(join(DATA_DIR, 'data-key-previous'))).toBe(false);
    const after = startChild({ DATA_DIR, BOOTSTRAP_LIVE_KEY: LIVE_KEY });
    expect(await testDelivery(await ready(after), hook)).toBe(200);
    await stopped(after);
  });
});

/** Sealed under the former key. */
async function seedWebhooks(db: Database): Promise<void> {
  const vault = createVault(OLD_KEY);
  const secrets = Array.from({ length: SEEDED }, () => vault.seal('whsec_seeded', 'webhook secret'));
  await db.execute(
    `insert into webhook (webhook_id, platform_id, livemode, url, events, sealed_secret, created_at, updated_at)
     select gen_random_uuid(), $1, true, 'https://receiver.example', '{}', secret, now(), now()
     from unnest($2::bytea[]) as seeded (secret)`,
    [randomUUID(), secrets],
  );
}

async function newWebhook(address: string): Promise<string> {
  const body = JSON.stringify({ url: 'https://receiver.invalid/hook', events: ['score.updated'] });
  const answer = await call(address, 'POST', '/webhooks', { body });
  expect(answer.status, answer.text).toBe(201);
  return JSON.parse(answer.text).id;
}

/** Opens the secret and signs; the receiver need not exist. */
async function testDelivery(address: string, webhook: string): Promise<number> {
  return (await call(address, 'POST', `/webhooks/${webhook}/test`, { body: '{}' })).status;
}

const rotate = (env: Record<string, string>) => startChild(env, 'rotateDataKey');
