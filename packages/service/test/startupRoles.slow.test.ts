import { rmSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { runEntry } from './crash/serverProcess.js';
import { hasPostgres } from './harness/engines.js';
import { freshName, onServer } from './harness/postgresCluster.js';
import { scratchFolder } from './harness/scratchFolder.js';
import { TEST_KEYS } from './harness/service.js';
import { endChildren, startChild } from './startup/childService.js';

const created: string[] = [];
const folders: string[] = [];

afterAll(async () => {
  await endChildren();
  for (const statement of created.reverse()) await asSuperuser(statement);
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

describe.runIf(hasPostgres)('an owner that migrates and a role for the application', () => {
  test('the application waits until the owner has migrated, then works without a warning', async () => {
    const { owner, application } = await databaseWithRoles();
    const env = {
      DATABASE_URL: application,
      DATA_DIR: newFolder(),
      BOOTSTRAP_LIVE_KEY: TEST_KEYS.live,
      BOOTSTRAP_TEST_KEY: TEST_KEYS.test,
    };
    const service = startChild(env);
    const address = await service.address();
    await service.printed(/waiting for the database.*|npm run migrate/);
    expect((await fetch(`${address}/health/ready`)).status).toBe(503);

    const migrated = await migrate({ DATABASE_URL: application, DATABASE_MIGRATION_URL: owner });
    expect(migrated).toMatchObject({ code: 0, output: expect.stringContaining('up to date') });
    await service.printed(/"msg":"ready"/);
    expect(service.output()).toContain('can append to the ledger and cannot change it');
    expect(service.output()).not.toContain('DATABASE_MIGRATION_URL to the role that owns');

    const answer = await fetch(`${address}/api/v1/events`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${TEST_KEYS.live}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ userId: 'worker-1', eventType: 'CONTRACT_FULFILLED', stakeLevel: 'LOW' }),
    });
    expect(answer.status).toBe(201);
    await expect(onServer(application, (client) => client.query('delete from event'))).rejects.toThrow(
      'permission denied',
    );
    service.signal('SIGTERM');
    expect(await service.ended()).toBe(0);
  });

  test('a process that has both addresses migrates and grants at its start', async () => {
    const { owner, application } = await databaseWithRoles();
    const service = startChild({
      DATABASE_URL: application,
      DATABASE_MIGRATION_URL: owner,
      DATA_DIR: newFolder(),
    });
    await service.printed(/"msg":"ready"/);
    expect(service.output()).toContain('was granted its privileges');
    service.signal('SIGTERM');
    expect(await service.ended()).toBe(0);
  });

  test('one role for both works and is warned about, with what to do', async () => {
    const { owner } = await databaseWithRoles();
    const service = startChild({ DATABASE_URL: owner, DATA_DIR: newFolder() });
    await service.printed(/"msg":"ready"/);
    expect(service.output()).toMatch(/"level":"warn".*could change the ledger.*Database roles/);
    service.signal('SIGTERM');
    expect(await service.ended()).toBe(0);
  });

  test('npm run migrate without a right to create tables says what to set', async () => {
    const { application } = await databaseWithRoles();
    const migrated = await migrate({ DATABASE_URL: application });
    expect(migrated).toMatchObject({ code: 1, output: expect.stringContaining('DATABASE_MIGRATION_URL') });
  });
});

/** As the SQL in docs/OPERATIONS.md. */
async function databaseWithRoles() {
  const database = freshName('reliability_roles');
  const [owner, application] = [`${database}_owner`, `${database}_app`];
  await asSuperuser(`create role ${owner} login`);
  await asSuperuser(`create role ${application} login`);
  await asSuperuser(`create database ${database} owner ${owner}`);
  created.push(`drop role ${owner}`, `drop role ${application}`, `drop database ${database} with (force)`);
  const as = (role: string) => {
    const url = new URL(inject('testPostgresUrl') ?? '');
    url.pathname = `/${database}`;
    url.username = role;
    return url.href;
  };
  return { owner: as(owner), application: as(application) };
}

async function migrate(env: Record<string, string>) {
  const child = runEntry('migrate', env);
  const exit = new Promise((resolve) => child.once('exit', resolve));
  if (!child.stdout || !child.stderr) throw new Error('the program has no output');
  const output = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await exit, output: output.join('') };
}

async function asSuperuser(statement: string): Promise<void> {
  await onServer(inject('testPostgresUrl') ?? '', (admin) => admin.query(statement));
}

function newFolder(): string {
  const folder = scratchFolder('reliability-roles-');
  folders.push(folder);
  return folder;
}
