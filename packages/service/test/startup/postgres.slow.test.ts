import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { hasPostgres } from '#harness/engines.js';
import { onServer, type PostgresCluster, startPostgresCluster } from '#harness/postgresCluster.js';
import { TEST_KEYS } from '#harness/service.js';
import { startSharingPooler } from '#harness/sharingPooler.js';
import { call } from '../crash/api.js';
import { runProgram } from '../crash/serverProcess.js';
import { ready, refused, startChild, stopped } from './childService.js';
import { cleanUp, emptyDatabase, newFolder, newRole } from './places.js';

let cluster: PostgresCluster | undefined;

afterAll(async () => {
  await cleanUp();
  await cluster?.remove();
});

/** A start without the worker thread, for tests of what comes before it. */
const startApi = (env: Record<string, string>) => startChild({ ROLE: 'api', ...env });
const FIRST_KEYS = { BOOTSTRAP_LIVE_KEY: TEST_KEYS.live, BOOTSTRAP_TEST_KEY: TEST_KEYS.test };

describe.runIf(hasPostgres)('a start with a database server', () => {
  /** Has a platform once the first test has run. */
  let prepared: { DATABASE_URL: string; DATA_DIR: string };

  test('the first one writes the keys to a file only its owner can read and prints the path but not the keys', async () => {
    prepared = { DATABASE_URL: await emptyDatabase(), DATA_DIR: newFolder() };
    const service = startChild(prepared);
    const address = await ready(service);
    const [, path = ''] = await service.printed(/first keys\s+in (\S+),/);
    expect(path).toBe(join(prepared.DATA_DIR, 'first-keys'));
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const keys = readFileSync(path, 'utf8').match(/crd_(live|test)_[A-Za-z0-9_-]{43}/g) ?? [];
    expect(keys).toHaveLength(2);
    for (const key of keys) {
      expect(await statusOf(address, key)).toBe(200);
      expect(service.output()).not.toContain(key);
    }
    const headers = { 'X-Admin-Secret': 'x'.repeat(32) };
    expect((await call(address, 'GET', '/admin/platforms', { headers })).status).toBe(401);
    await stopped(service);
  });

  test('does not create first keys that it cannot write to a file', async () => {
    const DATABASE_URL = await emptyDatabase();
    const output = await refused({ DATABASE_URL, DATA_DIR: '/dev/null/data', LOG_LEVEL: 'error' });
    expect(output).toMatch(/^DATA_DIR \/dev\/null\/data cannot be used: it is not a folder\. .*\n$/);
    expect(await tablesOf(DATABASE_URL)).toEqual([]);
  });

  test('a later one prints no keys and needs no writable folder', async () => {
    const again = startApi({ ...prepared, DATA_DIR: '/dev/null/data' });
    await ready(again);
    expect(again.output()).not.toContain('first secrets');
    await stopped(again);
  });

  test('a pooler that shares sessions is refused before anything is created', async () => {
    const DATABASE_URL = await emptyDatabase();
    const pooler = await startSharingPooler(DATABASE_URL);
    const DATA_DIR = join(newFolder(), 'data');
    const output = await refused({ DATABASE_URL: pooler.url, DATA_DIR, LOG_LEVEL: 'error' });
    pooler.close();
    expect(output).toMatch(
      /^DATABASE_URL points to a pooler that shares sessions .*pool_mode = session.*\n$/,
    );
    expect(await tablesOf(DATABASE_URL)).toEqual([]);
    expect(existsSync(DATA_DIR)).toBe(false);
  });

  test.each(['migrate', 'auditLedger'])('the command %s refuses such a pooler, too', async (entry) => {
    const DATABASE_URL = await emptyDatabase();
    const pooler = await startSharingPooler(DATABASE_URL);
    const env = { DATABASE_URL: pooler.url, DATA_KEY: TEST_KEYS.data };
    const { code, stderr } = await runProgram(entry, env);
    pooler.close();
    expect(code).toBe(2);
    expect(stderr).toMatch(/^DATABASE_URL points to a pooler that shares sessions [^\n]*\n$/);
    expect(await tablesOf(DATABASE_URL)).toEqual([]);
  });

  test('is refused without DATA_KEY, with instructions to make one', async () => {
    const DATABASE_URL = await emptyDatabase();
    const output = await refused({ DATABASE_URL, DATA_DIR: newFolder(), DATA_KEY: '' });
    expect(output).toMatch(/^DATABASE_URL needs DATA_KEY, .*\n.*openssl rand -base64 32/);
  });

  test('a different DATA_KEY is refused before anything is sealed with it', async () => {
    const output = await refused(
      { ...prepared, DATA_KEY: 'another-key-of-at-least-thirty-two-characters' },
      1,
    );
    expect(output).toContain('DATA_KEY differs from the key that encrypted the secrets in this database');
    const again = startApi(prepared);
    await ready(again);
    await stopped(again);
  });

  test('needs no file when all keys are configured', async () => {
    const env = { DATABASE_URL: await emptyDatabase(), DATA_DIR: newFolder() };
    const service = startApi({ ...env, ...FIRST_KEYS });
    const address = await ready(service);
    expect(await statusOf(address, TEST_KEYS.live)).toBe(200);
    expect(statSync(join(env.DATA_DIR, 'first-keys'), { throwIfNoEntry: false })).toBeUndefined();
    expect(service.output()).not.toMatch(/crd_(live|test)_[LT]/);
    await stopped(service);
  });

  test('two processes that start together create one platform, and one of them writes its keys', async () => {
    const DATABASE_URL = await emptyDatabase();
    const envs = [1, 2].map(() => ({ DATABASE_URL, DATA_DIR: newFolder() }));
    const services = envs.map(startApi);
    const addresses = await Promise.all(services.map(ready));
    const files = envs.flatMap(({ DATA_DIR }) => {
      const path = join(DATA_DIR, 'first-keys');
      return statSync(path, { throwIfNoEntry: false }) ? [readFileSync(path, 'utf8')] : [];
    });
    expect(files).toHaveLength(1);
    const [, key = ''] = /LIVE_KEY=(\S+)/.exec(files[0] ?? '') ?? [];
    for (const address of addresses) expect(await statusOf(address, key)).toBe(200);
    await Promise.all(services.map(stopped));
  });

  test.each([
    ['the identity of the cluster, which its owner may read', false, /^\d+$/],
    ['the start time of the server, where the provider hides that identity', true, /^started \d+/],
  ])('works as the owner of the database without other rights, and notes %s', async (_, isHidden, noted) => {
    const DATABASE_URL = await emptyDatabase(await newRole());
    if (isHidden) {
      const asSuperuser = new URL(DATABASE_URL);
      asSuperuser.username = 'postgres';
      await onServer(asSuperuser.href, (client) =>
        client.query('revoke execute on function pg_control_system() from public'),
      );
    }
    const service = startApi({ DATABASE_URL, DATA_DIR: newFolder() });
    await ready(service);
    const { rows } = await onServer(DATABASE_URL, (client) =>
      client.query('select cluster_id from ledger_cluster'),
    );
    expect(rows).toEqual([{ cluster_id: expect.stringMatching(noted) }]);
    await stopped(service);
  });

  test('a worker opens no port', async () => {
    const DATABASE_URL = await emptyDatabase();
    const worker = startChild({ DATABASE_URL, DATA_DIR: newFolder(), ROLE: 'worker' });
    await worker.printed(/"msg":"ready"/);
    expect(worker.output()).not.toMatch(/listening/i);
    await stopped(worker);
  });

  test('a start before the database server becomes ready without help', async () => {
    cluster = await startPostgresCluster({ fsync: false });
    await cluster.createDatabase('late');
    await cluster.stop();
    const service = startApi({ DATABASE_URL: cluster.url('late'), DATA_DIR: newFolder() });
    const address = await service.address();
    expect((await fetch(`${address}/health/ready`)).status).toBe(503);
    await cluster.start();
    await service.printed(/"msg":"ready"/);
    const [, path = ''] = await service.printed(/first keys\s+in (\S+),/);
    const [, key = ''] = /LIVE_KEY=(\S+)/.exec(readFileSync(path, 'utf8')) ?? [];
    expect(await statusOf(address, key)).toBe(200);
    await stopped(service);
  });

  test('a start goes on when the database stops answering after its preparation', async () => {
    const service = await onServer(prepared.DATABASE_URL, async (client) => {
      await client.query('begin; lock table erasure in access exclusive mode');
      const started = startApi(prepared);
      await started.printed(/"msg":"waiting for the database"/);
      expect((await fetch(`${await started.address()}/health/ready`)).status).toBe(503);
      await client.query('commit');
      return started;
    });
    const answer = await fetch(`${await ready(service)}/health/ready`);
    expect(answer.status).toBe(200);
    await stopped(service);
  });
});

