import { isAboutData } from '../../audit/storedRows.js';

export interface LogAuditSummary {
  leaves: number;
  checkpoints: number;
  /** Facts that were compared with their rows. */
  facts: number;
  /** Leaves of snapshots that retention has thinned. */
  thinned: number;
  /** Leaves whose salt was erased. */
  erased: number;
  /** Facts that wait for the log. */
  waiting: number;
  differences: number;
}

/** What the parts of the audit share. */
export interface LogAudit {
  readonly summary: LogAuditSummary;
  readonly now: Date;
  report(what: string, subjectId?: string): void;
  onProgress(): void;
}

/** A part of the audit that counts only once it has come to its end. */
export function partOf(audit: LogAudit): LogAudit & { settle(): void } {
  const reported: [what: string, subjectId?: string][] = [];
  const summary: LogAuditSummary = { ...NOTHING };
  return {
    summary,
    now: audit.now,
    report: (...difference) => reported.push(difference),
    onProgress: () => {},
    settle() {
      for (const name of countNames) audit.summary[name] += summary[name];
      for (const difference of reported) audit.report(...difference);
    },
  };
}

export const NOTHING: Readonly<LogAuditSummary> = {
  leaves: 0,
  checkpoints: 0,
  facts: 0,
  thinned: 0,
  erased: 0,
  waiting: 0,
  differences: 0,
};
const countNames = Object.keys(NOTHING) as (keyof LogAuditSummary)[];

/** Runs a check. Reports what it cannot read, so that the other checks go on. */
export async function readable(audit: LogAudit, what: string, check: () => Promise<void>): Promise<void> {
  try {
    await check();
  } catch (error) {
    if (!isAboutData(error)) throw error;
    audit.report(`${what} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}
