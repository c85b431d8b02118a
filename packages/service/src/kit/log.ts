import { type DestinationStream, type Logger, pino } from 'pino';
import { isDatabaseUnavailable } from './db/errors.js';
import { plainLine } from './plainLine.js';

/**
 * Structured logs on stdout: one JSON object per line, or plain lines on a terminal. The code never
 * logs keys, tokens or bodies; as a second safeguard, fields with the usual names are blanked.
 * @param fixed fields on every line, such as the role of the process.
 */
export function createLog(level: string, fixed: Readonly<Record<string, unknown>>): Logger {
  const options = {
    level,
    base: { pid: process.pid, ...fixed },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: errorInLog },
    redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[blanked]' },
  };
  return process.stdout.isTTY ? pino(options, terminal) : pino(options);
}

/** A database that is away or slow, as in a first start on a slow machine, is no defect: no stack. */
export function errorInLog(error: Error): object {
  if (!isDatabaseUnavailable(error)) return pino.stdSerializers.err(error);
  return { type: error.name, message: error.message };
}

const terminal: DestinationStream = { write: (json) => process.stdout.write(plainLine(json)) };

const SECRETS = ['authorization', '["x-admin-secret"]', 'token', 'key', 'secret', 'password'];
