import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { type CsvColumn, csvStream, onePage } from '../../kit/csv.js';
import type { ApiClient } from '../apiClient.js';

const Issue = z.object({ row: z.number(), code: z.string(), reason: z.string() });
const Issues = z.object({ errors: z.array(Issue), warnings: z.array(Issue), truncated: z.boolean() });

type Kind = 'error' | 'warning';
type IssueLine = z.output<typeof Issue> & { kind: Kind };

const PAGE = 100;

/** Writes the errors and then the warnings of rows to a CSV file beside the imported one. */
export async function writeIssues(
  call: ApiClient,
  importId: string,
  filePath: string,
): Promise<{ path: string; isComplete: boolean }> {
  const lines: IssueLine[] = [];
  let isComplete = true;
  for (let offset = 0; ; offset += PAGE) {
    const { body } = await call('GET', `/imports/${importId}/errors?limit=${PAGE}&offset=${offset}`, Issues);
    lines.push(...linesOf('error', body.errors), ...linesOf('warning', body.warnings));
    isComplete &&= !body.truncated;
    if (body.errors.length < PAGE && body.warnings.length < PAGE) break;
  }
  const path = `${filePath.replace(/\.csv$/i, '')}.errors.csv`;
  lines.sort((a, b) => (a.kind === b.kind ? a.row - b.row : a.kind === 'error' ? -1 : 1));
  await pipeline(csvStream(COLUMNS, onePage(lines), { maxRows: lines.length }), createWriteStream(path));
  return { path, isComplete };
}

function linesOf(kind: Kind, issues: readonly z.output<typeof Issue>[]): IssueLine[] {
  return issues.map((issue) => ({ ...issue, kind }));
}

const COLUMNS: readonly CsvColumn<IssueLine>[] = [
  { name: 'row', value: ({ row }) => row },
  { name: 'code', value: ({ code }) => code },
  { name: 'reason', value: ({ reason }) => reason },
  { name: 'kind', value: ({ kind }) => kind },
];
