import { dayOf, FORMULA_VERSION } from '@reliability/scoring';
import { HOUR_MS } from '../../domain/timestamp.js';
import { createYielder, type YieldTurn } from '../../kit/backpressure/yielder.js';
import type { Clock } from '../../kit/clock.js';
import type { Database, Tx } from '../../kit/db/database.js';
import { groupBy } from '../../kit/groupBy.js';
import { type IdSource, lowestIdAt } from '../../kit/ids.js';
import { writeEnvelopes } from '../../outbox/envelopes.js';
import { recordActivity } from '../activity.js';
import { watchChanges } from '../watch/watchChanges.js';
import { requeue } from './draftScores.js';
import { type Evaluation, evaluateRecord } from './evaluateRecord.js';
import { freezeScores } from './freezes.js';
import { asLastCounted } from './lastCounted.js';
import { FORMULA_CHANGED, type ScoreChange, scoreDraftsOf } from './scoreChange.js';
import {
  hasMoreEventsThan,
  insertSnapshots,
  lockRecords,
  type MemberRow,
  type QueueEntry,
  readMembers,
  type ScoreRow,
  type SnapshotRow,
  takeQueued,
  upsertScores,
} from './store.js';
import { velocityLimitOf } from './velocity.js';

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
}

/**
 * Recomputes the scores of these records and writes the envelopes about their changes, in one
 * transaction. Skips records that another worker has locked.
 */
export function recomputeRecords(deps: RecomputeDeps, recordIds: readonly string[]): Promise<Recomputed> {
  return deps.db.transaction(async (tx) => {
    const locked = await lockRecords(tx, recordIds);
    if (locked.length === 0) return { entries: [], emitted: 0 };
    const entries = await takeQueued(tx, locked);
    // A later statement than the one that took the queue rows: it sees every event behind them.
    // Records whose rows another worker took first have nothing to do.
    const members = await readMembers(tx, [...new Set(entries.map((entry) => entry.recordId))]);
    const now = deps.clock.now();
    const emitted = await writeEvaluations(
      tx,
      deps,
      now,
      groupBy(members, (member) => member.recordId),
      reasonsByRecord(entries),
    );
    return { entries, emitted };
  });
}

/** Bounds the time of building one statement: it blocks the event loop, and so requests. */
const RECORDS_PER_STATEMENT = 50;

async function writeEvaluations(
  tx: Tx,
  deps: RecomputeDeps,
  now: Date,
  records: Map<string, MemberRow[]>,
  reasons: Map<string, string | null>,
): Promise<number> {
  const common = { formulaVersion: FORMULA_VERSION, asOf: dayOf(now), computedAt: now };
  const all = [...records];
  const yieldTurn = createYielder();
  const changes: ScoreChange[] = [];
  const sent: Promise<unknown>[] = [];
  let emitted = 0;
  for (let start = 0; start < all.length; start += RECORDS_PER_STATEMENT) {
    const slice = all.slice(start, start + RECORDS_PER_STATEMENT);
    const { scores, snapshots } = await evaluate(tx, { ...deps, yieldTurn }, now, slice, reasons);
    const own = snapshots.map(({ change }) => change);
    const drafts = own.flatMap(scoreDraftsOf);
    const written = Promise.all([
      scores.length > 0 ? upsertScores(tx, scores, common) : undefined,
      snapshots.length > 0 ? insertSnapshots(tx, snapshots) : undefined,
      writeEnvelopes(tx, deps.ids, now, drafts),
    ]);
    written.catch(() => {}); // awaited at the end
    sent.push(written);
    changes.push(...own);
    emitted += drafts.length;
  }
  // Pipelined with the writes above: the queries for monitors and policies cost no extra round
  // trip.
  const [watched] = await Promise.all([watchChanges(tx, now, changes.filter(isWatched)), ...sent]);
  await writeEnvelopes(tx, deps.ids, now, watched);
  return emitted + watched.length;
}

function isWatched({ reason }: ScoreChange): boolean {
  return reason !== FORMULA_CHANGED;
}

async function evaluate(
  tx: Tx,
  { yieldTurn, ...deps }: RecomputeDeps & { yieldTurn: YieldTurn },
  now: Date,
  records: readonly (readonly [recordId: string, members: MemberRow[]])[],
  reasons: Map<string, string | null>,
): Promise<Evaluation> {
  const scores: ScoreRow[] = [];
  const snapshots: SnapshotRow[] = [];
  const waiting: { recordId: string; reason: string | null }[] = [];
  for (const [recordId, members] of records) {
    await yieldTurn(); // many records at once would delay every request of the process
    const frozenAt = await frozenSince(tx, deps, now, recordId, members);
    const isScored = members.every((member) => member.externalId === null || member.finalScore !== null);
    const reason = reasons.get(recordId) ?? null;
    const isDraft = members.some((member) => member.isDraft);
    // Frozen figures do not change unless members joined or left: a score must not count the events
    // of others. A score that was never computed is computed once, so that reads find one.
    if (frozenAt && isScored && !isOfOtherMembers(reason)) continue;
    // The change of formula is a score change of its own. Later events follow as a separate change,
    // so that they cross thresholds as usual.
    const counted = isScored && (frozenAt || isDraft) ? await asLastCounted(tx, members) : members;
    if (isDraft && !frozenAt && !isSame(counted, members)) waiting.push({ recordId, reason });
    const evaluation = evaluateRecord(counted, { asOf: dayOf(now), computedAt: now, reason, frozenAt });
    scores.push(...evaluation.scores);
    snapshots.push(...evaluation.snapshots);
  }
  if (waiting.length > 0) await requeue(tx, waiting, now);
  return { scores, snapshots };
}

function isSame(counted: readonly MemberRow[], members: readonly MemberRow[]): boolean {
  return counted.every((member, index) => member === members[index]);
}

/** Freezes the record if a member has more events than the guard allows. Null: not frozen. */
async function frozenSince(
  tx: Tx,
  deps: RecomputeDeps,
  now: Date,
  recordId: string,
  members: readonly MemberRow[],
): Promise<Date | null> {
  const frozen = members.find((member) => member.frozenAt);
  if (frozen) return frozen.frozenAt;
  for (const member of members) {
    const limit = velocityLimitOf(member.subjectType, deps.velocityMaxPerHour);
    if (member.eventCount <= limit || !member.livemode || member.velocityExempt) continue;
    const hourAgo = now.getTime() - HOUR_MS;
    const since = new Date(Math.max(hourAgo, member.velocityClearedAt?.getTime() ?? 0));
    if (!(await hasMoreEventsThan(tx, member.subjectId, lowestIdAt(since), limit))) continue;
    await freezeScores(tx, [recordId], now);
    for (const flagged of members) await recordFlag(tx, deps.ids, now, flagged, limit);
    return now;
  }
  return null;
}

/**
 * Each platform finds the freeze in its own audit trail, on its own subject: it applies to all
 * members.
 */
function recordFlag(tx: Tx, ids: IdSource, now: Date, member: MemberRow, limit: number): Promise<void> {
  return recordActivity(tx, {
    platformId: member.platformId,
    livemode: true,
    action: 'VELOCITY_FLAG_SET',
    actor: 'service',
    target: member.subjectId,
    subjectId: member.subjectId,
    details: { limit, windowHours: 1 },
    at: now,
    id: ids.at(now),
  });
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
    case 'decay':
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
