import type { Database, Queryable, Tx } from '#kit/db/database.js';
import { codeOf, isDatabaseUnavailable } from '#kit/db/errors.js';
import { snakeCase } from '#kit/db/rows.js';
import { HIGHEST_ID, LOWEST_ID } from '#kit/ids.js';

export type Report = (what: string) => void;

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

export type Counts = { differences: number };

export interface AuditOptions<Summary extends Counts> {
  now: Date;
  /** @param subjectId undefined: of no single subject */
  onDifference(what: string, subjectId: string | undefined): void;
  onProgress?(soFar: Summary): void;
}

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

/** @param what is read; undefined: in a transaction, which an error of the database ends. It is thrown. */
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

/** Subjects by id: after the first (null: from the lowest on) and up to the second. */
export interface SubjectRange {
  afterId: string | null;
  upToId: string;
}

export interface AuditedRange extends SubjectRange {
  ids: readonly string[];
  events: number;
}

const PAGE_SUBJECTS = 500;
/** Subjects share a range up to this many events; a longer ledger has its own. */
export const RANGE_EVENTS = 10_000;
/** Ranges that are read at once, each by a connection. */
const RANGES_AT_ONCE = 3;

/** @param isCareful the first try could not be read: the database must not evaluate what rows hold. */
type Check<Summary extends Counts> = (
  tx: Tx,
  range: AuditedRange,
  part: Audit<Summary>,
  isCareful: boolean,
) => Promise<void>;

export async function auditRanges<Summary extends Counts>(
  db: Database,
  audit: Audit<Summary>,
  check: Check<Summary>,
): Promise<void> {
  const ranges = rangesOf(db);
  const auditNext = async () => {
    // After an error the others end with the range that they are in.
    for await (const range of ranges) {
      await auditRange(db, range, audit, check);
      audit.onProgress();
    }
  };
  await Promise.all(Array.from({ length: db.hasOneConnection ? 1 : RANGES_AT_ONCE }, auditNext));
}

async function* rangesOf(db: Queryable): AsyncGenerator<AuditedRange, void, void> {
  let afterId = LOWEST_ID;
  while (afterId !== HIGHEST_ID) {
    const found = await db.query<{ subjectId: string; eventCount: number }>(
      'select subject_id, event_count from subject where subject_id > $1 order by subject_id limit $2',
      [afterId, PAGE_SUBJECTS],
    );
    const ids: string[] = [];
    let events = 0;
    for (const { subjectId, eventCount } of found) {
      if (ids.length > 0 && events + eventCount > RANGE_EVENTS) break;
      ids.push(subjectId);
      events += eventCount;
    }
    // The last range reaches to the end, so that rows of deleted subjects are found.
    const isLast = found.length < PAGE_SUBJECTS && ids.length === found.length;
    const upToId = isLast ? HIGHEST_ID : (ids.at(-1) ?? HIGHEST_ID);
    yield { afterId, upToId, ids, events };
    afterId = upToId;
  }
}

/** If a row ends a statement, each subject is audited alone, so that it is named and all others are audited. */
async function auditRange<Summary extends Counts>(
  db: Database,
  range: AuditedRange,
  audit: Audit<Summary>,
  check: Check<Summary>,
  isCareful = false,
): Promise<void> {
  const { ids } = range;
  const part = partOf(audit);
  try {
    await db.view((tx) => check(tx, range, part, isCareful));
    part.settle();
  } catch (error) {
    if (!isAboutData(error)) throw error;
    if (ids.length > 1) for (const one of onesOf(range)) await auditRange(db, one, audit, check);
    else if (isCareful) audit.report(unreadable(error), ids[0]);
    else await auditRange(db, range, audit, check, true);
  }
}

function onesOf({ afterId, upToId, ids, events }: AuditedRange): AuditedRange[] {
  return ids.map((id, index) => ({
    afterId: ids[index - 1] ?? afterId,
    upToId: index === ids.length - 1 ? upToId : id,
    ids: [id],
    events,
  }));
}

export interface RowReader<Row> {
  peek(): Promise<Row | null>;
  skip(): void;
}

export const PAGE_ROWS = 5000;

/** @param readPage the next PAGE_ROWS rows after the last one */
export function pagedReader<Row>(readPage: (last: Row | null) => Promise<Row[]>): RowReader<Row> {
  let page: Row[] = [];
  let next = 0;
  let isAtEnd = false;
  return {
    async peek() {
      if (next >= page.length && !isAtEnd) {
        page = await readPage(page.at(-1) ?? null);
        next = 0;
        isAtEnd = page.length < PAGE_ROWS;
      }
      return page[next] ?? null;
    },
    skip() {
      next += 1;
    },
  };
}
