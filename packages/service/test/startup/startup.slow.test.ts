import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '#harness/eventually.js';
import { freePort } from '#harness/freePort.js';
import { serviceMigrations } from '#harness/migrationsFolder.js';
import { seededDataDir } from '#harness/pgliteSeed.js';
import { quietLog } from '#harness/quietLog.js';
import { TEST_KEYS } from '#harness/service.js';
import { packageFile } from '#kit/packageFile.js';
import { openDatabase } from '../../src/shape/openDatabase.js';
import { cookieOf, signIn } from '../console/consoleFixtures.js';
import { call, type RawAnswer } from '../crash/api.js';
import { type ChildService, endChildren, paste, refused, startChild, stopped } from './childService.js';
import { cleanUp, newFolder } from './places.js';

const CONTROL_C = '\x03';
/** The last line of the welcome. */
const WELCOME_END = /^curl .*\/score .*\n/m;
const KEY = /crd_(live|test)_[A-Za-z0-9_-]{43}/g;
/** A port without a listener. */
const NOWHERE = 'postgres://nobody@127.0.0.1:1/none';
const mounts: string[] = [];

afterAll(async () => {
  await endChildren();
  for (const mount of mounts) execFileSync('umount', [mount]);
  await cleanUp();
});

describe('the first start on this machine', () => {
  const dataDir = newFolder();
  let service: ChildService;
  let address: string;
  let keys: { live: string; test: string };

  beforeAll(async () => {
    service = startChild({ DATA_DIR: dataDir });
    address = await service.address();
    await service.printed(WELCOME_END);
    const [live = '', test = ''] = service.output().match(KEY) ?? [];
    keys = { live, test };
  });

  test('says that it creates the database, while it does', () => {
    expect(service.output()).toMatch(/^Creating the embedded database in .*a few seconds/);
  });

  test('prints one live and one test key, the admin secret and the address', () => {
    expect(new Set(service.output().match(KEY)).size).toBe(2);
    expect([keys.live.slice(0, 9), keys.test.slice(0, 9)]).toEqual(['crd_live_', 'crd_test_']);
    expect(service.output()).toContain(readFileSync(join(dataDir, 'admin-secret'), 'utf8').trim());
    expect(service.output()).toContain(`The service is at ${address}`);
  });

  test.skipIf(!hasProgram('curl'))(
    'prints two lines that work as they are: one reports an outcome, one reads the score',
    async () => {
      const [report = '', read = ''] = service.output().match(/^curl .*$/gm) ?? [];
      expect(JSON.parse(await paste(report))).toMatchObject({
        event: { userId: 'worker-1', livemode: false },
      });
      await expect
        .poll(async () => JSON.parse(await paste(read)))
        .toMatchObject({
          userId: 'worker-1',
          scoreBand: expect.any(String),
        });
    },
  );

  test('makes the documentation by itself, before anybody asks for it', () =>
    eventually(async () => {
      const metrics = await (await fetch(`${address}/metrics`)).text();
      return ['/docs', '/openapi.json'].every((path) => metrics.includes(`route="${path}",status="200"} 1`));
    }));

  test('prints a link to the console that signs in once, with the test key', async () => {
    const token = new RegExp(`${address}/console#sign-in=(\\S+)`).exec(service.output())?.[1] ?? '';
    const first = await signIn(address, token);
    expect(first.status).toBe(204);
    const session = await fetch(`${address}/console/session`, { headers: { Cookie: cookieOf(first) } });
    expect(await session.json()).toMatchObject({ kind: 'key', mode: 'test' });
    expect((await signIn(address, token)).status).toBe(401);
    const page = await fetch(`${address}/console`);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('/console/assets/')]);
  });

  test('makes folders and secrets accessible to their owner only, and never prints the data key', () => {
    const modeOf = (name: string) => statSync(join(dataDir, name)).mode & 0o777;
    expect(['', 'database'].map(modeOf)).toEqual([0o700, 0o700]);
    expect(['admin-secret', 'data-key'].map(modeOf)).toEqual([0o600, 0o600]);
    expect(service.output()).not.toContain(readFileSync(join(dataDir, 'data-key'), 'utf8').trim());
  });

  test('refuses a second process on its data and names the folder', async () => {
    expect(await refused({ DATA_DIR: dataDir })).toMatch(
      /^the data folder .* is in use by process \d+; .*\n$/,
    );
  });

  test('answers requests accepted before SIGTERM, exits with 0 within ten seconds, prints no keys next time', async () => {
    const ids: string[] = [];
    const errors = reportUntilRefused(address, keys.live, ids);
    await eventually(() => ids.length > 10);
    service.signal('SIGTERM');
    // After 9.5 s it would give up, with another code.
    expect(await service.ended()).toBe(0);
    expect(service.output()).not.toContain('stopping took too long');
    expect(await errors).toEqual([]);

    service = startChild({ DATA_DIR: dataDir });
    address = await service.address();
    const { text } = await call(address, 'GET', '/events/export?format=csv', { headers: bearer(keys.live) });
    expect(ids.filter((id) => !text.includes(id))).toEqual([]);
    expect(service.output()).not.toMatch(/crd_|first secrets|Creating/);
    const secret = readFileSync(join(dataDir, 'admin-secret'), 'utf8').trim();
    expect(service.output()).not.toContain(secret);
    const headers = { 'X-Admin-Secret': secret };
    expect((await call(address, 'GET', '/admin/platforms', { headers })).status).toBe(200);
  });

  test('stops the same way on SIGINT', async () => {
    service.signal('SIGINT');
    expect(await service.ended()).toBe(0);
  });
});

