import { createYielder, mapInTurns } from '#kit/backpressure/yielder.js';
import { type Database, endWith, type Tx } from '#kit/db/database.js';
import type { IdSource } from '#kit/ids.js';
import { groupBy } from '#kit/lists.js';
import { traceWork } from '#kit/tracing.js';
import { writeEnvelopes } from '#outbox/envelopes.js';
import { indexForSearch } from '../displayNames.js';
import { queueForOthers } from '../links/remoteStore.js';
import { watchChanges } from '../watch/watchChanges.js';
import {
  asLastCounted,
  isCountedElsewhere,
  readElsewhere,
  type StateForOthers,
  statesOf,
} from './elsewhere.js';
import { evaluateRecord, ownPartOf } from './evaluateRecord.js';
import { type FreezableRecord, type FreezeDeps, frozenSince } from './freezes.js';
import { DECAY, scoreDraftsOf, VELOCITY_CLEARED } from './scoreChange.js';
import {
  insertSnapshots,
  type MemberRow,
  type OwnPart,
  type QueueEntry,
  readMembers,
  refuseScans,
  takeQueued,
  updateOwnParts,
  upsertScores,
} from './store.js';

export type RecomputeDeps = FreezeDeps & { db: Database };

export interface Recomputed {
  readonly entries: readonly QueueEntry[];
  readonly emitted: number;
  readonly queued: number;
  /** Number of members whose new state waits for other ledger groups. */
  readonly shared: number;
}

/**
 * Recomputes the scores of these records and writes the envelopes about their changes, in one
 * transaction. Skips records that another worker has locked.
 */
export function recomputeRecords(deps: RecomputeDeps, recordIds: readonly string[]): Promise<Recomputed> {
  const attributes = { 'ledger.records': recordIds.length };
  const work = () => deps.db.transaction((tx) => recompute(tx, deps, recordIds));
  return traceWork('recompute', { attributes, root: true }, work);
}

async function recompute(tx: Tx, deps: RecomputeDeps, recordIds: readonly string[]): Promise<Recomputed> {
  // Sent together. The last is a later statement than the one that takes the queue rows, so it
  // sees every event behind them. Members of records that another worker has locked are left out.
  const [, entries, found] = await Promise.all([
    refuseScans(tx),
    takeQueued(tx, recordIds),
    readMembers(tx, recordIds),
  ]);
  if (entries.length === 0) return { entries, emitted: 0, queued: 0, shared: 0 };
  const reasons = reasonsByRecord(entries);
  const members = found.filter(({ recordId }) => reasons.has(recordId));
  const elsewhereOf = await readElsewhere(tx, members);
  const now = deps.clock.now();
  const yieldTurn = createYielder();
  const results: Evaluated[] = [];
  for (const [recordId, own] of groupBy(members, (member) => member.recordId)) {
    await yieldTurn(); // many records at once would delay every request of the process
    const record = { recordId, members: own, elsewhere: elsewhereOf(recordId) };
    results.push(await evaluate(tx, deps, now, record, reasons.get(recordId) ?? null));
  }
  return { entries, ...(await write(tx, deps.ids, now, members, results)) };
}

/** Of new subjects with imported events alone: the velocity guard counts none, and no link names them. */
export async function scoreNew(tx: Tx, ids: IdSource, now: Date, subjectIds: readonly string[]) {
  const members = await readMembers(tx, subjectIds);
  const basis = { computedAt: now, reason: null, frozenAt: null };
  const results = await mapInTurns(members, (member) => evaluateRecord([member], [], basis));
  await write(tx, ids, now, members, results, (_, written) => written);
}

interface Evaluated extends Partial<ReturnType<typeof evaluateRecord>> {
  readonly states?: readonly StateForOthers[];
  readonly ownParts?: readonly OwnPart[];
}

