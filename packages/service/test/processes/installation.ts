import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { applicationUrl, createApplicationRole } from '#harness/applicationRole.js';
import { dropDatabase, freshName, onServer } from '#harness/postgresCluster.js';
import { LIVE_KEY, TEST_KEY } from '../crash/api.js';
import { type ServerProcess, serverProcess } from '../crash/serverProcess.js';
import { type ChildService, endChildren, startChild } from '../startup/childService.js';

export const ADMIN_SECRET = 'admin-secret-of-the-processes';

/** Two API processes and two workers, started at once on one empty database. */
export interface Installation {
  readonly apis: readonly [ServerProcess, ServerProcess];
  readonly workers: readonly [ChildService, ChildService];
  /** The environment of every process, without its role. */
  readonly env: Record<string, string>;
  /** Stops the running processes with SIGTERM. Returns their exit codes. */
  stop(): Promise<(number | null)[]>;
  /** Kills the remaining processes and deletes the database. */
  remove(): Promise<void>;
}

export async function startInstallation(): Promise<Installation> {
  const server = inject('testPostgresUrl') ?? '';
  const name = freshName('reliability_processes');
  await onServer(server, (admin) => admin.query(`create database ${name}`));
  const url = new URL(server);
  url.pathname = `/${name}`;
  await createApplicationRole(server);
  const dataDir = mkdtempSync(join(tmpdir(), 'reliability-processes-'));
  const env = {
    DATABASE_URL: applicationUrl(url.href),
    DATABASE_POOL_SIZE: '5',
    DATA_DIR: dataDir,
    DATA_KEY: randomBytes(32).toString('hex'),
    ADMIN_SECRET,
    BOOTSTRAP_LIVE_KEY: LIVE_KEY,
    BOOTSTRAP_TEST_KEY: TEST_KEY,
    // The load exceeds the velocity limit of a subject; frozen scores would stop counting.
    VELOCITY_MAX_PER_HOUR: '1000000000',
    WEBHOOK_ALLOWED_PRIVATE_CIDRS: '127.0.0.0/8',
    // The endpoint refuses some: they are retried soon, and often enough to be accepted.
    WEBHOOK_RETRY_SCHEDULE: ['0', ...Array(30).fill('0.5')].join(),
  };
  const newApi = () => serverProcess({ ...env, ROLE: 'api', LOG_LEVEL: 'error' });
  const apis = [await newApi(), await newApi()] as const;
  // One process migrates; the others have no right to, and wait for it.
  const owner = { DATABASE_MIGRATION_URL: url.href };
  const workers = [
    startChild({ ...env, ...owner, ROLE: 'worker' }),
    startChild({ ...env, ROLE: 'worker' }),
  ] as const;
  for (const api of apis) api.start();
  await Promise.all([
    ...apis.map((api) => api.untilReady()),
    ...workers.map((worker) => worker.printed(/"msg":"ready"/)),
  ]);
  return {
    apis,
    workers,
    env,
    async stop() {
      const running = apis.filter((api) => api.isRunning);
      const working = workers.filter((worker) => worker.isRunning());
      for (const worker of working) worker.signal('SIGTERM');
      return Promise.all([...running.map((api) => api.stop()), ...working.map((worker) => worker.ended())]);
    },
    async remove() {
      for (const api of apis) if (api.isRunning) await api.kill9();
      await endChildren();
      await onServer(server, (admin) => dropDatabase(admin, name));
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
