import { mkdtempSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Makes a new folder for what a test throws away: in memory where Linux offers it and has room, since the thousand files of
 * a database cost thirty times as much on a disk; among the temporary files otherwise. Whoever asks deletes it.
 */
export function scratchFolder(prefix: `reliability-${string}`): string {
  return mkdtempSync(join(hasRoomInMemory() ? IN_MEMORY : tmpdir(), prefix));
}

/** Deletes what test runs that were killed have left in memory, where no restart of theirs would. */
export function dropOldScratch(): void {
  for (const name of namesIn(IN_MEMORY)) {
    if (!name.startsWith('reliability-')) continue;
    const folder = join(IN_MEMORY, name);
    const madeAt = statSync(folder, { throwIfNoEntry: false })?.birthtimeMs ?? Date.now();
    if (Date.now() - madeAt > KEEP_MS) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
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
// Some tests hold a few databases of forty megabytes at once, each worker its own, and the server's log grows to a gigabyte.
const ROOM_BYTES = 4 * 1024 ** 3;
const KEEP_MS = 24 * 60 * 60 * 1000;
