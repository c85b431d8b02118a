/** Where a command prints: a terminal, a pipe, a test. */
export interface Stream {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

const STYLES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;
export type Style = keyof typeof STYLES;

/** What a command prints. With --json, stdout has JSON alone. */
export interface Output {
  readonly isJson: boolean;
  /** Columns of the terminal; 100 for a pipe. */
  readonly width: number;
  /** For progress: stdout, or stderr with --json. */
  readonly progress: Stream;
  /** A line for people. With --json it goes to stderr. */
  say(line: string): void;
  /** The result: JSON with --json, otherwise the lines. */
  result(value: unknown, lines: readonly string[] | (() => readonly string[])): void;
  /** One JSON line of a result that has no end. Without --json: the line. */
  item(value: unknown, line: string): void;
  paint(style: Style, text: string): string;
}

interface OutputOptions {
  isJson: boolean;
  env: Readonly<Record<string, string | undefined>>;
  stdout: Stream;
  stderr: Stream;
}

const PIPE_WIDTH = 100;

export function createOutput({ isJson, env, stdout, stderr }: OutputOptions): Output {
  // https://no-color.org: present and not empty.
  const isColoured = stdout.isTTY === true && !isJson && !env.NO_COLOR && env.TERM !== 'dumb';
  const people = isJson ? stderr : stdout;
  const line = (text: string) => `${text}\n`;
  return {
    isJson,
    width: stdout.isTTY ? (stdout.columns ?? PIPE_WIDTH) : PIPE_WIDTH,
    progress: people,
    say: (text) => people.write(line(text)),
    result(value, lines) {
      if (isJson) stdout.write(line(JSON.stringify(value, null, 2)));
      else for (const text of typeof lines === 'function' ? lines() : lines) stdout.write(line(text));
    },
    item: (value, text) => stdout.write(line(isJson ? JSON.stringify(value) : text)),
    paint: (style, text) => (isColoured ? `\u001b[${STYLES[style]}m${text}\u001b[0m` : text),
  };
}

/** On one line, without control characters, which a terminal could interpret. */
export function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
}