describe('a start with configured keys', () => {
  test('uses BOOTSTRAP_* and ADMIN_SECRET unchanged and prints none of them', async () => {
    const dataDir = await newDataDir();
    const service = startChild({
      DATA_DIR: dataDir,
      BOOTSTRAP_LIVE_KEY: TEST_KEYS.live,
      BOOTSTRAP_TEST_KEY: TEST_KEYS.test,
      ADMIN_SECRET: TEST_KEYS.admin,
    });
    const address = await service.address();
    await service.printed(WELCOME_END);
    for (const key of [TEST_KEYS.live, TEST_KEYS.test]) expect((await report(address, key)).status).toBe(201);
    for (const secret of Object.values(TEST_KEYS)) expect(service.output()).not.toContain(secret);
    const [line = ''] = service.output().match(/^curl .*$/m) ?? [];
    if (hasProgram('curl')) {
      const answer = await paste(line, { BOOTSTRAP_TEST_KEY: TEST_KEYS.test });
      expect(JSON.parse(answer)).toHaveProperty('eventId');
    }
    await stopped(service);
  });
});

test.skipIf(!hasProgram('script'))(
  'on a terminal logs are plain lines, and the welcome comes last',
  async () => {
    const program = `exec ${process.execPath} ${fileURLToPath(packageFile('dist/main.js'))}`;
    const env = { PATH: process.env.PATH ?? '', PORT: '0', DATA_DIR: await newDataDir() };
    const terminal = spawn('script', ['-qec', program, '/dev/null'], { env });
    let output = '';
    terminal.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString().replaceAll('\r', '');
    });
    await expect.poll(() => output).toMatch(WELCOME_END);
    expect(output).toMatch(/^\d\d:\d\d:\d\d INFO {2}ready address=http:.*\n\n {2}Reliability score service/m);
    expect(output).toMatch(/\/score .*\n\n$/);
    expect(output).not.toContain('"msg"');
    const exit = once(terminal, 'exit');
    terminal.stdin.write(CONTROL_C);
    expect((await exit)[0]).toBe(0);
  },
);

describe('a data folder that other users can read', () => {
  test('is made private, with the secrets in it', async () => {
    const dataDir = await newDataDir();
    const secret = join(dataDir, 'admin-secret');
    writeFileSync(secret, TEST_KEYS.admin);
    chmodSync(secret, 0o644);
    chmodSync(dataDir, 0o755);
    const service = startChild({ DATA_DIR: dataDir });
    await service.printed(/"msg":"ready"/);
    expect([dataDir, secret].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o600]);
    await stopped(service);
  });

  test('is left unchanged, with a warning, when it contains foreign files', async () => {
    const dataDir = await newDataDir();
    writeFileSync(join(dataDir, 'of-somebody-else'), '');
    chmodSync(dataDir, 0o755);
    const service = startChild({ DATA_DIR: dataDir });
    await service.printed(/"msg":"the data folder is open to other users/);
    expect(statSync(dataDir).mode & 0o777).toBe(0o755);
    await stopped(service);
  });
});

