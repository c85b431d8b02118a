import { type DestinationStream, type Logger, pino } from 'pino';
import { isDatabaseUnavailable } from './db/errors.js';

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

const LEFT_OUT = new Set(['level', 'time', 'pid', 'role', 'msg', 'err']);
const CLOCK = ['2026-01-01T'.length, '2026-01-01T00:00:00'.length] as const;

/** A JSON log line for a terminal: time (UTC), level, message, fields; below it the stack of an error. */
export function plainLine(json: string): string {
  const entry = JSON.parse(json) as Record<string, unknown>;
  const { time, level, msg, err } = entry;
  const fields = Object.entries(entry)
    .filter(([name]) => !LEFT_OUT.has(name))
    .map(
      ([name, value]) =>
        `${name}=${typeof value === 'string' && /^\S+$/.test(value) ? value : JSON.stringify(value)}`,
    );
  const words = [
    String(time).slice(...CLOCK),
    String(level).toUpperCase().padEnd(5),
    String(msg ?? '').replace(/\s+/g, ' '),
    ...fields,
  ];
  return harmless(`${words.join(' ')}\n${err === undefined ? '' : stackOf(err)}`);
}

function stackOf(err: unknown): string {
  const { stack, message } = Object(err) as { stack?: unknown; message?: unknown };
  return `${stack ?? message ?? JSON.stringify(err)}\n`.replace(/^(?=.)/gm, '    ');
}

/** Fields contain text of callers, which must not control the terminal. */
function harmless(text: string): string {
  return text.replace(/(?!\n)\p{C}/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
