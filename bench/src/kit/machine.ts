import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { cpus, release, tmpdir, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { type Bench, postgresVersion } from './bench.js';
import { Samples, whole } from './figure.js';

/** A short description of the machine, with the time of a sync to disk, which limits writes. */
export async function describeMachine(bench: Bench): Promise<string> {
  const cores = cpus();
  return [
    `${cores.length} cores of ${cores[0]?.model.trim() ?? 'an unknown processor'}`,
    `${(totalmem() / 2 ** 30).toFixed(0)} GiB of memory`,
    `${type()} ${release()}`,
    `PostgreSQL ${await postgresVersion(await bench.postgres())}`,
    `Node ${process.versions.node}`,
    `a sync of 8 kB to disk takes ${whole(syncTimeUs())} µs`,
  ].join(', ');
}

function syncTimeUs(): number {
  const folder = mkdtempSync(join(tmpdir(), 'reliability-bench-sync-'));
  const file = openSync(join(folder, 'file'), 'w');
  const page = Buffer.alloc(8192, 1);
  const samples = new Samples();
  for (let index = 0; index < 200; index += 1) {
    const startedAt = performance.now();
    writeSync(file, page);
    fsyncSync(file);
    samples.add((performance.now() - startedAt) * 1000);
  }
  closeSync(file);
  rmSync(folder, { recursive: true });
  return samples.median;
}