async function evaluate(
  tx: Tx,
  deps: RecomputeDeps,
  now: Date,
  record: FreezableRecord,
  queuedFor: string | null,
): Promise<Evaluated> {
  const { members, elsewhere } = record;
  const freeze = await frozenSince(tx, deps, now, record);
  const { frozenAt } = freeze;
  const isScored = members.every((member) => member.externalId === null || member.finalScore !== null);
  const reason = freeze.isThawed ? VELOCITY_CLEARED : reasonOf(queuedFor, record);
  // The book has the present events of a frozen subject beside its frozen score.
  const ownParts = frozenAt === null ? [] : members.map((member) => ownPartOf(member));
  // Frozen figures do not change unless members joined or left: a score must not count the events
  // of others. A score that was never computed is computed once, so that reads find one.
  const isKept = frozenAt !== null && isScored && !isOfOtherMembers(reason);
  if (isKept && !(await isCountedElsewhere(tx, members, elsewhere))) {
    if (!freeze.isChanged) return { ownParts };
    return { ownParts, states: statesOf(await asLastCounted(tx, members, true), freeze.state) };
  }
  const hasOthers = elsewhere.members.length > 0;
  const counted = isScored && frozenAt ? await asLastCounted(tx, members, hasOthers) : members;
  const isNews =
    freeze.isChanged || reason === VELOCITY_CLEARED || isOfOtherMembers(reason) || counted.some(isBehind);
  return {
    states: hasOthers && isNews ? statesOf(counted, freeze.state) : [],
    ownParts,
    ...evaluateRecord(counted, elsewhere.members, { computedAt: now, reason, frozenAt }),
  };
}

async function write(
  tx: Tx,
  ids: IdSource,
  now: Date,
  members: readonly MemberRow[],
  results: readonly Evaluated[],
  end = endWith<number>,
): Promise<Omit<Recomputed, 'entries'>> {
  const snapshots = results.flatMap((result) => result.snapshots ?? []);
  const states = results.flatMap((result) => result.states ?? []);
  const drafts = snapshots.flatMap(({ change }) => scoreDraftsOf(change));
  const scores = results.flatMap((result) => result.scores ?? []);
  const ownParts = results.flatMap((result) => result.ownParts ?? []);
  const written = Promise.all([
    upsertScores(tx, scores, now),
    indexForSearch(tx, members.filter(isNew)),
    updateOwnParts(tx, ownParts),
    insertSnapshots(tx, snapshots),
    writeEnvelopes(tx, ids, now, drafts),
    queueForOthers(tx, states),
  ]).then(([, , , , queued]) => queued);
  const watched = new Set(members.filter(({ isWatched }) => isWatched).map(({ subjectId }) => subjectId));
  const changes = snapshots.flatMap(({ change }) => (watched.has(change.subjectId) ? [change] : []));
  const shared = states.length;
  if (changes.length === 0 && shared === 0) {
    return { emitted: drafts.length, queued: await end(tx, written), shared };
  }
  // Pipelined with the writes above: the queries for monitors and policies cost no extra round
  // trip.
  const [more, queued] = await Promise.all([watchChanges(tx, now, changes), written]);
  const queuedMore = await writeEnvelopes(tx, ids, now, more);
  return { emitted: drafts.length + more.length, queued: queued + queuedMore, shared };
}

/**
 * An event may be committed between the reads of queue and ledger: it counts now, and its own entry finds
 * nothing new. Retention thins what only ageing changed, so that is said of nothing else.
 */
function reasonOf(queuedFor: string | null, { members, elsewhere }: FreezableRecord): string | null {
  const isNewer = members.some((member) => member.externalId !== null && isBehind(member));
  if (queuedFor === DECAY && isNewer) return null;
  return queuedFor === null && !isNewer && elsewhere.members.length === 0 ? DECAY : queuedFor;
}

/** Without a score a search does not know it yet. */
function isNew(member: MemberRow): member is MemberRow & { externalId: string } {
  return member.externalId !== null && member.finalScore === null;
}

/** Its score counts other events than those that are to be counted. */
function isBehind({ position, eventCount }: MemberRow): boolean {
  return position !== eventCount;
}

function reasonsByRecord(entries: readonly QueueEntry[]): Map<string, string | null> {
  const reasons = new Map<string, string | null>();
  for (const { recordId, reason } of entries) {
    const known = reasons.get(recordId);
    if (known === undefined || weightOf(reason) > weightOf(known)) reasons.set(recordId, reason);
  }
  return reasons;
}

/** From least to most significant: a day passed, an event, a change of members. */
function weightOf(reason: string | null): number {
  if (reason === DECAY) return 0;
  if (reason === null) return 1;
  return isOfOtherMembers(reason) ? 3 : 2;
}

function isOfOtherMembers(reason: string | null): boolean {
  return reason === 'linked' || reason === 'unlinked';
}
