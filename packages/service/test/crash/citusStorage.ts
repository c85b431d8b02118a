import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOnNodes, dropOnNodes, ofDatabase } from '#harness/citusCluster.js';
import { freshName } from '#harness/postgresCluster.js';
import { textOf } from './serverProcess.js';
import { postgresVersion, type Storage } from './storage.js';

/** A new database on the cluster that `url` names, set up as OPERATIONS says. The first group takes no platforms. */
export async function openCitusStorage(url: string, groups: number): Promise<Storage> {
  const dataDir = mkdtempSync(join(tmpdir(), 'reliability-crash-'));
  const name = freshName('reliability_crash');
  await createOnNodes(url, name);
  const env = {
    DATA_DIR: dataDir,
    DATABASE_URL: ofDatabase(url, name),
    DATA_KEY: randomBytes(32).toString('hex'),
  };
  await textOf('migrate', env);
  await textOf('distribute', env, ['--groups', String(groups)]);
  return {
    env,
    version: await postgresVersion(env.DATABASE_URL),
    cluster: null,
    async remove() {
      await dropOnNodes(url, name);
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
