import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../kit/db/database.js';
import { codeOf } from '../kit/db/errors.js';
import { DataDirLockedError } from '../shape/embedded/dataDirLock.js';
import { isCreated } from '../shape/embedded/pgliteHost.js';
import { startDatabase } from '../shape/openDatabase.js';
import { openReplica, type ReplicaReads } from '../shape/replica/replica.js';
import { type Config, ConfigError } from './config.js';
import { assertSpaceForDatabase, closeToOthers } from './dataFolder.js';
import { reasonOf } from './startError.js';

interface StorageOptions {
  config: Config;
  poolSize: number;
  log: FastifyBaseLogger;
  /** Prints a text for the person at the console. */
  say(text: string): void;
}

/** The databases of this thread. */
export interface Storage {
  readonly db: Database;
  readonly replica: ReplicaReads | null;
  /** Resolves when the database accepts statements. */
  readonly opened: Promise<void>;
  /** The embedded database has to be created. */
  readonly isEmpty: boolean;
  close(): Promise<void>;
}

/**
 * Begins to open the database. Before it writes anything, it checks the data folder with its free
 * space and lock. Throws ConfigError and DataDirLockedError, whose messages are for the operator.
 */
export async function openStorage(options: StorageOptions): Promise<Storage> {
  const { config, poolSize, log, say } = options;
  const { databaseUrl, dataDir, stateFolder, role } = config;
  const folder = join(dataDir, 'database');
  const isEmbedded = databaseUrl === undefined;
  if (isEmbedded && role !== 'all') {
    throw new ConfigError(
      `ROLE=${role} needs DATABASE_URL, because only one process can use the embedded database. Set DATABASE_URL, or ROLE=all.`,
    );
  }
  const isNew = isEmbedded && !existsSync(folder);
  const isEmpty = isEmbedded && !isCreated(folder);
  if (isEmbedded) await assertSpaceForDatabase(dataDir, isNew);
  await closeToOthers(dataDir, log);
  if (isNew) say(`Creating the embedded database in ${dataDir}. This takes a few seconds, once.`);
  const explain = (error: unknown) => explained(error, dataDir, log);
  const started = { databaseUrl, dataDir: folder, poolSize, isGuarded: false, stateFolder, log };
  const { db, opened } = await startDatabase(started).catch(explain);
  const explainedLater = opened.catch(explain);
  explainedLater.catch(() => undefined); // awaited when the modules are loaded
  const replica = replicaOf(options);
  return {
    db,
    replica,
    opened: explainedLater,
    isEmpty,
    async close() {
      await replica?.close();
      await db.close();
    },
  };
}

function replicaOf({ config, poolSize, log }: StorageOptions): ReplicaReads | null {
  const { databaseUrl, databaseReplicaUrl: replicaUrl, replicaMaxLagMs: maxLagMs } = config;
  if (databaseUrl === undefined || replicaUrl === undefined) return null;
  return openReplica({ databaseUrl, replicaUrl, poolSize, maxLagMs, log });
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
