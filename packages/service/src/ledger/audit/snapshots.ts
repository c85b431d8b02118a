import { isDeepStrictEqual } from 'node:util';
import { CLOCK_SKEW_MS } from '@reliability/proof';
import {
  dayOf,
  explain,
  FORMULA_VERSION,
  factorNames,
  isoFromDay,
  type Score,
  score,
  type Tally,
} from '@reliability/scoring';
import { createLedgerCursor, type LedgerCursor } from './cursor.js';
import type { Membership } from './links.js';
import type { MemberReads } from './memberReads.js';
import { eventReader, type RowReader } from './reader.js';
import type { ReplayedRecord } from './replayedRecord.js';
import type { AuditedSnapshot, AuditedSubject, Figures } from './store.js';

/** Records one difference. */
export type Report = (what: string) => void;

/** The result of auditing a subject's snapshots. */
export interface History {
  count: number;
  latest: AuditedSnapshot | null;
}

/**
 * Snapshots of a subject, positioned at the first, possible members of its record at each, and the
 * record as it is folded.
 */
interface SnapshotSources {
  snapshots: RowReader<AuditedSnapshot>;
  membership: Membership;
  /** It was or is linked, so it may have lost its score once. */
  isLinked: boolean;
  record: ReplayedRecord;
}

/**
 * Rebuilds each snapshot of one subject, in order, by a replay. Rebuilds the latest also from all
 * its tallies, so that an error of the replay is found, too.
 * @param own at the start of the subject's ledger; left at the position of the latest snapshot.
 */
export async function auditSnapshots(
  reads: MemberReads,
  { subjectId, platformId, livemode }: AuditedSubject,
  own: LedgerCursor,
  { snapshots, membership, isLinked, record }: SnapshotSources,
  report: Report,
): Promise<History> {
  const history: History = { count: 0, latest: null };
  const cursors = new Map([[subjectId, own]]);
  for (;;) {
    const snapshot = await snapshots.peek();
    if (snapshot?.subjectId !== subjectId) return history;
    snapshots.skip();
    const isLatest = (await snapshots.peek())?.subjectId !== subjectId;
    const reportHere: Report = (what) => report(`snapshot ${snapshot.snapshotNo}: ${what}`);
    await checkMembers(membership, snapshot, reportHere);
    checkDay(snapshot, reportHere);
    checkPrevious(snapshot, history.latest, isLinked, reportHere);
    if (snapshot.platformId !== platformId || snapshot.livemode !== livemode)
      reportHere('it is of another platform or mode than its subject');
    if (isBefore(snapshot.computedAt, history.latest?.computedAt))
      reportHere('it is dated before the snapshot before it');
    if (snapshot.formulaVersion !== FORMULA_VERSION) {
      reportHere(`formula ${snapshot.formulaVersion} is not known`);
    } else {
      const members = await advanceMembers(reads, cursors, snapshot, record, reportHere);
      const replayed = members && record.scoreOn(members, snapshot.asOf);
      if (members) compare(replayed, snapshot, reportHere);
      for (const { lastRecordedAt } of members?.values() ?? []) {
        if (isBefore(snapshot.computedAt, lastRecordedAt))
          reportHere('it is dated before an event that it counts');
      }
      if (members && isLatest) compareWithTallies(replayed, talliesOf(members), snapshot, reportHere);
    }
    history.count += 1;
    history.latest = snapshot;
  }
}

/** A score is as of the day on which it was computed: not as somebody stood long ago. */
export function checkDay({ asOf, computedAt }: { asOf: number; computedAt: Date }, report: Report): void {
  const day = dayOf(computedAt);
  if (asOf !== day) report(`as_of is ${isoFromDay(asOf)}, it was computed on ${isoFromDay(day)}`);
}

/**
 * What the history says that the score was before. Snapshots between two may have been thinned, and a
 * subject that an unlink left without events begins again without a score.
 */
function checkPrevious(
  { snapshotNo, previousScore }: AuditedSnapshot,
  before: AuditedSnapshot | null,
  isLinked: boolean,
  report: Report,
): void {
  if (before === null ? snapshotNo !== 1 : snapshotNo !== before.snapshotNo + 1) return;
  if (previousScore === (before?.finalScore ?? null)) return;
  if (previousScore === null && isLinked) return;
  report(`previous_score is ${previousScore}, the snapshot before has ${before?.finalScore ?? 'none'}`);
}

function isBefore(at: Date, other: Date | null | undefined): boolean {
  return at.getTime() < (other?.getTime() ?? 0) - CLOCK_SKEW_MS;
}

function talliesOf(members: ReadonlyMap<string, LedgerCursor>): Tally[] {
  return [...members.values()].flatMap((member) => [...member.tallies.values()]);
}

