import { ConfigError, readConfig } from './config.js';
import { StartError } from './firstStart.js';
import { systemClock } from './kit/clock.js';
import { DataDirLockedError } from './kit/db/database.js';
import { MigrationError } from './kit/db/migrate.js';
import { createLog } from './kit/log.js';
import { type RunningService, startService } from './startup.js';

/** Exit codes: 0 stopped on request, 1 failed, 2 the environment cannot be used. */
const FAILED = 1;
const MISCONFIGURED = 2;

/** Supervisors usually kill a process ten seconds after SIGTERM. */
const STOP_LIMIT_MS = 9_500;
/** Under npm, Ctrl-C arrives twice: from the terminal and from npm. Both count as one request. */
const SAME_SIGNAL_MS = 500;

const config = orExit(readConfig);
const log = createLog(config.logLevel, { role: config.role });
let service: RunningService | undefined;
let stopRequestedMs: number | undefined;

process.on('unhandledRejection', (error) => dieOf(error, 'unhandled promise rejection'));
process.on('uncaughtException', (error) => dieOf(error, 'uncaught exception'));
// A closed stdout (`npm start | head`) must not stop the service.
process.stdout.on('error', () => undefined);
process.on('SIGTERM', stopOn);
process.on('SIGINT', stopOn);

try {
  service = await startService({
    config,
    log,
    say: (text) => process.stdout.write(`${text}\n`),
    onFatal: exitWith,
  });
} catch (error) {
  exitWith(error);
}

function stopOn(signal: NodeJS.Signals): void {
  const nowMs = systemClock.now().getTime();
  if (stopRequestedMs !== undefined) {
    if (nowMs - stopRequestedMs > SAME_SIGNAL_MS) process.exit(FAILED);
    return;
  }
  stopRequestedMs = nowMs;
  // No request has been accepted before the service runs.
  if (!service) process.exit(0);
  log.info({ signal }, 'stopping');
  setTimeout(() => {
    log.fatal({ limitMs: STOP_LIMIT_MS }, 'stopping took too long; remaining work is cut off');
    process.exit(FAILED);
  }, STOP_LIMIT_MS).unref();
  service.stop().then(
    () => {
      log.info('stopped');
      process.exit(0);
    },
    (error) => dieOf(error, 'stopping failed'),
  );
}

function orExit<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    return exitWith(error);
  }
}

/**
 * An error for the operator is printed as its message. Any other error is a bug and is logged with
 * its stack.
 */
function exitWith(error: unknown): never {
  if (!isForOperator(error)) return dieOf(error, 'the service cannot run');
  process.stderr.write(`${error.message}\n`);
  const isMisconfigured = error instanceof ConfigError || error instanceof DataDirLockedError;
  process.exit(isMisconfigured ? MISCONFIGURED : FAILED);
}

function isForOperator(error: unknown): error is Error {
  return [ConfigError, StartError, DataDirLockedError, MigrationError].some((kind) => error instanceof kind);
}

function dieOf(error: unknown, message: string): never {
  log.fatal({ err: error }, message);
  process.exit(FAILED);
}
