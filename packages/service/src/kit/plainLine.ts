/** Fields that are printed in another form or are the same on every line. */
const LEFT_OUT = new Set(['level', 'time', 'pid', 'role', 'msg', 'err']);
const CLOCK = ['2026-01-01T'.length, '2026-01-01T00:00:00'.length] as const;

/**
 * Formats a JSON log line for a terminal: time (UTC), level, message, fields, and below it the
 * stack of an error.
 */
export function plainLine(json: string): string {
  const entry = JSON.parse(json) as Record<string, unknown>;
  const { time, level, msg, err } = entry;
  const fields = Object.entries(entry)
    .filter(([name]) => !LEFT_OUT.has(name))
    .map(([name, value]) => `${name}=${isWord(value) ? value : JSON.stringify(value)}`);
  const words = [
    String(time).slice(...CLOCK),
    String(level).toUpperCase().padEnd(5),
    oneLine(msg),
    ...fields,
  ];
  return harmless(`${words.join(' ')}\n${err === undefined ? '' : stackOf(err)}`);
}

function isWord(value: unknown): value is string {
  return typeof value === 'string' && /^\S+$/.test(value);
}

function oneLine(text: unknown): string {
  return String(text ?? '').replace(/\s+/g, ' ');
}

function stackOf(err: unknown): string {
  const { stack, message } = Object(err) as { stack?: unknown; message?: unknown };
  return `${stack ?? message ?? JSON.stringify(err)}\n`.replace(/^(?=.)/gm, '    ');
}

/** Fields contain text of callers, which must not control the terminal. */
function harmless(text: string): string {
  return text.replace(/(?!\n)\p{C}/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
