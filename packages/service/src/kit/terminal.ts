const MAX_WIDTH = 40;

/** Rows as a table for a terminal. Long cells are cut, empty columns omitted. */
export function textTable(rows: readonly Readonly<Record<string, string>>[]): string[] {
  const columns = Object.keys(rows[0] ?? {}).filter((name) => rows.some((row) => row[name]));
  const lines = [columns, ...rows.map((row) => columns.map((name) => row[name] ?? ''))].map((cells) =>
    cells.map(cut),
  );
  const widths = columns.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)));
  const [heading = [], ...body] = lines;
  const rule = widths.map((width) => '-'.repeat(width));
  return [heading, rule, ...body].map((cells) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** On one line, without control characters, which a terminal could interpret. */
function cut(cell: string): string {
  const line = cell.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
  return line.length > MAX_WIDTH ? `${line.slice(0, MAX_WIDTH - 1)}…` : line;
}

/** Null for another error. Without the advice about `--`, which Node 20 cuts off. */
export function argumentErrorText(error: unknown): string | null {
  const isOfParseArgs =
    error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
  return isOfParseArgs ? error.message.replace(/\. To specify a positional argument.*$/s, '.') : null;
}

export interface Output {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

export type ProgressBar = ReturnType<typeof progressBar>;

const WIDTH = 40;

export function progressBar(output: Output, total: number) {
  let done = 0;
  let printedTenth = 0;
  return {
    advance(count: number): void {
      done += count;
      const percent = Math.floor((done * 100) / total);
      const tenth = Math.floor(percent / 10);
      if (output.isTTY) {
        const filled = Math.floor((done * WIDTH) / total);
        output.write(`\r[${'#'.repeat(filled)}${'-'.repeat(WIDTH - filled)}] ${percent} %`);
      } else if (tenth > printedTenth) output.write(`${percent} % (${done} of ${total})\n`);
      printedTenth = tenth;
    },
    end(): void {
      if (output.isTTY) output.write('\n');
    },
  };
}