describe('a refused start', () => {
  test.each([
    [
      'an invalid environment variable',
      { PORT: 'eighty' },
      /^Invalid environment variables:\n {2}PORT=.*: .*\n$/,
    ],
    ['a role without its database server', { ROLE: 'worker' }, /^ROLE=worker needs DATABASE_URL, .*\n$/],
    [
      'several processes on one embedded database',
      { PROCESSES: '2' },
      /^PROCESSES=2 needs DATABASE_URL, .*\n$/,
    ],
    [
      'a host of another machine',
      { HOST: '203.0.113.7', DATABASE_URL: NOWHERE },
      /^HOST 203\.0\.113\.7 is not an address of this machine\..*\n$/,
    ],
  ])('%s is named, and nothing else is printed', async (_, env: Record<string, string>, says) => {
    expect(await refused(env)).toMatch(says);
  });

  test('a port in use is reported in one sentence before anything is created', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const dataDir = join(newFolder(), 'data');
    const output = await refused({ DATA_DIR: dataDir, PORT: String(port) });
    other.close();
    expect(output).toMatch(new RegExp(`^Port ${port} on 127\\.0\\.0\\.1 is already in use\\..*\\n$`));
    expect(existsSync(dataDir)).toBe(false);
  });

  test('connections are refused until the service listens, so a proxy repeats their requests elsewhere', async () => {
    const port = await freePort();
    const database = createServer().listen(0, '127.0.0.1');
    await once(database, 'listening');
    const asked = once(database, 'connection');
    const at = `postgres://nobody@127.0.0.1:${(database.address() as AddressInfo).port}/none`;
    startChild({ PORT: String(port), DATABASE_URL: at, DATA_KEY: 'k'.repeat(32) });
    const [held] = (await asked) as [Socket];
    const [error] = await once(connect(port, '127.0.0.1'), 'error');
    expect(error).toMatchObject({ code: 'ECONNREFUSED' });
    held.destroy();
    database.close();
  });

  test.each([
    ['a file', (folder: string) => join(folder, 'file'), 'it is not a folder'],
    ['below a file', (folder: string) => join(folder, 'file', 'data'), 'it is not a folder'],
    ['nowhere', () => '/proc', 'writing failed (ENOENT)'],
  ])('a data folder that is %s is reported in one sentence, and nothing is created', async (_, at, why) => {
    const folder = newFolder();
    writeFileSync(join(folder, 'file'), '');
    expect(await refused({ DATA_DIR: at(folder) })).toBe(
      `DATA_DIR ${at(folder)} cannot be used: ${why}. Set DATA_DIR to a folder that this user can write to, with free space.\n`,
    );
    expect(readdirSync(folder)).toEqual(['file']);
  });

  test.each([
    [
      'a new database',
      20,
      [],
      /has \d+ MB of free disk space, but the embedded database needs 128 MB to start/,
    ],
    ['one that is there', 20, ['database'], /needs 32 MB to start/],
  ])(
    'a disk without space for %s is reported before anything is created',
    async (_, megabytes, folders, says) => {
      const disk = smallDisk(megabytes);
      if (!disk) return console.log('no small disk could be mounted here: skipped');
      for (const folder of folders) mkdirSync(join(disk, folder));
      const output = await refused({ DATA_DIR: disk });
      expect(output).toMatch(/^DATA_DIR .*\n$/);
      expect(output).toMatch(says);
      expect(readdirSync(disk)).toEqual(folders);
    },
  );

  test('a database of a newer version is refused in one sentence', async () => {
    const dataDir = await newDataDir();
    const db = await openDatabase({ dataDir: join(dataDir, 'database'), log: quietLog });
    await db.execute(
      "insert into schema_migration (name, checksum, applied_at) values ('9999_future.sql', 'x', now())",
    );
    await db.close();
    const output = await refused({ DATA_DIR: dataDir }, 1);
    expect(output).toMatch(/9999_future\.sql, which this version does not know/);
  });

  test.each([
    ['data-key', /The data key in .*data-key has fewer than 16 characters\. Restore the file from a backup/],
    ['admin-secret', /The admin secret in .*admin-secret has fewer than 16 characters\./],
  ])('a truncated file %s is refused in one sentence', async (file, sentence) => {
    const dataDir = await newDataDir();
    writeFileSync(join(dataDir, file), 'short');
    expect(await refused({ DATA_DIR: dataDir }, 1)).toMatch(sentence);
  });
});

