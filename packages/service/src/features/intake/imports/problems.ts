import { z } from 'zod';
import { shortened } from '#domain/mapping/unusable.js';

/** What is wrong with one column of a row; null: with the row as a whole. */
export interface Problem {
  readonly column: string | null;
  readonly code: string;
  /** Without the value: `must be a number with a decimal point`. */
  readonly expected: string;
}

/** The rows that fail by one problem. It has no value of a row, so it is kept when their texts go. */
export interface CountedProblem extends Problem {
  readonly rows: number;
  readonly first: number;
}

export type ColumnProblem = z.output<typeof ColumnProblem>;
export const ColumnProblem = z
  .object({
    column: z.string().nullable(),
    code: z.string(),
    rows: z.int().min(1),
    first: z.int().min(1),
    example: z.string().nullable(),
    expected: z.string(),
  })
  .meta({ id: 'ColumnProblem' });

/** More than the columns of a mapping can have in ordinary files. */
const MAX_PROBLEMS = 200;

/**
 * Adds the problems of rows to those before, the most frequent first.
 * @returns also the rows that are now the first of a problem.
 */
export function countProblems(
  before: readonly CountedProblem[],
  failures: readonly { readonly row: number; readonly problems: readonly Problem[] }[],
): { problems: CountedProblem[]; firsts: ReadonlySet<number> } {
  const counted = new Map(before.map((problem) => [keyOf(problem), problem]));
  for (const { row, problems } of failures) {
    // A column can be read by two rules, with the same problem.
    for (const [key, problem] of new Map(problems.map((each) => [keyOf(each), each]))) {
      const known = counted.get(key) ?? { ...problem, rows: 0, first: row };
      if (known.rows === 0 && counted.size === MAX_PROBLEMS) continue;
      counted.set(key, { ...known, rows: known.rows + 1, first: Math.min(known.first, row) });
    }
  }
  const problems = [...counted.values()].sort((a, b) => b.rows - a.rows || a.first - b.first);
  const rows = new Set(failures.map(({ row }) => row));
  return { problems, firsts: new Set(problems.map(({ first }) => first).filter((row) => rows.has(row))) };
}

function keyOf({ column, code, expected }: Problem): string {
  return JSON.stringify([column, code, expected]);
}

interface Failed {
  readonly row: number;
  readonly reason: string;
  /** Null: they are not stored. */
  readonly cells: readonly string[] | null;
}

/** Problems with the cell of their first row; of one that concerns a row as a whole, what is wrong with it. */
export function withExamples(
  problems: readonly CountedProblem[],
  header: readonly string[],
  rows: readonly Failed[],
): ColumnProblem[] {
  const byNumber = new Map(rows.map((each) => [each.row, each]));
  return problems.map(({ column, code, expected, rows, first }) => {
    const row = byNumber.get(first);
    const cell = column === null ? row?.reason : row?.cells?.[header.indexOf(column)];
    return { column, code, rows, first, example: cell === undefined ? null : shortened(cell), expected };
  });
}
