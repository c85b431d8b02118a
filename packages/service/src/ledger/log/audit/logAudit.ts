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
