import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onServer, type PostgresCluster, startPostgresCluster } from '#harness/postgresCluster.js';
import { openCitusStorage } from './citusStorage.js';

/** The storage of the service under test for one run. */
export interface Storage {
  env: Record<string, string>;
  /** Name and version of the database. */
  version: string;
  /** The database server, if there is one. */
  cluster: PostgresCluster | null;
  remove(): Promise<void>;
}

/**
 * A folder for the embedded database, a new PostgreSQL server with fsync, or a database on the Citus
 * cluster that TEST_CITUS_URL names.
 */
export async function openStorage(engine: 'pglite' | 'postgresql' | 'citus'): Promise<Storage> {
  if (engine === 'citus') return openCitusStorage(process.env.TEST_CITUS_URL ?? '', 3);
  const dataDir = mkdtempSync(join(tmpdir(), 'reliability-crash-'));
  const removeFolder = () => rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  if (engine === 'pglite')
    return { env: { DATA_DIR: dataDir }, version: pgliteVersion(), cluster: null, remove: removeFolder };
  const cluster = await startPostgresCluster({ fsync: true });
  await cluster.createDatabase(DATABASE);
  return {
    env: {
      DATA_DIR: dataDir,
      DATABASE_URL: cluster.url(DATABASE),
      DATA_KEY: randomBytes(32).toString('hex'),
    },
    version: await postgresVersion(cluster.url(DATABASE)),
    cluster,
    async remove() {
      await cluster.remove();
      await removeFolder();
    },
  };
}

const DATABASE = 'crash_test';

export async function postgresVersion(url: string): Promise<string> {
  const { rows } = await onServer(url, (client) =>
    client.query<{ version: string }>("select current_setting('server_version') as version"),
  );
  return `PostgreSQL ${rows[0]?.version}`;
}

function pgliteVersion(): string {
  const program = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  const { version } = JSON.parse(readFileSync(join(dirname(program), '../package.json'), 'utf8'));
  return `PGlite ${version}`;
}
