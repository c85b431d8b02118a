import type { FastifyBaseLogger } from 'fastify';
import { MigrationError } from '#kit/db/migrate.js';
import { DataDirLockedError } from '../shape/embedded/dataDirLock.js';
import { ConfigError } from './config.js';

/** Exit codes: 0 stopped on request, 1 failed, 2 the environment cannot be used. */
export const FAILED = 1;
const MISCONFIGURED = 2;

/** Supervisors usually kill a process ten seconds after SIGTERM. */
export const STOP_LIMIT_MS = 9_500;
/** Under npm, Ctrl-C arrives twice: from the terminal and from npm. Both count as one request. */
const SAME_SIGNAL_MS = 500;

type FatalLog = Pick<FastifyBaseLogger, 'fatal'>;

/**
 * An error for the operator is printed as its message. Any other error is a bug and is logged with
 * its stack.
 */
export function exitWith(error: unknown, log: FatalLog): never {
  if (!isForOperator(error)) return dieOf(error, 'the service cannot run', log);
  process.stderr.write(`${error.message}\n`);
  const isMisconfigured = error instanceof ConfigError || error instanceof DataDirLockedError;
  process.exit(isMisconfigured ? MISCONFIGURED : FAILED);
}

/** Its message says what to do; a stack would not help. */
export function isForOperator(error: unknown): error is Error {
  return [ConfigError, StartError, DataDirLockedError, MigrationError].some((kind) => error instanceof kind);
}

export function dieOf(error: unknown, message: string, log: FatalLog): never {
  log.fatal({ err: error }, message);
  process.exit(FAILED);
}

/** Stops the service on the first signal, within STOP_LIMIT_MS. A further one ends it at once. */
export function stopOnSignals(stop: () => void, log: FastifyBaseLogger): void {
  let requestedMs: number | undefined;
  const onSignal = (signal: NodeJS.Signals) => {
    const nowMs = performance.now();
    if (requestedMs !== undefined) {
      if (nowMs - requestedMs > SAME_SIGNAL_MS) process.exit(FAILED);
      return;
    }
    requestedMs = nowMs;
    log.info({ signal }, 'stopping');
    setTimeout(() => {
      log.fatal({ limitMs: STOP_LIMIT_MS }, 'stopping took too long; remaining work is cut off');
      process.exit(FAILED);
    }, STOP_LIMIT_MS).unref();
    stop();
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A problem that the operator must fix before the service can start; the message says how. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
