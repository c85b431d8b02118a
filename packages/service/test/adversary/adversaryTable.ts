import { readFileSync } from 'node:fs';

export const PAGE = new URL('../../../../docs/ADVERSARIES.md', import.meta.url);

/** What an attack cost and reached: the cells of its row in docs/ADVERSARIES.md. */
export type Row = readonly string[];

/** A table of the page, below its heading. */
export interface Table {
  readonly title: string;
  readonly header: Row;
  /** Columns of scores. */
  readonly scores: readonly number[];
}

const SCORES = ['Honest', 'Attack', 'Capped'];
const SCORE_HEADER: Row = [
  ...['Attack', 'Events', 'Confirmations', 'Days'],
  ...SCORES,
  ...['Signals', 'Honest signals'],
];

/** Ways to a better score. */
export const scoreTable: Table = {
  title: 'The table',
  header: SCORE_HEADER,
  scores: SCORES.map((name) => SCORE_HEADER.lastIndexOf(name)),
};
/** Ways into the pages that people open without a key. */
export const pageTable: Table = {
  title: 'Pages of people',
  header: ['Attack', 'Requests', 'Got through', 'Answers'],
  scores: [],
};
/** Scores move by a few hundredths when a run passes midnight. */
const SCORE_TOLERANCE = 0.15;

const patternOf = ({ title }: Table) => new RegExp(`(?<=^## ${title}\\n[^|]*)(\\|.*\\n)+`, 'm');

/** The rows that the page shows: what a run is expected to find. */
export function expectedRows(table: Table): Row[] {
  const [text = ''] = patternOf(table).exec(readFileSync(PAGE, 'utf8')) ?? [];
  const rows = text.trim().split('\n');
  return rows.toSpliced(0, 2).map((row) => row.slice(2, -2).split(' | '));
}

/** As Markdown. */
export function linesOf({ header }: Table, found: readonly Row[]): string[] {
  return [header, header.map(() => '---'), ...found].map((cells) => `| ${cells.join(' | ')} |`);
}

/** The page with other rows. */
export function withTable(page: string, table: Table, found: readonly Row[]): string {
  return page.replace(patternOf(table), () => `${linesOf(table, found).join('\n')}\n`);
}

/** What differs from the expected rows, one sentence each. Empty: nothing. */
export function differences(table: Table, found: readonly Row[], expected: readonly Row[]): string[] {
  const names = new Set([...found, ...expected].map(([name = '']) => name));
  return [...names].flatMap((name) => {
    const [now, before] = [found, expected].map((rows) => rows.find((row) => row[0] === name));
    if (!now || !before) return [`${name}: ${now ? 'is not in the expected table' : 'was not played'}`];
    return now.flatMap((cell, column) =>
      isSame(cell, before[column] ?? '', table.scores.includes(column))
        ? []
        : [`${name}: ${table.header[column]} is ${cell}, expected ${before[column]}`],
    );
  });
}

function isSame(now: string, before: string, isScore: boolean): boolean {
  if (isScore) return Math.abs(Number(now) - Number(before)) < SCORE_TOLERANCE;
  return now.split(', ').sort().join() === before.split(', ').sort().join();
}
