import { createIssueGroups, type IssueGroups } from '../../../service/src/features/intake/imports/dryRun.js';

/** Rows that failed for one reason. */
export type IssueGroup = ReturnType<IssueGroups['largest']>[number];

interface Issue {
  readonly row: number;
  readonly code: string;
  readonly reason: string;
  /** The reason without the values of the row. A stored issue has none. */
  readonly pattern?: string;
}

/** Groups rows by reason, the largest group first, as the dry run of the service does. */
export function groupIssues(issues: readonly Issue[]): IssueGroup[] {
  const groups = createIssueGroups();
  groups.add(issues.map((issue) => ({ ...issue, pattern: issue.pattern ?? withoutValues(issue.reason) })));
  return groups.largest();
}

function withoutValues(reason: string): string {
  return reason.replace(/"(?:[^"\\]|\\.|\\$)*(?:"|$)|\d+/gs, '…');
}

const MAX_GROUPS = 10;
const MAX_ROWS = 5;

/** `3 rows (4, 9, 12): userId: is required`, with the reason of one row. */
export function issueLines(groups: readonly IssueGroup[]): string[] {
  const lines = groups.slice(0, MAX_GROUPS).map(({ example, rows, count }) => {
    const first = rows.slice(0, MAX_ROWS).join(', ');
    const which = count === 1 ? `row ${first}` : `${count} rows (${first}${count > MAX_ROWS ? ', …' : ''})`;
    return `  ${which}: ${example}`;
  });
  return groups.length > MAX_GROUPS ? [...lines, `  and ${groups.length - MAX_GROUPS} more reasons`] : lines;
}
