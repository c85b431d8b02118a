import type { Warning } from '../../../service/src/domain/readOutcomeEvent.js';
import { createIssueGroups } from '../../../service/src/features/intake/imports/dryRun.js';
import type { ColumnProblem } from '../../../service/src/features/intake/imports/problems.js';

const MAX_LINES = 20;
const MAX_ROWS = 5;

/** `Column "Fertig am" must be a date …: 3 rows, the first is row 5 with "3. Mai"`, the most frequent first. */
export function problemLines(problems: readonly ColumnProblem[]): string[] {
  return limited(
    problems.map(({ column, expected, rows, first, example }) => {
      const row = expected.startsWith('must ') ? 'A row ' : '';
      const what = column === null ? row : `Column "${column}" `;
      const which = rows === 1 ? `row ${first}` : `${rows} rows, the first is row ${first}`;
      const shown = column === null || example === null ? '' : ` with "${example}"`;
      return `  ${what}${expected.replace(/\.$/, '')}: ${which}${shown}`;
    }),
    'problems',
  );
}

/** `3 rows (4, 9, 12): Recorded as unverified: …`, for each kind of warning. */
export function warningLines(warnings: readonly (Warning & { readonly row: number })[]): string[] {
  const groups = createIssueGroups();
  groups.add(warnings.map(({ row, code, message }) => ({ row, code, reason: message, pattern: message })));
  return limited(
    groups.largest().map(({ example, rows, count }) => {
      const first = rows.slice(0, MAX_ROWS).join(', ');
      const which = count === 1 ? `row ${first}` : `${count} rows (${first}${count > MAX_ROWS ? ', …' : ''})`;
      return `  ${which}: ${example}`;
    }),
    'warnings',
  );
}

function limited(lines: readonly string[], what: string): string[] {
  if (lines.length <= MAX_LINES) return [...lines];
  return [...lines.slice(0, MAX_LINES), `  and ${lines.length - MAX_LINES} more ${what}`];
}
