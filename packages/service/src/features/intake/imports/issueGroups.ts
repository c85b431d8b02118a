import type { IssueGroup } from './dryRunSchemas.js';
import type { RowIssue } from './schemas.js';

/** An issue with its reason without the values of its row. */
type Groupable = RowIssue & { readonly pattern: string };

/** Groups the issues of rows by reason, whatever values they quote. */
export interface IssueGroups {
  add(issues: readonly Groupable[]): void;
  /** All issues. */
  count(): number;
  /** The groups, the largest first. */
  largest(): IssueGroup[];
}

/** A file can fail in as many ways as it has rows. Further reasons share a last group. */
const MAX_GROUPS = 100;
const MAX_ROWS_NAMED = 20;

export function createIssueGroups(): IssueGroups {
  const groups = new Map<string, IssueGroup>();
  let total = 0;
  return {
    add(issues) {
      for (const issue of issues) {
        total += 1;
        const group = groupOf(issue);
        group.count += 1;
        group.rows.push(issue.row);
        // Rows arrive by subject, not in the order of the file.
        if (group.rows.length > 2 * MAX_ROWS_NAMED) group.rows = lowest(group.rows);
      }
    },
    count: () => total,
    largest: () =>
      [...groups.values()]
        .map((group) => ({ ...group, rows: lowest(group.rows) }))
        .sort((a, b) => b.count - a.count || (a.rows[0] ?? 0) - (b.rows[0] ?? 0)),
  };

  function groupOf({ code, reason, pattern }: Groupable): IssueGroup {
    const key = `${code} ${pattern}`;
    const known = groups.get(key) ?? (groups.size < MAX_GROUPS ? undefined : groups.get(OTHERS));
    if (known) return known;
    const isLast = groups.size === MAX_GROUPS;
    const group = { code, reason: isLast ? OTHERS : pattern, example: reason, count: 0, rows: [] };
    groups.set(isLast ? OTHERS : key, group);
    return group;
  }
}

const OTHERS = 'Other reasons';

function lowest(rows: readonly number[]): number[] {
  return [...rows].sort((a, b) => a - b).slice(0, MAX_ROWS_NAMED);
}
