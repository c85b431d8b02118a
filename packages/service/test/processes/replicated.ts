import { rmSync } from 'node:fs';
import { afterAll, beforeAll } from 'vitest';
import { onServer, type PostgresCluster, startPostgresCluster } from '#harness/postgresCluster.js';
import { scratchFolder } from '#harness/scratchFolder.js';
import { call, LIVE_KEY, TEST_KEY } from '../crash/api.js';
import { type ServerProcess, serverProcess } from '../crash/serverProcess.js';

export const DATABASE = 'replicated';

/** A service on a primary with a standby. */
export interface Replicated {
  primary: PostgresCluster;
  standby: PostgresCluster;
  /** The environment of the service. */
  env: Record<string, string>;
  service: ServerProcess;
}

interface Options {
  fsync: boolean;
  /** Settings besides those of every service of these tests. */
  env(primary: PostgresCluster, standby: PostgresCluster, dataDir: string): Record<string, string>;
  /** Done before the service starts. */
  prepare?(primary: PostgresCluster): Promise<void>;
}

/** Is there in the tests of the suite that calls this. */
export function replicated({ fsync, env, prepare }: Options): Replicated {
  const dataDir = scratchFolder('reliability-replicated-');
  const made = {} as Replicated;
  beforeAll(async () => {
    made.primary = await startPostgresCluster({ fsync });
    await made.primary.createDatabase(DATABASE);
    made.standby = await made.primary.addStandby('standby1');
    await prepare?.(made.primary);
    made.env = {
      DATA_DIR: dataDir,
      DATA_KEY: 'data-key-of-the-tests-thirty-two-characters',
      BOOTSTRAP_LIVE_KEY: LIVE_KEY,
      BOOTSTRAP_TEST_KEY: TEST_KEY,
      VELOCITY_MAX_PER_HOUR: '1000000000',
      ANONYMOUS_RATE_LIMIT_PER_MINUTE: '1000000',
      ...env(made.primary, made.standby, dataDir),
    };
    made.service = await serverProcess(made.env);
    made.service.start();
    await made.service.untilReady();
  });
  afterAll(async () => {
    if (made.service?.isRunning) await made.service.kill9();
    await made.standby?.remove();
    await made.primary?.remove();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return made;
}

/** The address of the server that accepts writes; the standby comes first, so that the service must look for it. */
export function anyOf(primary: PostgresCluster, standby: PostgresCluster): string {
  const hosts = [standby, primary].map((cluster) => new URL(cluster.url(DATABASE)).host);
  return `postgres://postgres@${hosts}/${DATABASE}?target_session_attrs=read-write`;
}

export function report({ service }: Replicated, userId: string, headers: Record<string, string> = {}) {
  const body = JSON.stringify({ userId, eventType: 'TRANSACTION_COMPLETED' });
  return call(service.url, 'POST', '/events', { headers, body, timeoutMs: 120_000 });
}

export async function promote(standby: PostgresCluster): Promise<void> {
  await onServer(standby.url('postgres'), (admin) => admin.query('select pg_promote(true)'));
}