describe.runIf(hasPostgres)('an owner that migrates and a role for the application', () => {
  test('the application waits until the owner has migrated, then works without a warning', async () => {
    const { owner, application } = await databaseWithRoles();
    const service = startApi({ DATABASE_URL: application, DATA_DIR: newFolder(), ...FIRST_KEYS });
    const address = await service.address();
    await service.printed(/waiting for the database.*|npm run migrate/);
    expect((await fetch(`${address}/health/ready`)).status).toBe(503);

    const roles = { DATABASE_URL: application, DATABASE_MIGRATION_URL: owner };
    const migrated = await runProgram('migrate', roles);
    expect(migrated).toMatchObject({ code: 0, output: expect.stringContaining('up to date') });
    await service.printed(/"msg":"ready"/);
    expect(service.output()).toContain('can append to the ledger and cannot change it');
    expect(service.output()).not.toContain('DATABASE_MIGRATION_URL to the role that owns');

    const headers = { Authorization: `Bearer ${TEST_KEYS.live}` };
    const body = JSON.stringify({ userId: 'worker-1', eventType: 'TRANSACTION_COMPLETED' });
    expect((await call(address, 'POST', '/events', { headers, body })).status).toBe(201);
    const deleting = onServer(application, (client) => client.query('delete from event'));
    await expect(deleting).rejects.toThrow('permission denied');
    await stopped(service);
  });

  test('a process that has both addresses migrates and grants at its start', async () => {
    const { owner, application } = await databaseWithRoles();
    const roles = { DATABASE_URL: application, DATABASE_MIGRATION_URL: owner };
    const service = startApi({ ...roles, DATA_DIR: newFolder() });
    await service.printed(/"msg":"ready"/);
    expect(service.output()).toContain('was granted its privileges');
    await stopped(service);
  });

  test('one role for both works and is warned about, with what to do', async () => {
    const { owner } = await databaseWithRoles();
    const service = startApi({ DATABASE_URL: owner, DATA_DIR: newFolder() });
    await service.printed(/"msg":"ready"/);
    expect(service.output()).toMatch(/"level":"warn".*could change the ledger.*Database roles/);
    await stopped(service);
  });

  test('npm run migrate without a right to create tables says what to set', async () => {
    const { application } = await databaseWithRoles();
    const migrated = await runProgram('migrate', { DATABASE_URL: application });
    expect(migrated).toMatchObject({ code: 1, output: expect.stringContaining('DATABASE_MIGRATION_URL') });
  });
});

/** As the SQL in docs/OPERATIONS.md. */
async function databaseWithRoles() {
  const [ownerRole, applicationRole] = [await newRole(), await newRole()];
  const owner = await emptyDatabase(ownerRole);
  const application = new URL(owner);
  application.username = applicationRole;
  return { owner, application: application.href };
}

async function tablesOf(databaseUrl: string): Promise<string[]> {
  const { rows } = await onServer(databaseUrl, (client) =>
    client.query(`select tablename from pg_tables where schemaname = 'public'`),
  );
  return rows.map((row) => row.tablename);
}

async function statusOf(address: string, key: string): Promise<number> {
  const headers = { Authorization: `Bearer ${key}` };
  return (await call(address, 'GET', '/events/export', { headers })).status;
}
