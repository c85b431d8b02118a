import type { Database, Queryable, Tx } from '../../../kit/db/database.js';
import { findSubjectIds, freezeView, LOWEST_ID } from '../../audit/store.js';
import { commitmentOf, eventFact, type Fact, otherFact, snapshotFact } from '../facts.js';
import { LOG_ITSELF } from '../kinds.js';
import { readOtherFacts } from '../otherFacts.js';
import type { LogAudit } from './logAudit.js';
import {
  isBeforeThinning,
  type PairedLeaf,
  readEventPairs,
  readMaxPosition,
  readOtherLeaves,
  readQueued,
  readSnapshotPairs,
  type SubjectRange,
} from './store.js';

const PAGE_SUBJECTS = 500;
/** Subjects share a page up to this many events. A longer ledger is read in windows of this many. */
const PAGE_EVENTS = 10_000;
const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Compares every fact with its leaf, subject by subject. */
export async function auditFacts(db: Database, audit: LogAudit): Promise<void> {
  let afterId = LOWEST_ID;
  await auditOthers(db, { afterId: null, upToId: LOG_ITSELF }, [LOG_ITSELF], audit);
  while (afterId !== HIGHEST_ID) {
    const found = await findSubjectIds(db, afterId, PAGE_SUBJECTS);
    const ids: string[] = [];
    let events = 0;
    for (const { subjectId, eventCount } of found) {
      if (ids.length > 0 && events + eventCount > PAGE_EVENTS) break;
      ids.push(subjectId);
      events += eventCount;
    }
    // The last range reaches to the end, so that leaves of deleted subjects are found.
    const isLast = found.length < PAGE_SUBJECTS && ids.length === found.length;
    const upToId = isLast ? HIGHEST_ID : (ids.at(-1) ?? HIGHEST_ID);
    await auditRange(db, { afterId, upToId }, ids, events, audit);
    afterId = upToId;
    audit.onProgress();
  }
}

function auditRange(
  db: Database,
  range: SubjectRange,
  ids: readonly string[],
  events: number,
  audit: LogAudit,
): Promise<void> {
  return db.transaction(async (tx) => {
    await freezeView(tx);
    const queued = await readQueued(tx, range);
    const positions = Math.max(events, await readMaxPosition(tx, range), 1);
    for (let after = 0; after < positions; after += PAGE_EVENTS) {
      await auditEvents(tx, range, after, queued, audit);
    }
    await auditSnapshots(tx, range, queued, audit);
    await compareOthers(tx, range, ids, queued, audit);
  });
}

/** @param queued subjects whose unlogged facts the sequencer will find; null: all, while the first walk is under way */
async function auditEvents(
  tx: Tx,
  range: SubjectRange,
  afterPosition: number,
  queued: ReadonlySet<string> | null,
  audit: LogAudit,
): Promise<void> {
  let last: { subjectId: string; position: number; d: Buffer | null } | null = null;
  for (const row of await readEventPairs(tx, range, afterPosition, PAGE_EVENTS)) {
    const { subjectId, ref, d } = row;
    const isNext = last?.subjectId === subjectId && last.position === ref - 1;
    const previous = isNext ? (last?.d ?? null) : row.previous;
    compare(audit, row, queued, `the event at position ${ref}`, (salt) => eventFact(row, previous, salt));
    last = { subjectId, position: ref, d };
  }
}

async function auditSnapshots(
  tx: Tx,
  range: SubjectRange,
  queued: ReadonlySet<string> | null,
  audit: LogAudit,
): Promise<void> {
  for (let after = { subjectId: range.afterId ?? LOWEST_ID, ref: Number.MAX_SAFE_INTEGER }; ; ) {
    const rows = await readSnapshotPairs(tx, range, after, PAGE_EVENTS);
    for (const row of rows) {
      if (!row.isStored && row.leafIndex !== null && (await isBeforeThinning(tx, row.leafIndex, audit.now))) {
        audit.summary.thinned += 1;
      } else {
        compare(audit, row, queued, `snapshot ${row.ref}`, () => snapshotFact(row, row.head));
      }
    }
    const last = rows.at(-1);
    if (!last || rows.length < PAGE_EVENTS) return;
    after = last;
  }
}

async function auditOthers(
  db: Database,
  range: SubjectRange,
  ids: readonly string[],
  audit: LogAudit,
): Promise<void> {
  await db.transaction(async (tx) => {
    await freezeView(tx);
    await compareOthers(tx, range, ids, await readQueued(tx, range), audit);
  });
}

async function compareOthers(
  tx: Queryable,
  range: SubjectRange,
  ids: readonly string[],
  queued: ReadonlySet<string> | null,
  audit: LogAudit,
): Promise<void> {
  const [leaves, rows] = await Promise.all([readOtherLeaves(tx, range), readOtherFacts(tx, ids)]);
  const byKey = new Map(leaves.map((leaf) => [keyOf(leaf), leaf]));
  for (const row of rows) {
    const leaf = byKey.get(keyOf(row)) ?? { leafIndex: null, salt: null, d: null };
    byKey.delete(keyOf(row));
    const name = `the fact ${String(row.fact.kind)} ${row.ref}`;
    compare(audit, { ...row, ...leaf, isStored: true }, queued, name, (salt) => otherFact(row, salt));
  }
  for (const leaf of byKey.values()) {
    compare(audit, { ...leaf, isStored: false }, queued, `a fact of kind ${leaf.kind}`, () => ({}));
  }
}

function keyOf({ subjectId, kind, ref }: { subjectId: string; kind: number; ref: number }): string {
  return `${subjectId} ${kind} ${ref}`;
}

function compare(
  { summary, report }: LogAudit,
  { subjectId, isStored, leafIndex, salt, d }: PairedLeaf,
  queued: ReadonlySet<string> | null,
  name: string,
  factOf: (salt: Buffer) => Fact,
): void {
  if (!isStored) {
    report(`leaf ${leafIndex} is ${name}, which is missing`, subjectId);
    return;
  }
  summary.facts += 1;
  if (leafIndex === null || d === null) {
    if (queued && !queued.has(subjectId))
      report(`${name} is not in the log and not queued for it`, subjectId);
    else summary.waiting += 1;
  } else if (salt === null) summary.erased += 1;
  else if (!d.equals(commitmentOf(salt, factOf(salt)))) {
    report(`${name} is not the fact that leaf ${leafIndex} holds`, subjectId);
  }
}
