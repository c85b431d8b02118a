import { CLOCK_SKEW_MS } from '@reliability/proof';
import { components, explain, factorNames, mergeTallies, score, type Tally } from '@reliability/scoring';
import { snakeCase } from '../../kit/db/rows.js';
import type { LedgerCursor } from './cursor.js';
import type { Membership } from './links.js';
import type { MemberReads } from './memberReads.js';
import type { RowReader } from './reader.js';
import type { Report } from './report.js';
import { checkDay, checkKept, checkReason, createGapCheck, isForeign } from './snapshotRules.js';
import type { AuditedSnapshot, AuditedSubject, Figures, FreezeFact, SnapshotRow } from './store.js';
import { readable, StoredSnapshot } from './storedRows.js';

/** The result of auditing a subject's snapshots. */
export interface History {
  count: number;
  latest: AuditedSnapshot | null;
  /** The latest one cannot be read. */
  isLatestUnreadable: boolean;
}

/** Snapshots of a subject, positioned at the first, and what they must follow from. */
interface SnapshotSources {
  snapshots: RowReader<SnapshotRow>;
  membership: Membership;
  /** It was or is linked, so it may have lost its score once. */
  isLinked: boolean;
  /** Of the subject and the members of its record. */
  freezes: readonly FreezeFact[];
  now: Date;
}

/**
 * Rebuilds each snapshot of one subject, in order.
 * @param own at the start of the subject's ledger; left at the position of the latest snapshot.
 */
export async function auditSnapshots(
  reads: MemberReads,
  subject: AuditedSubject,
  own: LedgerCursor,
  sources: SnapshotSources,
  report: Report,
): Promise<History> {
  const { subjectId } = subject;
  const { snapshots, now } = sources;
  const history: History = { count: 0, latest: null, isLatestUnreadable: false };
  const gaps = createGapCheck(now, report);
  const cursors = new Map([[subjectId, own]]);
  for (;;) {
    const row = await snapshots.peek();
    if (row?.subjectId !== subjectId) break;
    snapshots.skip();
    history.count += 1;
    const reportHere: Report = (what) => report(`snapshot ${row.snapshotNo}: ${what}`);
    const snapshot = readable(StoredSnapshot, row, reportHere);
    // What is behind one that cannot be read is compared with nothing before it.
    const before = history.isLatestUnreadable ? undefined : history.latest;
    history.isLatestUnreadable = snapshot === null;
    if (!snapshot) continue;
    if (before !== undefined) {
      gaps.take(snapshot, before);
      checkAgainstBefore({ subjectId, snapshot, before, ...sources }, cursors, reportHere);
    }
    checkDay(snapshot, reportHere);
    checkKept(snapshot, now, reportHere);
    await checkMembers(sources.membership, snapshot, reportHere);
    if (snapshot.platformId !== subject.platformId || snapshot.livemode !== subject.livemode)
      reportHere('it is of another platform or mode than its subject');
    if (isForeign(snapshot)) {
      reportHere(`formula ${snapshot.formulaVersion} is not known`);
    } else {
      const members = await advanceMembers(reads, cursors, snapshot, reportHere);
      if (members) compare(members, snapshot, reportHere);
    }
    history.latest = snapshot;
  }
  gaps.end();
  return history;
}

interface Step extends Pick<SnapshotSources, 'isLinked' | 'freezes'> {
  subjectId: string;
  snapshot: AuditedSnapshot;
  before: AuditedSnapshot | null;
}

/** @param cursors at the positions of the snapshot before. */
function checkAgainstBefore(step: Step, cursors: ReadonlyMap<string, LedgerCursor>, report: Report): void {
  const { snapshot, before } = step;
  checkReason(step, report);
  checkPrevious(step, cursors, report);
  if (isBefore(snapshot.computedAt, before?.computedAt)) report('it is dated before the snapshot before it');
}

/**
 * What the history says that the score was before. Where retention has thinned snapshots between the
 * two, the score before was that of one of the days between. A subject that an unlink left without
 * events begins again without a score.
 */
