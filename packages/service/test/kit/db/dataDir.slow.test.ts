import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { seededDataDir } from '#harness/pgliteSeed.js';
import { quietLog } from '#harness/quietLog.js';
import { DataDirLockedError, lockDataDir } from '../../../src/shape/embedded/dataDirLock.js';
import { openDatabase } from '../../../src/shape/openDatabase.js';
import { temporaryMigrations } from './migrationsFor.js';

const migrations = temporaryMigrations({
  '0001_item.sql': 'create table item (n int primary key, pad text)',
});
afterAll(migrations.remove);

describe('the data folder of an embedded database', () => {
  let dataDir: string;
  let children: ChildProcess[] = [];
  beforeEach(async () => {
    dataDir = await seededDataDir(migrations.folder);
  });
  afterEach(async () => {
    for (const child of children) await killed(child);
    children = [];
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 });
  });

  /**
   * Another process that opens the folder, inserts 1, 2, 3, … until it is killed, and prints each
   * number.
   */
  const writer = async () => {
    const script = fileURLToPath(new URL('./writer.ts', import.meta.url));
    const child = spawn(process.execPath, ['--import', 'tsx', script, dataDir], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    const lines: string[] = [];
    createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
    await expect.poll(() => lines.length).toBeGreaterThan(0);
    return { child, lines };
  };

  test('a second process is refused with an error that names the folder and the first process', async () => {
    const { child, lines } = await writer();
    expect(lines[0]).toBe('open');
    const refusal = openDatabase({ dataDir, log: quietLog });
    await expect(refusal).rejects.toThrow(DataDirLockedError);
    await expect(refusal).rejects.toThrow(`the data folder ${dataDir} is in use by process ${child.pid};`);
    expect((await writer()).lines[0]).toContain(`in use by process ${child.pid}`);
  });

  test('the same process cannot open the folder twice, also not through another path', async () => {
    const db = await openDatabase({ dataDir, log: quietLog });
    await expect(openDatabase({ dataDir: join(dataDir, '.'), log: quietLog })).rejects.toThrow(
      DataDirLockedError,
    );
    expect(await db.query('select 1 as one')).toEqual([{ one: 1 }]);
    await db.close();
    const again = await openDatabase({ dataDir, log: quietLog });
    await again.close();
  });

  test('a killed writer releases the folder and loses no acknowledged row', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { child, lines } = await writer();
      await expect.poll(() => lines.length).toBeGreaterThan(200);
      await killed(child);
      const acknowledged = lines.slice(1).map(Number);
      const db = await openDatabase({ dataDir, log: quietLog });
      const stored = new Set((await db.query<{ n: number }>('select n from item')).map(({ n }) => n));
      expect(acknowledged.filter((n) => !stored.has(n))).toEqual([]);
      await db.close();
    }
  });

  test('a half-created folder is created again', async () => {
    const fresh = mkdtempSync(join(tmpdir(), 'reliability-data-'));
    mkdirSync(join(fresh, 'pgdata.unfinished-abc', 'base'), { recursive: true });
    writeFileSync(join(fresh, 'pgdata.unfinished-abc', 'PG_VERSION'), '18');
    const db = await openDatabase({ dataDir: fresh, log: quietLog });
    expect(await db.query('select 1 as one')).toEqual([{ one: 1 }]);
    expect(readdirSync(fresh).filter((name) => name.includes('unfinished'))).toEqual([]);
    await db.close();
    rmSync(fresh, { recursive: true, force: true });
  });
});

test('without a folder the database is in memory and leaves no files', async () => {
  const db = await openDatabase({ log: quietLog });
  await db.execute('create table item (n int)');
  expect(await db.execute('insert into item values (1)')).toBe(1);
  await db.close();
});

test('a folder with a path too long for a socket file is still locked', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'reliability-data-'));
  const dataDir = join(parent, 'x'.repeat(150));
  const lock = await lockDataDir(dataDir, quietLog);
  await expect(lockDataDir(dataDir, quietLog)).rejects.toThrow(DataDirLockedError);
  await lock.release();
  await (await lockDataDir(dataDir, quietLog)).release();
  rmSync(parent, { recursive: true });
});

test('a folder with other content is refused by name', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'reliability-data-'));
  mkdirSync(join(dataDir, 'pgdata'));
  writeFileSync(join(dataDir, 'pgdata', 'PG_VERSION'), '9.6');
  await expect(openDatabase({ dataDir, log: quietLog })).rejects.toThrow(
    `cannot open the embedded database in ${dataDir}`,
  );
  await (await lockDataDir(dataDir, quietLog)).release();
  rmSync(dataDir, { recursive: true });
});

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await exited;
}