describe('a start during a database outage', () => {
  let service: ChildService;
  let address: string;

  beforeAll(async () => {
    service = startChild({ DATABASE_URL: NOWHERE, DATA_DIR: newFolder() });
    address = await service.address();
  });

  test.each([
    ['/health', 200],
    ['/health/ready', 503],
    ['/api/v1/enums', 200],
  ])('%s answers %i', async (path, status) => {
    expect((await fetch(address + path)).status).toBe(status);
  });

  test('requests are refused with a retry', async () => {
    const answer = await report(address, TEST_KEYS.live);
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(JSON.parse(answer.text)).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryable: true });
  });

  test('the log reports the wait and that the operator API is closed', async () => {
    await service.printed(/waiting for the database/);
    await service.printed(/the operator API is closed: ADMIN_SECRET is not set/);
  });

  test('a stop aborts an endless request and takes less than ten seconds', async () => {
    const hanging = await sendHalfARequest(address);
    service.signal('SIGTERM');
    // After 9.5 s it would give up, with another code.
    expect(await service.ended()).toBe(0);
    hanging.destroy();
  });

  test('a second signal stops the service at once', async () => {
    service = startChild({ DATABASE_URL: NOWHERE, DATA_DIR: newFolder() });
    const hanging = await sendHalfARequest(await service.address());
    service.signal('SIGTERM');
    await service.printed(/"msg":"stopping"/);
    await new Promise((resolve) => setTimeout(resolve, 700));
    service.signal('SIGTERM');
    // A stop that waits for the request ends with 0.
    expect(await service.ended()).toBe(1);
    hanging.destroy();
  });
});

const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });

function report(address: string, key: string): Promise<RawAnswer> {
  const body = JSON.stringify({ userId: 'worker-2', eventType: 'TRANSACTION_COMPLETED' });
  return call(address, 'POST', '/events', { headers: bearer(key), body });
}

/** Opens a connection with an unfinished request, which the server waits for. */
async function sendHalfARequest(address: string): Promise<Socket> {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const half = 'GET /health HTTP/1.1\r\nHost: x\r\n';
  // With a whole request before it: the answer to that says that the half has arrived, too.
  socket.write(`${half}\r\n${half}`);
  await once(socket, 'data');
  return socket;
}

/**
 * Four clients that report without pause until the service stops, and add the id of each event to
 * `ids`. Returns answers other than 201.
 */
async function reportUntilRefused(address: string, key: string, ids: string[]): Promise<unknown[]> {
  const errors: unknown[] = [];
  const callers = [1, 2, 3, 4].map(async () => {
    for (;;) {
      const answer = await report(address, key).catch(() => null);
      if (answer === null) return;
      if (answer.status === 201) ids.push(JSON.parse(answer.text).eventId);
      else errors.push([answer.status, answer.text]);
    }
  });
  await Promise.all(callers);
  return errors;
}

/** A small file system; null if mounting is not permitted. */
function smallDisk(megabytes: number): string | null {
  const folder = newFolder();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    return null;
  }
  mounts.push(folder);
  return folder;
}

/** A data folder with a migrated database without platforms. Saves some seconds. */
async function newDataDir(): Promise<string> {
  const dataDir = newFolder();
  await seededDataDir(serviceMigrations, join(dataDir, 'database'));
  return dataDir;
}

function hasProgram(name: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${name}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