function checkPrevious(
  { snapshot, before, isLinked }: Step,
  cursors: ReadonlyMap<string, LedgerCursor>,
  report: Report,
): void {
  const { snapshotNo, previousScore, asOf } = snapshot;
  if (previousScore === (before?.finalScore ?? null)) return;
  if (previousScore === null && isLinked) return;
  if (before && snapshotNo > before.snapshotNo + 1 && !isForeign(before)) {
    const ids = Object.keys(before.positions);
    const members = ids.flatMap((id) => cursors.get(id) ?? []);
    const isThere =
      members.length === ids.length &&
      members.every((one) => one.position === before.positions[one.subjectId]);
    const tallies = talliesOf(members);
    for (let day = asOf; isThere && day > before.asOf; day -= 1)
      if (score(tallies, day)?.finalScore === previousScore) return;
    report(`previous_score is ${previousScore}, which was the score of no day since the snapshot before`);
    return;
  }
  report(`previous_score is ${previousScore}, the snapshot before has ${before?.finalScore ?? 'none'}`);
}

function isBefore(at: Date, other: Date | null | undefined): boolean {
  return at.getTime() < (other?.getTime() ?? 0) - CLOCK_SKEW_MS;
}

/** In the order in which the formula weighs them. */
function talliesOf(members: Iterable<LedgerCursor>): Tally[] {
  return mergeTallies(...[...members].map(({ tallies }) => [...tallies.values()]));
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
  report: Report,
): Promise<LedgerCursor[] | null> {
  let isThere = true;
  const members: LedgerCursor[] = [];
  for (const [memberId, position] of Object.entries(snapshot.positions)) {
    const member = cursors.get(memberId) ?? (await reads.ledgerOf(memberId));
    cursors.set(memberId, member);
    members.push(member);
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

/** Compares with what the formula gives on the snapshot's day for the events up to its positions. */
function compare(members: readonly LedgerCursor[], snapshot: AuditedSnapshot, report: Report): void {
  if (members.some(({ lastRecordedAt }) => isBefore(snapshot.computedAt, lastRecordedAt)))
    report('it is dated before an event that it counts');
  const tallies = talliesOf(members);
  const rebuilt = score(tallies, snapshot.asOf);
  if (!rebuilt) {
    report('the ledger holds no event at its positions');
    return;
  }
  compareFigures(snapshot, rebuilt, 'rebuilt', report);
  for (const factor of factorNames) {
    const stored = snapshot.factors[factor];
    if (stored !== rebuilt.factors[factor])
      report(`factor ${factor} is ${stored}, rebuilt ${rebuilt.factors[factor]}`);
  }
  const views = Object.entries(components(tallies, snapshot.asOf) ?? {});
  for (const [name, value] of views) {
    const stored = snapshot.components[name];
    if (stored !== value) report(`component ${name} is ${stored}, rebuilt ${value}`);
  }
  const reasons = explain(tallies, snapshot.asOf, { frozen: false })?.reasonCodes;
  const stored = codesText(snapshot.reasonCodes.adverse, snapshot.reasonCodes.supporting);
  const due = codesText(
    reasons?.adverseActionReasons.map(({ code }) => code),
    reasons?.supportingFactors.map(({ code }) => code),
  );
  if (stored !== due) report(`reason_codes are ${stored}, rebuilt ${due}`);
}

function codesText(adverse: readonly string[] = [], supporting: readonly string[] = []): string {
  return `${adverse.join(', ')}; ${supporting.join(', ')}`;
}

const figureNames = Object.keys({
  finalScore: 0,
  scoreBand: 0,
  confidence: 0,
  behavioralQuality: 0,
  totalEvents: 0,
  verifiedEvents: 0,
} satisfies Record<keyof Figures, 0>) as (keyof Figures)[];

/** @param whence describes the expected figures, for use within a sentence. */
export function compareFigures(stored: Figures, expected: Figures, whence: string, report: Report): void {
  for (const name of figureNames) {
    if (stored[name] !== expected[name])
      report(`${snakeCase(name)} is ${stored[name]}, ${whence} ${expected[name]}`);
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
