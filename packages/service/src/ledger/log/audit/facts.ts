import { EMPTY_CHAIN, equalBytes, latenessOf, nextChain, spanOf } from '@reliability/proof';
import type { Database, Engine, Queryable, Tx } from '../../../kit/db/database.js';
import { findSubjectIds, LOWEST_ID } from '../../audit/store.js';
import { isAboutData, unreadable } from '../../audit/storedRows.js';
import { readsOfAll } from '../../links/recordReads.js';
import { AT_START } from '../cursors.js';
import { type CountedSubject, chainKey, readChains } from '../factStore.js';
import { commitmentOf, eventFact, type Fact, otherFact, type SnapshotFact, snapshotFact } from '../facts.js';
import { LOG_ITSELF } from '../kinds.js';
import { countedBy } from '../leaves.js';
import { readOtherFacts } from '../otherFacts.js';
import { type LogAudit, partOf, readable } from './logAudit.js';
import {
  type ErasedEvents,
  type EventPair,
  isBeforeThinning,
  type PairedLeaf,
  readErased,
  readEventPairs,
  readMaxPosition,
  readOtherLeaves,
  readQueued,
  readSnapshotPairs,
  type SnapshotPair,
  type SubjectRange,
} from './store.js';

const PAGE_SUBJECTS = 500;
/** Subjects share a page up to this many events. A longer ledger is read in windows of this many. */
const PAGE_EVENTS = 10_000;
const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Ranges that are read at once: the database makes and hashes facts, each connection on a processor. */
const RANGES_AT_ONCE = { postgresql: 3, pglite: 1 } as const satisfies Record<Engine, number>;

/** Compares every fact with its leaf, subject by subject. */
export async function auditFacts(db: Database, audit: LogAudit): Promise<void> {
  const ofLog = { afterId: null, upToId: LOG_ITSELF };
  await readable(audit, 'the facts about the log itself', () => auditOthers(db, ofLog, [LOG_ITSELF], audit));
  const ranges = rangesOf(db);
  const auditNext = async () => {
    for (let next = await ranges.next(); !next.done; next = await ranges.next()) {
      const { range, ids, events } = next.value;
      await auditRange(db, range, ids, events, audit);
      audit.onProgress();
    }
  };
  try {
    await Promise.all(Array.from({ length: RANGES_AT_ONCE[db.engine] }, auditNext));
  } finally {
    // After an error the others end with the range that they are in.
    await ranges.return();
  }
}

interface AuditedRange {
  range: SubjectRange;
  ids: readonly string[];
  /** Events of these subjects together. */
  events: number;
}

async function* rangesOf(db: Database): AsyncGenerator<AuditedRange, void, void> {
  let afterId = LOWEST_ID;
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
    yield { range: { afterId, upToId }, ids, events };
    afterId = upToId;
  }
}

/** What is known of the subjects of a range besides their facts. */
interface RangeState {
  /** Subjects whose unlogged facts the sequencer will find; null: all, while the first walk is under way. */
  queued: ReadonlySet<string> | null;
  erased: ReadonlyMap<string, ErasedEvents>;
}

async function readState(tx: Tx, range: SubjectRange): Promise<RangeState> {
  const [queued, erased] = await Promise.all([readQueued(tx, range), readErased(tx, range)]);
  return { queued, erased };
}

/**
 * Audits a range in one view of the database. If a row ends a statement, each subject is audited alone,
 * then without the database making facts, so that the row is named and all others are compared.
 */
async function auditRange(
  db: Database,
  range: SubjectRange,
  ids: readonly string[],
  events: number,
  audit: LogAudit,
  isHashed = true,
): Promise<void> {
  const part = partOf(audit);
  try {
    await db.view((tx) => auditView(tx, range, ids, events, part, isHashed));
  } catch (error) {
    if (!isAboutData(error)) throw error;
    if (ids.length > 1) return auditAlone(db, range, ids, events, audit);
    if (isHashed) return auditRange(db, range, ids, events, audit, false);
    audit.report(unreadable(error), ids[0]);
    return;
  }
  part.settle();
}

async function auditAlone(
  db: Database,
  { afterId, upToId }: SubjectRange,
  ids: readonly string[],
  events: number,
  audit: LogAudit,
): Promise<void> {
  for (const [index, id] of ids.entries()) {
    const range = { afterId: ids[index - 1] ?? afterId, upToId: index === ids.length - 1 ? upToId : id };
    await auditRange(db, range, [id], events, audit);
  }
}

async function auditView(
  tx: Tx,
  range: SubjectRange,
  ids: readonly string[],
  events: number,
  audit: LogAudit,
  isHashed: boolean,
): Promise<void> {
  const state = await readState(tx, range);
  const positions = Math.max(events, await readMaxPosition(tx, range), 1);
  for (let after = 0; after < positions; after += PAGE_EVENTS) {
    await auditEvents(tx, range, after, state, audit, isHashed);
  }
  await auditSnapshots(tx, range, state, audit, isHashed);
  countErased(state, audit);
  await compareOthers(tx, range, ids, state, audit);
}

async function auditEvents(
  tx: Tx,
  range: SubjectRange,
  afterPosition: number,
  state: RangeState,
  audit: LogAudit,
  isHashed: boolean,
): Promise<void> {
  const { confirmed, open } = await readEventPairs(tx, range, afterPosition, PAGE_EVENTS, isHashed);
  audit.summary.facts += confirmed;
  for (const row of open) {
    const { previous, completeUntil } = row;
    const name = `the event at position ${row.ref}`;
    compare(audit, row, state, name, (salt) =>
      completeUntil ? eventFact(row, { previous, completeUntil }, salt) : null,
    );
    if (row.isStored && row.d) auditPlace(row, row.d, name, audit);
  }
}

