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
import { asLastCounted } from './lastCounted.js';
import { FORMULA_CHANGED, type ScoreChange, scoreDraftsOf } from './scoreChange.js';
import {
  freezeScores,
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
  /** Live events of one subject within an hour, imports apart, past which its score is frozen (RULES S17). */
  velocityMaxPerHour: number;
}

/** What a recompute has done. */
export interface Recomputed {
  /** The queue entries it settled. */
  readonly entries: readonly QueueEntry[];
  /** Envelopes it wrote. */
  readonly emitted: number;
}

/**
 * Brings the scores of these records up to the ledger and writes what platforms are told of it, in one transaction.
 * Records that another worker holds are left to it.
 */
export function recomputeRecords(deps: RecomputeDeps, recordIds: readonly string[]): Promise<Recomputed> {
  return deps.db.transaction(async (tx) => {
    const locked = await lockRecords(tx, recordIds);
    if (locked.length === 0) return { entries: [], emitted: 0 };
    const entries = await takeQueued(tx, locked);
    // Only now: a statement of its own sees every event whose queue row was just taken. Records whose rows another worker
    // took before have nothing left to do.
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

/** What is put together for one statement, the requests of this process wait for. */
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
    written.catch(() => {}); // it is heard at the end
    sent.push(written);
    changes.push(...own);
    emitted += drafts.length;
  }
  // Sent before the others have been answered, so looking for monitors and policies costs no trip of its own.
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
    await yieldTurn(); // many records in one go are felt by every request of the process
    const frozenAt = await frozenSince(tx, deps, now, recordId, members);
    const isScored = members.every((member) => member.finalScore !== null);
    const reason = reasons.get(recordId) ?? null;
    const isDraft = members.some((member) => member.isDraft);
    // Frozen figures stay as they are, unless members have come or gone: nobody keeps a score over the events of others.
    // A score that was never computed is computed once, so that there is something to read.
    if (frozenAt && isScored && !isOfOtherMembers(reason)) continue;
    // The change of formula comes alone: what happened since is a move of its own, and crosses what it crosses.
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

/** Freezes the record where a member has more events than the guard allows. Null: it is not frozen. */
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

/** Each platform finds the fact in its own trail, about its own subject: the score of all members stands still. */
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

/** Of all that a record was queued for, what says most about its change. */
function reasonsByRecord(entries: readonly QueueEntry[]): Map<string, string | null> {
  const reasons = new Map<string, string | null>();
  for (const { recordId, reason } of entries) {
    const known = reasons.get(recordId);
    if (known === undefined || weightOf(reason) > weightOf(known)) reasons.set(recordId, reason);
  }
  return reasons;
}

/** A day passes for everybody, an event says more; and who is in the record outweighs what its members did. */
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
