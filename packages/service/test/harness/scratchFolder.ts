import { mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Creates a temporary folder: in memory if Linux offers it and there is space, because the thousand
 * files of a database are thirty times slower on a disk; otherwise among the temporary files. The
 * caller deletes it.
 */
export function scratchFolder(prefix: `reliability-${string}`): string {
  return mkdtempSync(join(hasRoomInMemory() ? IN_MEMORY : tmpdir(), `${prefix}${process.pid}-`));
}

/** Deletes the folders in memory that killed test runs left. */
export function dropOldScratch(): void {
  for (const name of namesIn(IN_MEMORY)) {
    const maker = /^reliability-.*-(\d+)-\w+$/.exec(name)?.[1];
    if (maker === undefined || isRunning(Number(maker))) continue;
    rmSync(join(IN_MEMORY, name), { recursive: true, force: true, maxRetries: 3 });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

function hasRoomInMemory(): boolean {
  if (namesIn(IN_MEMORY) === NONE) return false;
  const { bavail, bsize } = statfsSync(IN_MEMORY);
  return Math.min(bavail * bsize, process.availableMemory()) > ROOM_BYTES;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return NONE;
  }
}

const IN_MEMORY = '/dev/shm';
const NONE: readonly string[] = [];
// Each worker may hold a few databases of 40 MB at once, and the server's log grows to 1 GB.
const ROOM_BYTES = 4 * 1024 ** 3;
