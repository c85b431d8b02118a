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
