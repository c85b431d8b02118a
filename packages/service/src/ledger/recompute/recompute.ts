import { dayOf, FORMULA_VERSION } from '@reliability/scoring';
import { createYielder, type YieldTurn } from '../../kit/backpressure/yielder.js';
import type { Clock } from '../../kit/clock.js';
import { type Database, endWith, type Tx } from '../../kit/db/database.js';
import { groupBy } from '../../kit/groupBy.js';
import type { IdSource } from '../../kit/ids.js';
import { traceWork } from '../../kit/tracing.js';
import { writeEnvelopes } from '../../outbox/envelopes.js';
import { queueForOthers } from '../links/remoteStore.js';
import { watchChanges } from '../watch/watchChanges.js';
import {
  type Elsewhere,
  isCountedElsewhere,
  NOT_ELSEWHERE,
  readElsewhere,
  type StateForOthers,
  statesOf,
} from './elsewhere.js';
import { type Evaluation, evaluateRecord, ownPartOf } from './evaluateRecord.js';
import { asLastCounted } from './lastCounted.js';
import { frozenSince } from './recordFreezes.js';
import { DECAY, type ScoreChange, scoreDraftsOf, VELOCITY_CLEARED } from './scoreChange.js';
import {
  insertSnapshots,
  type MemberRow,
  type OwnPart,
  type QueueEntry,
  readMembers,
  refuseScans,
  type ScoreRow,
  type SnapshotRow,
  takeQueued,
  updateOwnParts,
  upsertScores,
} from './store.js';

interface RecomputeDeps {
  db: Database;
  clock: Clock;
  ids: IdSource;
  /**
   * Live events of a subject per hour, without imports, above which its score is frozen (RULES
   * S17).
   */
  velocityMaxPerHour: number;
}

/** The result of a recompute. */
export interface Recomputed {
  /** The queue entries that it completed. */
  readonly entries: readonly QueueEntry[];
  /** Number of envelopes written. */
  readonly emitted: number;
  /** Number of deliveries queued. */
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
  return traceWork('recompute', { attributes, root: true }, () => recompute(deps, recordIds));
}

function recompute(deps: RecomputeDeps, recordIds: readonly string[]): Promise<Recomputed> {
  return deps.db.transaction(async (tx) => {
    // Sent together. The last is a later statement than the one that takes the queue rows, so it
    // sees every event behind them. Members of records that another worker has locked are left out.
    const [, entries, found] = await Promise.all([
      refuseScans(tx),
      takeQueued(tx, recordIds),
      readMembers(tx, recordIds),
    ]);
    if (entries.length === 0) return { entries, emitted: 0, queued: 0, shared: 0 };
    const taken = new Set(entries.map((entry) => entry.recordId));
    const members = found.filter(({ recordId }) => taken.has(recordId));
    const elsewhere = await readElsewhere(tx, members);
    const now = deps.clock.now();
    const records = [...groupBy(members, (member) => member.recordId)].map(([recordId, own]) => ({
      recordId,
      members: own,
      elsewhere: elsewhere.get(recordId) ?? NOT_ELSEWHERE,
    }));
    const written = await writeEvaluations(tx, deps, now, records, reasonsByRecord(entries));
    return { entries, ...written };
  });
}

/** A record with what is known of it in other ledger groups. */
interface QueuedRecord {
  recordId: string;
  members: readonly MemberRow[];
  elsewhere: Elsewhere;
}

/** Bounds the time of building one statement: it blocks the event loop, and so requests. */
const RECORDS_PER_STATEMENT = 50;

async function writeEvaluations(
  tx: Tx,
  deps: RecomputeDeps,
  now: Date,
  all: readonly QueuedRecord[],
  reasons: Map<string, string | null>,
): Promise<Omit<Recomputed, 'entries'>> {
  const common = { formulaVersion: FORMULA_VERSION, asOf: dayOf(now), computedAt: now };
  const yieldTurn = createYielder();
  const written: SnapshotRow[] = [];
  const sent: Promise<number>[] = [];
  let emitted = 0;
  let shared = 0;
  for (let start = 0; start < all.length; start += RECORDS_PER_STATEMENT) {
    const slice = all.slice(start, start + RECORDS_PER_STATEMENT);
    const { scores, snapshots, states, ownParts } = await evaluate(
      tx,
      { ...deps, yieldTurn },
      now,
      slice,
      reasons,
    );
    const drafts = snapshots.flatMap(({ change }) => scoreDraftsOf(change));
    const writes = Promise.all([
      scores.length > 0 ? upsertScores(tx, scores, common) : undefined,
      ownParts.length > 0 ? updateOwnParts(tx, ownParts) : undefined,
      snapshots.length > 0 ? insertSnapshots(tx, snapshots) : undefined,
      writeEnvelopes(tx, deps.ids, now, drafts),
      queueForOthers(tx, states),
    ]).then(([, , , queued]) => queued);
    writes.catch(() => {}); // awaited at the end
    sent.push(writes);
    written.push(...snapshots);
    emitted += drafts.length;
    shared += states.length;
  }
  const isWatched = watchedIn(all);
  const changes = written.map(({ change }) => change).filter(isWatched);
  if (changes.length === 0 && shared === 0) {
    const queued = await endWith(tx, sumOf(sent));
    return { emitted, queued, shared };
  }
  // Pipelined with the writes above: the queries for monitors and policies cost no extra round
  // trip.
  const [watched, queued] = await Promise.all([watchChanges(tx, now, changes), sumOf(sent)]);
  const more = await writeEnvelopes(tx, deps.ids, now, watched);
  return { emitted: emitted + watched.length, queued: queued + more, shared };
}

