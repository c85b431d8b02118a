import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { runEntry } from './crash/serverProcess.js';
import { hasPostgres } from './harness/engines.js';
import {
  freshName,
  onServer,
  type PostgresCluster,
  startPostgresCluster,
} from './harness/postgresCluster.js';
import { scratchFolder } from './harness/scratchFolder.js';
import { TEST_KEYS } from './harness/service.js';
import { startSharingPooler } from './harness/sharingPooler.js';
import { endChildren, ready, startChild, stopped } from './startup/childService.js';

const folders: string[] = [];
const databases: string[] = [];
const roles: string[] = [];
let cluster: PostgresCluster | undefined;

afterAll(async () => {
  await endChildren();
  await asSuperuser([
    ...databases.map((name) => `drop database if exists ${name} with (force)`),
    ...roles.map((name) => `drop role if exists ${name}`),
  ]);
  await cluster?.remove();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

describe.runIf(hasPostgres)('a first start with a database server', () => {
  test('writes the keys to a file only its owner can read and prints the path but not the keys', async () => {
    const env = { DATABASE_URL: await emptyDatabase(), DATA_DIR: newFolder() };
    const service = startChild(env);
    const address = await ready(service);
    const [, path = ''] = await service.printed(/first keys\s+in (\S+),/);
    expect(path).toBe(join(env.DATA_DIR, 'first-keys'));
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const keys = readFileSync(path, 'utf8').match(/crd_(live|test)_[A-Za-z0-9_-]{43}/g) ?? [];
    expect(keys).toHaveLength(2);
    for (const key of keys) {
      expect(await statusOf(address, key)).toBe(200);
      expect(service.output()).not.toContain(key);
    }
    const asOperator = await fetch(`${address}/api/v1/admin/platforms`, {
      headers: { 'X-Admin-Secret': 'x'.repeat(32) },
    });
    expect(asOperator.status).toBe(401);
    await stopped(service);

    const again = startChild({ ...env, DATA_DIR: newFolder() });
    await ready(again);
    expect(again.output()).not.toContain('first secrets');
    await stopped(again);
  });

  test('does not create first keys that it cannot write to a file', async () => {
    const DATABASE_URL = await emptyDatabase();
    const service = startChild({ DATABASE_URL, DATA_DIR: '/dev/null/data', LOG_LEVEL: 'error' });
    expect(await service.ended()).toBe(2);
    expect(service.output()).toMatch(
      /^DATA_DIR \/dev\/null\/data cannot be used: it is not a folder\. .*\n$/,
    );
    expect(await tablesOf(DATABASE_URL)).toEqual([]);
  });

  test('needs no writable folder once there is a platform', async () => {
    const DATABASE_URL = await emptyDatabase();
    const first = startChild({ DATABASE_URL, DATA_DIR: newFolder() });
    await ready(first);
    await stopped(first);
    const again = startChild({ DATABASE_URL, DATA_DIR: '/dev/null/data' });
    await ready(again);
    await stopped(again);
  });

  test('a pooler that shares sessions is refused before anything is created', async () => {
    const DATABASE_URL = await emptyDatabase();
    const pooler = await startSharingPooler(DATABASE_URL);
    const DATA_DIR = join(newFolder(), 'data');
    const service = startChild({ DATABASE_URL: pooler.url, DATA_DIR, LOG_LEVEL: 'error' });
    expect(await service.ended()).toBe(2);
    pooler.close();
    expect(service.output()).toMatch(
      /^DATABASE_URL points to a pooler that shares sessions .*pool_mode = session.*\n$/,
    );
    expect(await tablesOf(DATABASE_URL)).toEqual([]);
    expect(existsSync(DATA_DIR)).toBe(false);
  });

  test.each(['migrate', 'auditLedger'] as const)(
    'the command %s refuses such a pooler, too',
    async (entry) => {
      const DATABASE_URL = await emptyDatabase();
      const pooler = await startSharingPooler(DATABASE_URL);
      const command = runEntry(entry, { DATABASE_URL: pooler.url, DATA_KEY: TEST_KEYS.data });
      const [errors, [code]] = await Promise.all([
        command.stderr ? text(command.stderr) : '',
        once(command, 'exit'),
      ]);
      pooler.close();
      expect(code).toBe(2);
      expect(errors).toMatch(/^DATABASE_URL points to a pooler that shares sessions [^\n]*\n$/);
      expect(await tablesOf(DATABASE_URL)).toEqual([]);
    },
  );

  test('is refused without DATA_KEY, with instructions to make one', async () => {
    const DATABASE_URL = await emptyDatabase();
    const service = startChild({ DATABASE_URL, DATA_DIR: newFolder(), DATA_KEY: '' });
    expect(await service.ended()).toBe(2);
    expect(service.output()).toMatch(/^DATABASE_URL needs DATA_KEY, .*\n.*openssl rand -base64 32/);
  });

  test('a different DATA_KEY is refused before anything is sealed with it', async () => {
    const env = { DATABASE_URL: await emptyDatabase(), DATA_DIR: newFolder() };
    const first = startChild(env);
    await ready(first);
    await stopped(first);
    const other = startChild({ ...env, DATA_KEY: 'another-key-of-at-least-thirty-two-characters' });
    expect(await other.ended()).toBe(1);
    expect(other.output()).toContain(
      'DATA_KEY differs from the key that encrypted the secrets in this database',
    );
    const again = startChild(env);
    await ready(again);
    await stopped(again);
  });

  test('needs no file when all keys are configured', async () => {
    const env = { DATABASE_URL: await emptyDatabase(), DATA_DIR: newFolder() };
    const service = startChild({
      ...env,
      BOOTSTRAP_LIVE_KEY: TEST_KEYS.live,
      BOOTSTRAP_TEST_KEY: TEST_KEYS.test,
    });
    const address = await ready(service);
    expect(await statusOf(address, TEST_KEYS.live)).toBe(200);
    expect(statSync(join(env.DATA_DIR, 'first-keys'), { throwIfNoEntry: false })).toBeUndefined();
    expect(service.output()).not.toMatch(/crd_(live|test)_[LT]/);
    await stopped(service);
  });

  test('two processes that start together create one platform, and one of them writes its keys', async () => {
    const DATABASE_URL = await emptyDatabase();
    const envs = [1, 2].map(() => ({ DATABASE_URL, DATA_DIR: newFolder() }));
    const services = envs.map(startChild);
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

  test('works as a database role that owns its database and has no other right', async () => {
    const role = freshName('reliability_owner');
    roles.push(role);
    await asSuperuser([`create role ${role} login`]);
    const url = new URL(await emptyDatabase(role));
    url.username = role;
    const service = startChild({ DATABASE_URL: url.href, DATA_DIR: newFolder() });
    await ready(service);
    const [row] = await onServer(
      url.href,
      async (client) => (await client.query('select cluster_id from ledger_cluster')).rows,
    );
    expect(row.cluster_id).toMatch(/^\d+$/);
    await stopped(service);
  });

  test('the start time of the server replaces a cluster identity that the provider hides', async () => {
    const role = freshName('reliability_owner');
    roles.push(role);
    await asSuperuser([`create role ${role} login`]);
    const url = new URL(await emptyDatabase(role));
    await onServer(url.href, (client) =>
      client.query('revoke execute on function pg_control_system() from public'),
    );
    url.username = role;
    const service = startChild({ DATABASE_URL: url.href, DATA_DIR: newFolder() });
    await ready(service);
    const [row] = await onServer(
      url.href,
      async (client) => (await client.query('select cluster_id from ledger_cluster')).rows,
    );
    expect(row.cluster_id).toMatch(/^started \d+/);
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
    const service = startChild({ DATABASE_URL: cluster.url('late'), DATA_DIR: newFolder() });
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
    const env = { DATABASE_URL: await emptyDatabase(), DATA_DIR: newFolder() };
    const first = startChild(env);
    await ready(first);
    await stopped(first);
    const service = await onServer(env.DATABASE_URL, async (client) => {
      await client.query('begin; lock table erasure in access exclusive mode');
      const started = startChild(env);
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

async function tablesOf(databaseUrl: string): Promise<string[]> {
  const { rows } = await onServer(databaseUrl, (client) =>
    client.query(`select tablename from pg_tables where schemaname = 'public'`),
  );
  return rows.map((row) => row.tablename);
}

async function statusOf(address: string, key: string): Promise<number> {
  const answer = await fetch(`${address}/api/v1/events/export`, {
    headers: { Authorization: `Bearer ${key}` },
  });
  return answer.status;
}

async function emptyDatabase(owner?: string): Promise<string> {
  const name = freshName('reliability_start');
  databases.push(name);
  await asSuperuser([`create database ${name}${owner ? ` owner ${owner}` : ''}`]);
  const url = new URL(inject('testPostgresUrl') ?? '');
  url.pathname = `/${name}`;
  return url.href;
}

async function asSuperuser(statements: readonly string[]): Promise<void> {
  const url = inject('testPostgresUrl');
  if (url === undefined || statements.length === 0) return;
  await onServer(url, async (client) => {
    for (const statement of statements) await client.query(statement);
  });
}

function newFolder(): string {
  const folder = scratchFolder('reliability-start-');
  folders.push(folder);
  return folder;
}
