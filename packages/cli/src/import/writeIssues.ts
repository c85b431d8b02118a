import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Client } from '@reliability/client';
import type { ColumnProblem } from '../../../service/src/features/intake/imports/problems.js';
import { type CsvColumn, csvStream, onePage } from '../../../service/src/kit/csv.js';

export interface Issue {
  readonly row: number;
  readonly code: string;
  readonly reason: string;
  readonly kind: 'error' | 'warning';
}

const PAGE = 100;

/** The errors and then the warnings of rows, each by row. The service stores a limited number. */
export async function readIssues(
  client: Client,
  importId: string,
): Promise<{ issues: Issue[]; isComplete: boolean }> {
  const issues: Issue[] = [];
  let isComplete = true;
  for (let offset = 0; ; offset += PAGE) {
    const { errors, warnings, truncated } = await client.listImportErrors(importId, { limit: PAGE, offset });
    issues.push(...errors.map((issue) => ({ ...issue, kind: 'error' as const })));
    issues.push(...warnings.map((issue) => ({ ...issue, kind: 'warning' as const })));
    isComplete &&= !truncated;
    if (errors.length < PAGE && warnings.length < PAGE) break;
  }
  issues.sort((a, b) => (a.kind === b.kind ? a.row - b.row : a.kind === 'error' ? -1 : 1));
  return { issues, isComplete };
}

/** What is wrong with the rows that failed, by column. */
export async function readProblems(client: Client, importId: string): Promise<ColumnProblem[]> {
  const { columns } = await client.listImportErrors(importId, { groupBy: 'column' });
  return columns as ColumnProblem[];
}

/** Writes them to a CSV file beside the imported one. Returns its path. */
export async function writeIssues(issues: readonly Issue[], filePath: string): Promise<string> {
  const path = `${filePath.replace(/\.csv$/i, '')}.errors.csv`;
  await pipeline(csvStream(COLUMNS, onePage(issues), { maxRows: issues.length }), createWriteStream(path));
  return path;
}

const COLUMNS: readonly CsvColumn<Issue>[] = [
  { name: 'row', value: ({ row }) => row },
  { name: 'code', value: ({ code }) => code },
  { name: 'reason', value: ({ reason }) => reason },
  { name: 'kind', value: ({ kind }) => kind },
];
