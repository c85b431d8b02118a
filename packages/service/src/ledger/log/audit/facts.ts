import { EMPTY_CHAIN, equalBytes, latenessOf, nextChain, spanOf } from '@reliability/proof';
import type { Database, Tx } from '#kit/db/database.js';
import {
  type AuditedRange,
  auditRanges,
  guarded,
  RANGE_EVENTS,
  type SubjectRange,
} from '../../audit/report.js';
import { readsOfAll } from '../../links/recordReads.js';
import { type CountedSubject, chainKey, readChains, START_CHAIN } from '../factStore.js';
import { eventFactText, LOG_ITSELF, otherFactText, saltedHash, snapshotFactText } from '../facts.js';
import { countedBy } from '../leaves.js';
import { readOtherFacts } from '../otherFacts.js';
import {
  EVENTS,
  type EventPair,
  isBeforeThinning,
  type LogAudit,
  type PairedLeaf,
  readErased,
  readLastNumbers,
  readOtherLeaves,
  readPairs,
  readQueued,
  SNAPSHOTS,
  type SnapshotPair,
  type Window,
} from './store.js';

const SNAPSHOT_NUMBERS = 1000;

type RangeAudit = Awaited<ReturnType<typeof rangeAudit>>;

export async function auditFacts(db: Database, audit: LogAudit): Promise<void> {
  const ofLog = { afterId: null, upToId: LOG_ITSELF };
  const ofItself = async (tx: Tx) => compareOthers(await rangeAudit(tx, ofLog, audit, true), [LOG_ITSELF]);
  await guarded(audit.report, () => db.view(ofItself), 'the facts about the log itself');
  await auditRanges(db, audit, auditRange);
}

/**
 * A range of subjects, with what is known of them other than their facts. The sequencer will find the
 * unlogged facts of those that are `queued`.
 * @param isHashed false: the database must not hash what rows hold.
 */
async function rangeAudit(tx: Tx, range: SubjectRange, audit: LogAudit, isHashed: boolean) {
  const [queued, erased] = await Promise.all([readQueued(tx, range), readErased(tx, range)]);
  return { tx, range, audit, queued, erased, isHashed };
}

async function auditRange(tx: Tx, range: AuditedRange, audit: LogAudit, isCareful: boolean): Promise<void> {
  const of = await rangeAudit(tx, range, audit, !isCareful);
  const { position, snapshotNo } = await readLastNumbers(tx, range);
  const lastPosition = Math.max(range.events, position);
  for (let after = 0; after < lastPosition; after += RANGE_EVENTS)
    await auditEvents(of, { after, size: RANGE_EVENTS });
  for (let after = 0; after < snapshotNo; after += SNAPSHOT_NUMBERS)
    await auditSnapshots(of, { after, size: SNAPSHOT_NUMBERS });
  countErased(of);
  await compareOthers(of, range.ids);
}

async function auditEvents(of: RangeAudit, window: Window): Promise<void> {
  const { confirmed, open } = await readPairs<EventPair>(of.tx, EVENTS, of.range, window, of.isHashed);
  of.audit.summary.facts += confirmed;
  for (const row of open) {
    const { previous, completeUntil } = row;
    const name = `the event at position ${row.ref}`;
    compare(of, row, name, (salt) =>
      completeUntil ? eventFactText(row, { previous, completeUntil: +completeUntil }, salt) : null,
    );
    if (row.isStored && row.d) auditPlace(row, row.d, name, of.audit);
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
  if (!chain || !equalBytes(chain, expected))
    report(`the chain of leaf ${leafIndex}, ${name}, does not continue the one before`, subjectId);
  const lateMs = completeUntil && latenessOf(createdAt.getTime(), completeUntil.getTime());
  if (lateMs === null) return;
  const { count, unit } = spanOf(lateMs);
  report(
    `event ${eventId} was logged ${count} ${unit} after it was recorded, as leaf ${leafIndex}`,
    subjectId,
  );
}

/** Leaves that an erasure does not count could hide a ledger that was logged a second time. */
function countErased({ erased, queued, audit }: RangeAudit): void {
  for (const [subjectId, { events, leaves }] of erased) {
    const isWaiting = leaves < events && queued.has(subjectId);
    if (leaves !== events && !isWaiting)
      audit.report(
        `the erasure counts ${events} events, and the log has ${leaves} of the subject`,
        subjectId,
      );
  }
}

async function auditSnapshots(of: RangeAudit, window: Window): Promise<void> {
  const { tx, audit } = of;
  const { confirmed, open } = await readPairs<SnapshotPair>(tx, SNAPSHOTS, of.range, window, of.isHashed);
  audit.summary.facts += confirmed;
  const chainOf = await chainsOf(tx, open);
  for (const row of open) {
    if (!row.isStored && row.leafIndex !== null && (await isBeforeThinning(tx, row.leafIndex, audit.now))) {
      audit.summary.thinned += 1;
      continue;
    }
    compare(of, row, `snapshot ${row.ref}`, () => {
      const members = countedBy(row, chainOf);
      return members && snapshotFactText(row, members);
    });
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
  if (tx.ledgers.all.length > 1) {
    for (const [key, chain] of await readChains(readsOfAll(tx), elsewhere)) chains.set(key, chain);
  }
  return (id: string, position: number) =>
    position === 0 ? START_CHAIN : chains.get(chainKey(id, position));
}

async function compareOthers(of: RangeAudit, ids: readonly string[]): Promise<void> {
  const [leaves, rows] = await Promise.all([readOtherLeaves(of.tx, of.range), readOtherFacts(of.tx, ids)]);
  const byKey = new Map(leaves.map((leaf) => [keyOf(leaf), leaf]));
  for (const row of rows) {
    const leaf = byKey.get(keyOf(row)) ?? { leafIndex: null, salt: null, d: null };
    byKey.delete(keyOf(row));
    const name = `the fact ${String(row.fact.kind)} ${row.ref}`;
    compare(of, { ...row, ...leaf, isStored: true }, name, (salt) => otherFactText(row, salt));
  }
  for (const leaf of byKey.values())
    compare(of, { ...leaf, isStored: false }, `a fact of kind ${leaf.kind}`, () => null);
}

function keyOf({ subjectId, kind, ref }: { subjectId: string; kind: number; ref: number }): string {
  return `${subjectId} ${kind} ${ref}`;
}

function compare(
  { audit: { summary, report }, queued, erased }: RangeAudit,
  { subjectId, isStored, leafIndex, salt, d }: PairedLeaf,
  name: string,
  textOf: (salt: Buffer) => string | null,
): void {
  if (!isStored) {
    report(`leaf ${leafIndex} is ${name}, which is missing`, subjectId);
    return;
  }
  summary.facts += 1;
  if (leafIndex === null || d === null) {
    if (queued.has(subjectId)) summary.waiting += 1;
    else report(`${name} is not in the log and not queued for it`, subjectId);
  } else if (salt === null) {
    if (erased.has(subjectId)) summary.erased += 1;
    else report(`leaf ${leafIndex}, ${name}, has lost its salt without an erasure`, subjectId);
  } else {
    const fault = faultOfLeaf(salt, d, textOf);
    if (fault) report(`${name} ${fault} that leaf ${leafIndex} holds`, subjectId);
  }
}

function faultOfLeaf(salt: Buffer, d: Buffer, textOf: (salt: Buffer) => string | null): string | null {
  try {
    const text = textOf(salt);
    return text !== null && saltedHash(salt, text) === d.toString('base64') ? null : 'is not the fact';
  } catch (error) {
    return `cannot be read (${error instanceof Error ? error.message : String(error)}), so it is not the fact`;
  }
}
