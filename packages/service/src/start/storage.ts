import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { codeOf } from '#kit/db/errors.js';
import { sharesSessions } from '#kit/db/postgres.js';
import { DataDirLockedError } from '../shape/embedded/dataDirLock.js';
import { isCreated } from '../shape/embedded/pgliteThread.js';
import { startDatabase } from '../shape/openDatabase.js';
import { openReplica } from '../shape/replica/replica.js';
import { type Config, ConfigError } from './config.js';
import { reasonOf } from './exit.js';

interface StorageOptions {
  config: Config;
  poolSize: number;
  log: FastifyBaseLogger;
  say(text: string): void;
}

/** The databases of this thread. */
export type Storage = Awaited<ReturnType<typeof openStorage>>;

/**
 * Begins to open the database. Before it writes anything, it checks the data folder with its free
 * space and lock. Throws ConfigError and DataDirLockedError, whose messages are for the operator.
 */
export async function openStorage({ config, poolSize, log, say }: StorageOptions) {
  const { databaseUrl, databaseReplicaUrl: replicaUrl, dataDir, stateFolder, role } = config;
  const folder = join(dataDir, 'database');
  const isEmbedded = databaseUrl === undefined;
  if (isEmbedded && role !== 'all') {
    throw new ConfigError(
      `ROLE=${role} needs DATABASE_URL, because only one process can use the embedded database. Set DATABASE_URL, or ROLE=all.`,
    );
  }
  const isNew = isEmbedded && !existsSync(folder);
  const isEmpty = isEmbedded && !isCreated(folder);
  if (isEmbedded) {
    await assertSpace(dataDir, isNew);
    await assertWritable(dataDir);
  }
  await closeToOthers(dataDir, log);
  if (isNew) say(`Creating the embedded database in ${dataDir}. This takes a few seconds, once.`);
  const explain = (error: unknown) => explained(error, dataDir, log);
  const started = { databaseUrl, dataDir: folder, poolSize, stateFolder, log };
  const { db, opened } = await startDatabase(started).catch(explain);
  const explainedLater = opened.catch(explain);
  explainedLater.catch(() => undefined); // awaited when the modules are loaded
  const replica =
    databaseUrl === undefined || replicaUrl === undefined
      ? null
      : openReplica({ databaseUrl, replicaUrl, poolSize, maxLagMs: config.replicaMaxLagMs, log });
  return {
    db,
    replica,
    /** Resolves when the database accepts statements. */
    opened: explainedLater,
    /** The embedded database has to be created. */
    isEmpty,
    async close() {
      await replica?.close();
      await db.close();
    },
  };
}

function explained(error: unknown, dataDir: string, log: FastifyBaseLogger): never {
  if (error instanceof DataDirLockedError) throw error;
  // An error of the operating system is explained by its code; any other needs its stack.
  if (codeOf(error) === undefined) log.error({ err: error }, 'the embedded database cannot be opened');
  throw new ConfigError(
    `The embedded database in ${dataDir} cannot be opened (${reasonOf(error)}). ` +
      'Set DATA_DIR to a folder that this user can write to, with free space.',
  );
}

const OWNER_ONLY = 0o700;
export const OTHERS = 0o077;
const STICKY = 0o1000;
const MEGABYTE = 1024 * 1024;
/** A new database takes 41 MB, and its write-ahead log grows. */
const SPACE_FOR_NEW_DATABASE = 128 * MEGABYTE;
/** Recovery after a crash needs a segment of the write-ahead log and some space. */
const SPACE_FOR_OLD_DATABASE = 32 * MEGABYTE;
/** Large enough to allocate a block on disk. */
const TRIAL_TEXT = 'x'.repeat(4096);
/** Files of the service itself. */
const OWN_NAMES = new Set(['database', 'admin-secret', 'data-key', 'first-keys']);

/**
 * Checks that the embedded database has enough free space, and creates nothing. Returns the space in MB;
 * null: not known, as on some network mounts, which report no block count. Throws ConfigError.
 */
export async function assertSpace(dataDir: string, isNew: boolean): Promise<number | null> {
  const needed = isNew ? SPACE_FOR_NEW_DATABASE : SPACE_FOR_OLD_DATABASE;
  const { blocks, bavail, bsize } = await statfs(await existingPartOf(dataDir));
  if (blocks === 0) return null;
  const free = Math.floor((bavail * bsize) / MEGABYTE);
  if (free * MEGABYTE >= needed) return free;
  throw new ConfigError(
    `DATA_DIR ${dataDir} has ${free} MB of free disk space, but the embedded database needs ` +
      `${needed / MEGABYTE} MB to start. Free some space, or set DATA_DIR to a folder on another disk.`,
  );
}

/**
 * Checks that files can be written in DATA_DIR. Creates the folder if it does not exist. Throws
 * ConfigError.
 */
export async function assertWritable(dataDir: string): Promise<void> {
  const trial = join(dataDir, `.trial-${randomUUID()}`);
  try {
    await mkdir(dataDir, { recursive: true, mode: OWNER_ONLY });
    await writeFile(trial, TRIAL_TEXT, { flush: true });
  } catch (error) {
    const code = codeOf(error) ?? String(error);
    throw new ConfigError(
      `DATA_DIR ${dataDir} cannot be used: ${NOT_WRITABLE[code] ?? `writing failed (${code})`}. ` +
        'Set DATA_DIR to a folder that this user can write to, with free space.',
    );
  } finally {
    await rm(trial, { force: true }).catch(() => undefined);
  }
}

const NOT_WRITABLE: Readonly<Record<string, string>> = {
  EEXIST: 'it is not a folder',
  ENOTDIR: 'it is not a folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
};

/**
 * Removes other users' access to the folder with secrets. A folder with foreign files is left
 * unchanged.
 */
async function closeToOthers(dataDir: string, log: Pick<FastifyBaseLogger, 'info' | 'warn'>): Promise<void> {
  const found = await stat(dataDir).catch(() => null);
  if (!found || process.platform === 'win32' || (found.mode & OTHERS) === 0) return;
  const names = await readdir(dataDir);
  const isOurs = names.every((name) => OWN_NAMES.has(name) || name.endsWith('.draft'));
  if (isOurs && found.uid === process.getuid?.() && (found.mode & STICKY) === 0) {
    await chmod(dataDir, OWNER_ONLY);
    log.info({ dataDir }, 'the data folder was accessible to other users; its mode is now 700');
  } else {
    log.warn({ dataDir }, 'the data folder is open to other users of this machine; set its mode to 700');
  }
}

/** The folder itself, or its nearest existing parent. */
export async function existingPartOf(folder: string): Promise<string> {
  for (let path = resolve(folder); ; path = dirname(path)) {
    if ((await stat(path).catch(() => null)) || path === dirname(path)) return path;
  }
}

/**
 * Refuses a pooler between program and database that shares sessions. Throws ConfigError, and
 * DatabaseUnavailableError.
 * @param variable has the address.
 */
export async function assertOwnSessions(variable: 'DATABASE_URL' | 'DATABASE_MIGRATION_URL', url: string) {
  if (!(await sharesSessions(url))) return;
  throw new ConfigError(
    `${variable} points to a pooler that shares sessions between connections, such as PgBouncer with pool_mode = ` +
      'transaction. Locks, notifications and prepared statements do not work there. Set pool_mode = session, or ' +
      `point ${variable} at PostgreSQL itself.`,
  );
}
