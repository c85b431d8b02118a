import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readdir, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { ConfigError } from './config.js';
import { codeOf } from './kit/db/errors.js';

const OWNER_ONLY = 0o700;
const OTHERS = 0o077;
const STICKY = 0o1000;
const MEGABYTE = 1024 * 1024;
/** A new database takes 41 MB at once, and its write-ahead log grows from there. */
const SPACE_FOR_NEW_DATABASE = 128 * MEGABYTE;
/** To open one after a crash takes a segment of the write-ahead log and some room to go on. */
const SPACE_FOR_OLD_DATABASE = 32 * MEGABYTE;
/** Enough to have a block written. */
const TRIAL_TEXT = 'x'.repeat(4096);
/** What the service itself keeps there. */
const OWN_NAMES = new Set(['database', 'admin-secret', 'data-key', 'first-keys']);

/**
 * That the embedded database can be made, or opened, in DATA_DIR. Throws ConfigError, with nothing made but the folder.
 * File systems that count no blocks (as network mounts may) are tried, not measured.
 */
export async function assertSpaceForDatabase(dataDir: string, isNew: boolean): Promise<void> {
  const needed = isNew ? SPACE_FOR_NEW_DATABASE : SPACE_FOR_OLD_DATABASE;
  const { blocks, bavail, bsize } = await statfs(await existingPartOf(dataDir));
  const free = bavail * bsize;
  if (blocks > 0 && free < needed) {
    throw new ConfigError(
      `DATA_DIR ${dataDir} has ${Math.floor(free / MEGABYTE)} MB of free disk space, and the embedded database needs ` +
        `${needed / MEGABYTE} MB to ${isNew ? 'begin' : 'go on'}. Free some, or point DATA_DIR at another disk.`,
    );
  }
  await assertWritable(dataDir);
}

/** That files can be written in DATA_DIR, which is made when absent. Throws ConfigError. */
export async function assertWritable(dataDir: string): Promise<void> {
  const trial = join(dataDir, `.trial-${randomUUID()}`);
  try {
    await mkdir(dataDir, { recursive: true, mode: OWNER_ONLY });
    await writeFile(trial, TRIAL_TEXT, { flush: true });
  } catch (error) {
    throw new ConfigError(
      `DATA_DIR ${dataDir} cannot be used: ${whyNotWritable(error)}. ` +
        'Point it at a folder that this user can write to, with room left.',
    );
  } finally {
    await rm(trial, { force: true }).catch(() => undefined);
  }
}

function whyNotWritable(error: unknown): string {
  const code = codeOf(error);
  switch (code) {
    case 'EEXIST':
    case 'ENOTDIR':
      return 'it is no folder';
    case 'EACCES':
    case 'EPERM':
      return 'this user may not write there';
    case 'EROFS':
      return 'it is on a file system that is read-only';
    case 'ENOSPC':
    case 'EDQUOT':
      return 'the disk is full';
    default:
      return `nothing can be written there (${code ?? error})`;
  }
}

/** Closes a folder with secrets to other users. One that holds more than the service's own files is left to its owner. */
export async function closeToOthers(
  dataDir: string,
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>,
): Promise<void> {
  const found = await stat(dataDir).catch(() => null);
  if (!found || process.platform === 'win32' || (found.mode & OTHERS) === 0) return;
  const names = await readdir(dataDir);
  const isOurs = names.every((name) => OWN_NAMES.has(name) || name.endsWith('.draft'));
  if (isOurs && found.uid === process.getuid?.() && (found.mode & STICKY) === 0) {
    await chmod(dataDir, OWNER_ONLY);
    log.info({ dataDir }, 'the data folder was open to other users, and is closed to them now');
  } else {
    log.warn({ dataDir }, 'the data folder is open to other users of this machine: give it the mode 700');
  }
}

/** The folder itself, or the nearest above it that is there. */
async function existingPartOf(folder: string): Promise<string> {
  for (let path = resolve(folder); ; path = dirname(path)) {
    if ((await stat(path).catch(() => null)) || path === dirname(path)) return path;
  }
}