async function sumOf(counts: readonly Promise<number>[]): Promise<number> {
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

function watchedIn(records: readonly QueuedRecord[]): (change: ScoreChange) => boolean {
  const members = records.flatMap((record) => record.members);
  const ids = new Set(members.filter((member) => member.isWatched).map(({ subjectId }) => subjectId));
  return ({ subjectId }) => ids.has(subjectId);
}

async function evaluate(
  tx: Tx,
  { yieldTurn, ...deps }: RecomputeDeps & { yieldTurn: YieldTurn },
  now: Date,
  records: readonly QueuedRecord[],
  reasons: Map<string, string | null>,
): Promise<Evaluation & { states: StateForOthers[]; ownParts: OwnPart[] }> {
  const scores: ScoreRow[] = [];
  const snapshots: SnapshotRow[] = [];
  const states: StateForOthers[] = [];
  const ownParts: OwnPart[] = [];
  for (const { recordId, members, elsewhere } of records) {
    await yieldTurn(); // many records at once would delay every request of the process
    const freeze = await frozenSince(tx, deps, now, { recordId, members, elsewhere });
    const { frozenAt } = freeze;
    const isScored = members.every((member) => member.externalId === null || member.finalScore !== null);
    const isNewer = members.some(
      ({ externalId, position, eventCount }) => externalId !== null && position !== eventCount,
    );
    const queuedFor = reasons.get(recordId) ?? null;
    const reason = freeze.isThawed ? VELOCITY_CLEARED : reasonOf(queuedFor, isNewer, elsewhere);
    // Frozen figures do not change unless members joined or left: a score must not count the events
    // of others. A score that was never computed is computed once, so that reads find one.
    // The book has the present events of a frozen subject beside its frozen score.
    if (frozenAt !== null) ownParts.push(...members.map((member) => ownPartOf(member)));
    const isKept = frozenAt !== null && isScored && !isOfOtherMembers(reason);
    if (isKept && !(await isCountedElsewhere(tx, members, elsewhere))) {
      if (freeze.isChanged) states.push(...statesOf(await asLastCounted(tx, members, true), freeze.state));
      continue;
    }
    const hasOthers = elsewhere.members.length > 0;
    const counted = isScored && frozenAt ? await asLastCounted(tx, members, hasOthers) : members;
    const options = { asOf: dayOf(now), computedAt: now, reason, frozenAt, elsewhere: elsewhere.members };
    const evaluation = evaluateRecord(counted, options);
    scores.push(...evaluation.scores);
    snapshots.push(...evaluation.snapshots);
    const isNews =
      freeze.isChanged ||
      reason === VELOCITY_CLEARED ||
      isOfOtherMembers(reason) ||
      counted.some(({ position, eventCount }) => position !== eventCount);
    if (hasOthers && isNews) states.push(...statesOf(counted, freeze.state));
  }
  return { scores, snapshots, states, ownParts };
}

/**
 * An event may be committed between the reads of queue and ledger: it counts now, and its own entry finds
 * nothing new. Retention thins what only ageing changed, so that is said of nothing else.
 */
function reasonOf(queuedFor: string | null, isNewer: boolean, elsewhere: Elsewhere): string | null {
  if (queuedFor === DECAY && isNewer) return null;
  return queuedFor === null && !isNewer && elsewhere.members.length === 0 ? DECAY : queuedFor;
}

/** The most significant reason among a record's queue entries. */
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
  switch (reason) {
    case DECAY:
      return 0;
    case null:
      return 1;
    default:
      return isOfOtherMembers(reason) ? 3 : 2;
  }
}

function isOfOtherMembers(reason: string | null): boolean {
  return reason === 'linked' || reason === 'unlinked';
}
