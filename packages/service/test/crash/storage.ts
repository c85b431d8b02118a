import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PostgresCluster, startPostgresCluster } from '../harness/postgresCluster.js';

/** The storage of the service under test for one run. */
export interface Storage {
  env: Record<string, string>;
  /** The database server, if there is one. */
  cluster: PostgresCluster | null;
  remove(): Promise<void>;
}

/** A folder for the embedded database, or a new PostgreSQL server with fsync. */
export async function openStorage(engine: 'pglite' | 'postgresql'): Promise<Storage> {
  const dataDir = mkdtempSync(join(tmpdir(), 'reliability-crash-'));
  const removeFolder = () => rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  if (engine === 'pglite') return { env: { DATA_DIR: dataDir }, cluster: null, remove: removeFolder };
  const cluster = await startPostgresCluster({ fsync: true });
  await cluster.createDatabase(DATABASE);
  return {
    env: {
      DATA_DIR: dataDir,
      DATABASE_URL: cluster.url(DATABASE),
      DATA_KEY: randomBytes(32).toString('hex'),
    },
    cluster,
    async remove() {
      await cluster.remove();
      await removeFolder();
    },
  };
}

const DATABASE = 'crash_test';
