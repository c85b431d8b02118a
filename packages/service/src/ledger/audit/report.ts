import { codeOf, isDatabaseUnavailable } from '../../kit/db/errors.js';
import { snakeCase } from '../../kit/db/rows.js';

/** Records one difference. */
export type Report = (what: string) => void;

/** Reports what is about a part: `snapshot 3: …`. */
export function about(report: Report, part: string): Report {
  return (what) => report(`${part}: ${what}`);
}

/**
 * Reports each stored value that differs from the one that is due.
 * @param pairs both, by the name of the column in camelCase.
 * @param whence describes what is due, for use within a sentence.
 */
export function compare(
  pairs: Readonly<Record<string, readonly [stored: unknown, due: unknown]>>,
  report: Report,
  whence = 'rebuilt',
): void {
  for (const [name, values] of Object.entries(pairs)) {
    const [stored, due] = values.map((value) => (value instanceof Date ? value.toISOString() : value));
    if (stored !== due) report(`${snakeCase(name)} is ${stored}, ${whence} ${due}`);
  }
}

/** What an audit counts. */
export type Counts = { differences: number };

export interface AuditOptions<Summary extends Counts> {
  now: Date;
  /** @param subjectId undefined: of no single subject */
  onDifference(what: string, subjectId: string | undefined): void;
  onProgress?(soFar: Summary): void;
}

/** What the parts of an audit share. */
export interface Audit<Summary extends Counts> {
  readonly summary: Summary;
  readonly now: Date;
  /** @param count how many differences this is. Default: 1 */
  report(what: string, subjectId?: string, count?: number): void;
  onProgress(): void;
}

/** Differences beyond these are only counted. */
const MAX_REPORTED = 1000;

export function beginAudit<Summary extends Counts>(
  nothing: Summary,
  { now, onDifference, onProgress }: AuditOptions<Summary>,
): Audit<Summary> {
  const summary: Summary = { ...nothing };
  let reported = 0;
  return {
    summary,
    now,
    report(what, subjectId, count = 1) {
      summary.differences += count;
      reported += 1;
      if (reported <= MAX_REPORTED) onDifference(what, subjectId);
    },
    onProgress: () => onProgress?.(summary),
  };
}

/** A part of the audit that counts only once it has come to its end. */
export function partOf<Summary extends Counts>(audit: Audit<Summary>): Audit<Summary> & { settle(): void } {
  const counted = audit.summary as Record<string, number>;
  const summary: Record<string, number> = Object.fromEntries(Object.keys(counted).map((name) => [name, 0]));
  const reported: Parameters<Audit<Summary>['report']>[] = [];
  return {
    summary: summary as Summary,
    now: audit.now,
    report: (...difference) => reported.push(difference),
    onProgress() {},
    settle() {
      for (const name in summary) counted[name] = (counted[name] ?? 0) + (summary[name] ?? 0);
      for (const difference of reported) audit.report(...difference);
    },
  };
}

/** Whether an error is about the data that is read, and not about the database or the rights on it. */
export function isAboutData(error: unknown): boolean {
  if (isDatabaseUnavailable(error)) return false;
  const code = codeOf(error);
  return code === undefined || code.startsWith('22') || code === 'XX001' || code === 'XX002';
}

export function unreadable(error: unknown, what = 'it'): string {
  return `${what} cannot be read: ${error instanceof Error ? error.message : String(error)}`;
}

/**
 * Runs one check, and reports what it cannot read, so that the other checks go on.
 * @param what is read; undefined: within a transaction, which ends with an error of the database. It is thrown.
 */
export async function guarded(
  report: Report,
  check: () => void | Promise<void>,
  what?: string,
): Promise<void> {
  try {
    await check();
  } catch (error) {
    if (!isAboutData(error) || (what === undefined && codeOf(error) !== undefined)) throw error;
    report(unreadable(error, what));
  }
}