function compareWithTallies(
  replayed: Score | null,
  tallies: readonly Tally[],
  { asOf, reasonCodes }: AuditedSnapshot,
  report: Report,
): void {
  if (!isDeepStrictEqual(replayed, score(tallies, asOf)))
    report('a replay of its record gives another score than its tallies');
  const { adverseActionReasons = [], supportingFactors = [] } =
    explain(tallies, asOf, { frozen: false })?.reasonCodes ?? {};
  const [stored, rebuilt] = [
    [reasonCodes.adverse, reasonCodes.supporting],
    [adverseActionReasons, supportingFactors].map((reasons) => reasons.map(({ code }) => code)),
  ].map((lists) => lists.map((codes) => codes.join(', ')).join('; '));
  if (stored !== rebuilt) report(`reason_codes are ${stored}, rebuilt ${rebuilt}`);
}

/** The members that a snapshot counts must follow from the link facts. */
async function checkMembers(
  membership: Membership,
  snapshot: AuditedSnapshot,
  report: Report,
): Promise<void> {
  const memberIds = Object.keys(snapshot.positions);
  if (!memberIds.includes(snapshot.subjectId)) report('it does not rest on its own subject');
  for (const id of await membership.outsidersAmong(memberIds, snapshot.snapshotNo)) {
    report(`it rests on ${id}, who was no member of the record then`);
  }
}

/**
 * Advances each member of the record to the ledger position that the snapshot names. Null: a ledger
 * does not reach it.
 */
async function advanceMembers(
  reads: MemberReads,
  cursors: Map<string, LedgerCursor>,
  snapshot: AuditedSnapshot,
  { onCount }: ReplayedRecord,
  report: Report,
): Promise<Map<string, LedgerCursor> | null> {
  let isThere = true;
  const members = new Map<string, LedgerCursor>();
  for (const [memberId, position] of Object.entries(snapshot.positions)) {
    const member =
      cursors.get(memberId) ??
      createLedgerCursor(memberId, eventReader(await reads.of(memberId), [memberId]), { onCount });
    cursors.set(memberId, member);
    members.set(memberId, member);
    const passed = member.position;
    if (position >= passed) await member.advanceTo(position);
    if (position >= passed && member.eventCount === position) continue;
    isThere = false;
    const found =
      position < passed
        ? `an earlier one names ${passed}`
        : `the ledger holds ${member.eventCount} events there`;
    report(`it rests on position ${position} of ${memberId}, but ${found}`);
  }
  return isThere ? members : null;
}

/** Compares with the score as of the snapshot's day, computed up to the snapshot's positions. */
function compare(rebuilt: Score | null, snapshot: AuditedSnapshot, report: Report): void {
  if (!rebuilt) {
    report('the ledger holds no event at its positions');
    return;
  }
  compareFigures(snapshot, figuresOf(rebuilt), 'rebuilt', report);
  for (const factor of factorNames) {
    const stored = snapshot.factors[factor];
    if (stored !== rebuilt.factors[factor])
      report(`factor ${factor} is ${stored}, rebuilt ${rebuilt.factors[factor]}`);
  }
}

export function figuresOf(rebuilt: Score): Figures {
  return {
    finalScore: rebuilt.finalScore,
    scoreBand: rebuilt.scoreBand,
    confidence: rebuilt.confidence,
    behavioralQuality: rebuilt.behavioralQuality,
    totalEvents: rebuilt.totalEvents,
    verifiedEvents: rebuilt.verifiedEvents,
  };
}

/** Reports name database columns. */
const FIGURE_COLUMNS: Record<keyof Figures, string> = {
  finalScore: 'final_score',
  scoreBand: 'score_band',
  confidence: 'confidence',
  behavioralQuality: 'behavioral_quality',
  totalEvents: 'total_events',
  verifiedEvents: 'verified_events',
};
const figureNames = Object.keys(FIGURE_COLUMNS) as (keyof Figures)[];

/** @param whence describes the expected figures, for use within a sentence. */
export function compareFigures(stored: Figures, expected: Figures, whence: string, report: Report): void {
  for (const name of figureNames) {
    if (stored[name] !== expected[name])
      report(`${FIGURE_COLUMNS[name]} is ${stored[name]}, ${whence} ${expected[name]}`);
  }
}

export function compareMoments(
  name: string,
  stored: Date | null,
  rebuilt: Date | null,
  report: Report,
): void {
  if (stored?.getTime() === rebuilt?.getTime()) return;
  report(`${name} is ${stored?.toISOString() ?? 'null'}, rebuilt ${rebuilt?.toISOString() ?? 'null'}`);
}
