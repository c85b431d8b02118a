import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../kit/clock.js';
import type { Config } from '../../start/config.js';
import { type Finding, failed, fine } from './check.js';
import type { DatabaseFacts } from './checkDatabase.js';

/** Leases and signatures bear some seconds. */
const MAX_DIFFERENCE_MS = 5_000;
const MAX_AHEAD_MS = 60_000;

/** Compares the clock with the server's, or with the last thing that was written. */
export async function* checkClock(
  { dataDir }: Config,
  { serverNow }: DatabaseFacts,
): AsyncGenerator<Finding> {
  const now = systemClock.now();
  const remedy = 'Set the clock, and keep it set by NTP.';
  if (serverNow) {
    const differenceMs = now.getTime() - serverNow.getTime();
    if (Math.abs(differenceMs) <= MAX_DIFFERENCE_MS)
      return yield fine(`${now.toISOString()}, as the database server.`);
    const seconds = Math.round(Math.abs(differenceMs) / 1000);
    const direction = differenceMs > 0 ? 'ahead of' : 'behind';
    return yield failed(`It is ${seconds} s ${direction} the clock of the database server. ${remedy}`);
  }
  const newest = Math.max(await writtenIn(dataDir), await changed(fileURLToPath(import.meta.url)));
  if (newest - now.getTime() > MAX_AHEAD_MS) {
    const written = new Date(newest).toISOString();
    return yield failed(`It is ${now.toISOString()}, before the last write at ${written}. ${remedy}`);
  }
  yield fine(now.toISOString());
}

async function writtenIn(dataDir: string): Promise<number> {
  const names = await readdir(dataDir).catch(() => []);
  return Math.max(0, ...(await Promise.all(names.map((name) => changed(join(dataDir, name))))));
}

async function changed(path: string): Promise<number> {
  return (await stat(path).catch(() => null))?.mtimeMs ?? 0;
}
