import { mkdtempSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Creates a temporary folder: in memory if Linux offers it and there is space, because the thousand
 * files of a database are thirty times slower on a disk; otherwise among the temporary files. The
 * caller deletes it.
 */
export function scratchFolder(prefix: `reliability-${string}`): string {
  return mkdtempSync(join(hasRoomInMemory() ? IN_MEMORY : tmpdir(), prefix));
}

/** Deletes the folders in memory that killed test runs left. */
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
// Each worker may hold a few databases of 40 MB at once, and the server's log grows to 1 GB.
const ROOM_BYTES = 4 * 1024 ** 3;
const KEEP_MS = 24 * 60 * 60 * 1000;
