import { type Logger, pino } from 'pino';

/**
 * Structured logs, one JSON object a line on stdout. Nothing logs keys, tokens or bodies; should somebody pass one after
 * all, it is blanked under its usual names.
 * @param fixed fields on every line, such as the role of the process.
 */
export function createLog(level: string, fixed: Readonly<Record<string, unknown>>): Logger {
  return pino({
    level,
    base: { pid: process.pid, ...fixed },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[blanked]' },
  });
}

const SECRETS = ['authorization', '["x-admin-secret"]', 'token', 'key', 'secret', 'password'];
