import { readFileSync } from 'node:fs';

export const PAGE = new URL('../../../../docs/ADVERSARIES.md', import.meta.url);

/** What an attack cost and reached: the cells of its row in docs/ADVERSARIES.md. */
export type Row = readonly string[];

export const HEADER: Row = [
  'Attack',
  'Events',
  'Confirmations',
  'Days',
  'Honest',
  'Attack',
  'Capped',
  'Signals',
  'Honest signals',
];
const SCORES = ['Honest', 'Attack', 'Capped'].map((name) => HEADER.lastIndexOf(name));
/** Scores move by a few hundredths when a run passes midnight. */
const SCORE_TOLERANCE = 0.15;

const TABLE = /(?<=^## The table\n[^|]*)(\|.*\n)+/m;

/** The rows that the page shows: what a run is expected to find. */
export function expectedRows(): Row[] {
  const [table = ''] = TABLE.exec(readFileSync(PAGE, 'utf8')) ?? [];
  const rows = table.trim().split('\n');
  return rows.toSpliced(0, 2).map((row) => row.slice(2, -2).split(' | '));
}

/** The page with another table. */
export function withTable(page: string, lines: readonly string[]): string {
  return page.replace(TABLE, lines.map((line) => `${line}\n`).join(''));
}

/** What differs from the expected rows, one sentence each. Empty: nothing. */
export function differences(found: readonly Row[], expected: readonly Row[]): string[] {
  const names = new Set([...found, ...expected].map(([name = '']) => name));
  return [...names].flatMap((name) => {
    const [now, before] = [found, expected].map((rows) => rows.find((row) => row[0] === name));
    if (!now || !before) return [`${name}: ${now ? 'is not in the expected table' : 'was not played'}`];
    return now.flatMap((cell, column) =>
      isSame(cell, before[column] ?? '', column)
        ? []
        : [`${name}: ${HEADER[column]} is ${cell}, expected ${before[column]}`],
    );
  });
}

function isSame(now: string, before: string, column: number): boolean {
  if (SCORES.includes(column)) return Math.abs(Number(now) - Number(before)) < SCORE_TOLERANCE;
  return now.split(', ').sort().join() === before.split(', ').sort().join();
}