/** Of a salt that was dropped, too: none of this needs it. */
function auditPlace(
  { eventId, subjectId, createdAt, completeUntil, previousChain, chain, leafIndex }: EventPair,
  d: Buffer,
  name: string,
  { report }: LogAudit,
): void {
  const expected = nextChain(previousChain ?? EMPTY_CHAIN, d);
  if (!chain || !equalBytes(chain, expected)) {
    report(`the chain of leaf ${leafIndex}, ${name}, does not continue the one before`, subjectId);
  }
  const lateMs = completeUntil && latenessOf(createdAt.getTime(), completeUntil.getTime());
  if (lateMs === null) return;
  const { count, unit } = spanOf(lateMs);
  report(
    `event ${eventId} was logged ${count} ${unit} after it was recorded, as leaf ${leafIndex}`,
    subjectId,
  );
}

/** Leaves that an erasure does not count could hide a ledger that was logged a second time. */
function countErased({ erased, queued }: RangeState, { report }: LogAudit): void {
  for (const [subjectId, { events, leaves }] of erased) {
    const isWaiting = leaves < events && (queued === null || queued.has(subjectId));
    if (leaves !== events && !isWaiting) {
      report(`the erasure counts ${events} events, and the log has ${leaves} of the subject`, subjectId);
    }
  }
}

async function auditSnapshots(
  tx: Tx,
  range: SubjectRange,
  state: RangeState,
  audit: LogAudit,
  isHashed: boolean,
): Promise<void> {
  for (let after = { subjectId: range.afterId ?? LOWEST_ID, ref: Number.MAX_SAFE_INTEGER }; ; ) {
    const { confirmed, open, last } = await readSnapshotPairs(tx, range, after, PAGE_EVENTS, isHashed);
    audit.summary.facts += confirmed;
    const chainOf = await chainsOf(tx, open);
    for (const row of open) {
      if (!row.isStored && row.leafIndex !== null && (await isBeforeThinning(tx, row.leafIndex, audit.now))) {
        audit.summary.thinned += 1;
      } else {
        compare(audit, row, state, `snapshot ${row.ref}`, () => {
          const members = countedBy(row, chainOf);
          return members && snapshotFact(row, members);
        });
      }
    }
    if (!last) return;
    after = last;
  }
}

/** The chains that these snapshots name, those in other ledger groups, too. */
async function chainsOf(tx: Tx, open: readonly SnapshotPair[]) {
  const counted = open
    .filter(({ isStored, d }) => isStored && d)
    .flatMap(({ positions }): CountedSubject[] => Object.entries(positions))
    .filter(([, position]) => position > 0);
  const chains = await readChains(tx, counted);
  const elsewhere = counted.filter(([id, position]) => !chains.has(chainKey(id, position)));
  if (tx.groupNumbers.length > 1) {
    for (const [key, chain] of await readChains(readsOfAll(tx), elsewhere)) chains.set(key, chain);
  }
  return (id: string, position: number) =>
    position === 0 ? AT_START.chain : chains.get(chainKey(id, position));
}

async function auditOthers(
  db: Database,
  range: SubjectRange,
  ids: readonly string[],
  audit: LogAudit,
): Promise<void> {
  await db.view(async (tx) => {
    await compareOthers(tx, range, ids, await readState(tx, range), audit);
  });
}

async function compareOthers(
  tx: Queryable,
  range: SubjectRange,
  ids: readonly string[],
  state: RangeState,
  audit: LogAudit,
): Promise<void> {
  const [leaves, rows] = await Promise.all([readOtherLeaves(tx, range), readOtherFacts(tx, ids)]);
  const byKey = new Map(leaves.map((leaf) => [keyOf(leaf), leaf]));
  for (const row of rows) {
    const leaf = byKey.get(keyOf(row)) ?? { leafIndex: null, salt: null, d: null };
    byKey.delete(keyOf(row));
    const name = `the fact ${String(row.fact.kind)} ${row.ref}`;
    compare(audit, { ...row, ...leaf, isStored: true }, state, name, (salt) => otherFact(row, salt));
  }
  for (const leaf of byKey.values()) {
    compare(audit, { ...leaf, isStored: false }, state, `a fact of kind ${leaf.kind}`, () => ({}));
  }
}

function keyOf({ subjectId, kind, ref }: { subjectId: string; kind: number; ref: number }): string {
  return `${subjectId} ${kind} ${ref}`;
}

function compare(
  { summary, report }: LogAudit,
  { subjectId, isStored, leafIndex, salt, d }: PairedLeaf,
  { queued, erased }: RangeState,
  name: string,
  factOf: (salt: Buffer) => Fact | SnapshotFact | null,
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
  } else if (salt === null) {
    if (erased.has(subjectId)) summary.erased += 1;
    else report(`leaf ${leafIndex}, ${name}, has lost its salt without an erasure`, subjectId);
  } else {
    const fault = faultOfLeaf(salt, d, factOf);
    if (fault) report(`${name} ${fault} that leaf ${leafIndex} holds`, subjectId);
  }
}

function faultOfLeaf(
  salt: Buffer,
  d: Buffer,
  factOf: (salt: Buffer) => Fact | SnapshotFact | null,
): string | null {
  try {
    const fact = factOf(salt);
    return fact && d.equals(commitmentOf(salt, fact)) ? null : 'is not the fact';
  } catch (error) {
    return `cannot be read (${error instanceof Error ? error.message : String(error)}), so it is not the fact`;
  }
}
