import cluster from 'node:cluster';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { codeOf } from '../kit/db/errors.js';
import { DataDirLockedError } from '../shape/embedded/dataDirLock.js';
import { isCreated } from '../shape/embedded/pgliteHost.js';
import { startDatabase } from '../shape/openDatabase.js';
import { type Config, ConfigError } from './config.js';
import { assertSpaceForDatabase, closeToOthers } from './dataFolder.js';
import { assertAddressFree } from './listening.js';
import type { RunningService, StartOptions, Storage } from './serving.js';
import { reasonOf } from './startError.js';

/**
 * Starts the parts that ROLE names. Before it writes anything, it checks the port, the data folder
 * with its free space and lock, and that no pooler shares sessions. If the database is unavailable,
 * the service listens, answers 503 and retries.
 * Throws ConfigError, StartError, DataDirLockedError or MigrationError, whose messages are for the
 * operator.
 */
export async function startService(options: StartOptions): Promise<RunningService> {
  const { config } = options;
  assertRoleFits(config);
  // The parent of several processes has checked it. Here it would take connections from the others.
  if (!cluster.isWorker) await assertAddressFree(config);
  let storage: Storage | undefined;
  try {
    storage = await startStorage(options);
    // Most modules are loaded here, while the embedded engine starts in its own thread.
    const { serve } = await import('./serving.js');
    return await serve(options, storage);
  } catch (error) {
    await storage?.db.close();
    throw error;
  }
}

/** Only one process can use the embedded database, so that process has all roles. */
function assertRoleFits({ role, databaseUrl }: Config): void {
  if (role === 'all' || databaseUrl !== undefined) return;
  throw new ConfigError(
    `ROLE=${role} needs DATABASE_URL, because only one process can use the embedded database. Set DATABASE_URL, or ROLE=all.`,
  );
}

async function startStorage({ config, plan, log, say }: StartOptions): Promise<Storage> {
  const { databaseUrl, dataDir, stateFolder } = config;
  const folder = join(dataDir, 'database');
  const isNew = databaseUrl === undefined && !existsSync(folder);
  const isEmpty = databaseUrl === undefined && !isCreated(folder);
  if (databaseUrl === undefined) await assertSpaceForDatabase(dataDir, isNew);
  await closeToOthers(dataDir, log);
  if (isNew) say(`Creating the embedded database in ${dataDir}. This takes a few seconds, once.`);
  const explain = (error: unknown) => explained(error, dataDir, log);
  const { poolSize } = plan;
  const options = { databaseUrl, dataDir: folder, poolSize, isGuarded: false, stateFolder, log };
  const { db, opened } = await startDatabase(options).catch(explain);
  const explainedLater = opened.catch(explain);
  explainedLater.catch(() => undefined); // awaited when the modules are loaded
  return { db, opened: explainedLater, isEmpty };
}

function explained(error: unknown, dataDir: string, log: FastifyBaseLogger): never {
  if (error instanceof DataDirLockedError) throw error;
  // An error of the operating system is explained by its code; any other needs its stack.
  if (codeOf(error) === undefined) log.error({ err: error }, 'the embedded database cannot be opened');
  throw new ConfigError(
    `The embedded database in ${dataDir} cannot be opened (${reasonOf(error)}). ` +
      'Set DATA_DIR to a folder that this user can write to, with free space.',
  );
}
