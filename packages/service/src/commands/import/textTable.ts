const WIDEST = 40;

/** Rows as a table for a terminal: what is too wide is cut, columns that are empty throughout are left out. */
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

/** On one line, and without what a terminal would take for a command. */
function cut(cell: string): string {
  const line = cell.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
  return line.length > WIDEST ? `${line.slice(0, WIDEST - 1)}…` : line;
}
