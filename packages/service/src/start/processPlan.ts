import { availableParallelism } from 'node:os';
import { type Config, ConfigError } from './config.js';

/** How many processes to run, and each one's share of what the settings give all of them together. */
export interface ProcessPlan {
  readonly count: number;
  readonly poolSize: number;
  readonly maxConnections: number;
  /** Connections of the worker thread of each process, which `poolSize` leaves out; null: it has no such thread. */
  readonly workerPoolSize: number | null;
}

/** DATABASE_POOL_SIZE of one process, unless it is set. */
const POOL_OF_ONE = 10;
const POOL_OF_SEVERAL = 5;
/** Requests wait while the worker of the process has the only connection. */
const MIN_POOL = 2;

/** Throws ConfigError if the settings do not fit each other. */
export function planProcesses(
  settings: Pick<Config, 'role' | 'processes' | 'databaseUrl' | 'databasePoolSize' | 'maxConnections'>,
  processors = availableParallelism(),
  hasThreads = IS_BUNDLE,
): ProcessPlan {
  const { processes, databaseUrl, databasePoolSize, maxConnections } = settings;
  if (databaseUrl === undefined && processes !== 'auto' && processes > 1) {
    throw new ConfigError(
      `PROCESSES=${processes} needs DATABASE_URL, because only one process can use the embedded database. Set DATABASE_URL, or PROCESSES=1.`,
    );
  }
  /** Between the two threads of a process. The embedded database has one connection, of the main thread. */
  const divide = (poolSize: number) => {
    const isDivided = hasThreads && settings.role === 'all' && databaseUrl !== undefined && poolSize > 1;
    if (!isDivided) return { poolSize, workerPoolSize: null };
    const workerPoolSize = Math.max(1, Math.floor(poolSize * WORKER_SHARE));
    return { poolSize: poolSize - workerPoolSize, workerPoolSize };
  };
  const wanted = processes === 'auto' ? processors : processes;
  const count = databaseUrl === undefined ? 1 : wanted;
  if (count === 1) return { count, maxConnections, ...divide(databasePoolSize ?? POOL_OF_ONE) };
  const pool = databasePoolSize ?? Math.max(POOL_OF_ONE, POOL_OF_SEVERAL * count);
  if (pool < MIN_POOL * count) {
    throw new ConfigError(
      `DATABASE_POOL_SIZE=${pool} is too small for ${count} processes, which share it: each needs ${MIN_POOL} connections. ` +
        `Set it to ${MIN_POOL * count} or more, or set PROCESSES to ${Math.max(1, Math.floor(pool / MIN_POOL))} or less.`,
    );
  }
  return {
    count,
    maxConnections: Math.ceil(maxConnections / count),
    ...divide(Math.floor(pool / count)),
  };
}

/** Only the bundle contains the program of the thread; a service that runs from its sources does without. */
const IS_BUNDLE = import.meta.url.endsWith('.js');

/** Scores, log, deliveries and two jobs at once take one connection each, or two. */
const WORKER_SHARE = 0.4;
