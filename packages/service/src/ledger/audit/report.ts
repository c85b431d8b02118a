/** Records one difference. */
export type Report = (what: string) => void;

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
