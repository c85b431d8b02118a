import type { Database, Queryable, Tx } from '../../kit/db/database.js';
import { HIGHEST_ID, LOWEST_ID } from '../../kit/ids.js';
import { type Audit, type Counts, partOf } from './report.js';
import { isAboutData, unreadable } from './storedRows.js';

/** Subjects by id: after the first (null: from the lowest on) and up to the second. */
export interface SubjectRange {
  afterId: string | null;
  upToId: string;
}

/** A range that is read in one view of the database. */
export interface AuditedRange extends SubjectRange {
  ids: readonly string[];
  /** Events of these subjects together. */
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

/** Audits all subjects, in bounded memory. */
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

/** Runs a check. Reports what it cannot read, so that the other checks go on. */
export async function readable<Summary extends Counts>(
  audit: Audit<Summary>,
  what: string,
  check: () => Promise<void>,
): Promise<void> {
  try {
    await check();
  } catch (error) {
    if (!isAboutData(error)) throw error;
    audit.report(unreadable(error, what));
  }
}
