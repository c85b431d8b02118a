import { CLOCK_SKEW_MS } from '@reliability/proof';
import { components, explain, mergeTallies, score, type Tally } from '@reliability/scoring';
import type { z } from 'zod';
import type { Queryable } from '#kit/db/database.js';
import { LOWEST_ID } from '#kit/ids.js';
import { FIGURES } from '../recompute/evaluateRecord.js';
import { type LedgerCursor, memberLedger } from './cursor.js';
import { about, compare, PAGE_ROWS, pagedReader, type Report, type RowReader } from './report.js';
import {
  type AuditedSnapshot,
  checkDay,
  checkKept,
  checkReason,
  createGapCheck,
  isForeign,
  type SnapshotRow,
  type Step,
} from './snapshotRules.js';
import { type AuditedSubject, type FreezeFact, readable, StoredSnapshot } from './store.js';

export function snapshotReader(db: Queryable, subjectIds: readonly string[]): RowReader<SnapshotRow> {
  return pagedReader((last) =>
    db.query<SnapshotRow>(
      `select subject_id, snapshot_no, final_score, score_band, confidence, behavioral_quality, total_events,
         verified_events, factors::text, reason_codes::text, components::text, positions::text, formula_version,
         as_of, computed_at, previous_score, reason, is_kept, platform_id, livemode
       from score_snapshot
       where subject_id = any($1::uuid[]) and (subject_id, snapshot_no) > ($2::uuid, $3::integer)
       order by subject_id, snapshot_no limit $4`,
      [subjectIds, last?.subjectId ?? LOWEST_ID, last?.snapshotNo ?? 0, PAGE_ROWS],
    ),
  );
}

export interface History {
  count: number;
  latest: AuditedSnapshot | null;
  isLatestUnreadable: boolean;
}

export interface SnapshotCase {
  subject: AuditedSubject;
  snapshots: RowReader<SnapshotRow>;
  /** Its links. With one it may have lost its score once. */
  links: readonly LinkFact[];
  freezes: readonly FreezeFact[];
  now: Date;
}

export async function auditSnapshots(
  db: Queryable,
  { subject, snapshots, links, freezes, now }: SnapshotCase,
  own: LedgerCursor,
  report: Report,
): Promise<History> {
  const { subjectId, platformId, livemode } = subject;
  const history: History = { count: 0, latest: null, isLatestUnreadable: false };
  const gaps = createGapCheck(now, report);
  const cursors = new Map([[subjectId, own]]);
  const joined = new Map<string, ReadonlySet<string>>();
  for (;;) {
    const row = await snapshots.peek();
    if (row?.subjectId !== subjectId) break;
    snapshots.skip();
    history.count += 1;
    const reportHere = about(report, `snapshot ${row.snapshotNo}`);
    const snapshot = readable(StoredSnapshot, row, reportHere);
    // What is behind one that cannot be read is compared with nothing before it.
    const before = history.isLatestUnreadable ? undefined : history.latest;
    history.isLatestUnreadable = snapshot === null;
    if (!snapshot) continue;
    if (before !== undefined) {
      gaps.take(snapshot, before);
      const step = { subjectId, snapshot, before, isLinked: links.length > 0, freezes };
      checkReason(step, reportHere);
      checkPrevious(step, cursors, reportHere);
      if (isBefore(snapshot.computedAt, before?.computedAt))
        reportHere('it is dated before the snapshot before it');
    }
    checkDay(snapshot, reportHere);
    checkKept(snapshot, now, reportHere);
    const memberIds = Object.keys(snapshot.positions);
    if (!memberIds.includes(subjectId)) reportHere('it does not rest on its own subject');
    for (const id of await outsidersAmong(db, memberIds, snapshot, links, joined))
      reportHere(`it rests on ${id}, who was no member of the record then`);
    if (snapshot.platformId !== platformId || snapshot.livemode !== livemode)
      reportHere('it is of another platform or mode than its subject');
    if (isForeign(snapshot)) {
      reportHere(`formula ${snapshot.formulaVersion} is not known`);
    } else {
      const members = await advanceMembers(db, cursors, snapshot, reportHere);
      if (members) compareWithLedger(members, snapshot, reportHere);
    }
    history.latest = snapshot;
  }
  gaps.end();
  return history;
}

/**
 * What the history says that the score was before. Where retention has thinned snapshots between the
 * two, the score before was that of one of the days between. A subject that an unlink left without
 * events begins again without a score.
 * @param cursors at the positions of the snapshot before.
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

function talliesOf(members: readonly LedgerCursor[]): Tally[] {
  return mergeTallies(...members.map(({ tallies }) => [...tallies.values()]));
}

/** Null: a ledger does not reach the position that the snapshot names. */
async function advanceMembers(
  db: Queryable,
  cursors: Map<string, LedgerCursor>,
  { positions }: AuditedSnapshot,
  report: Report,
): Promise<LedgerCursor[] | null> {
  let isThere = true;
  const members: LedgerCursor[] = [];
  for (const [memberId, position] of Object.entries(positions)) {
    const member = cursors.get(memberId) ?? memberLedger(db, memberId);
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
function compareWithLedger(
  members: readonly LedgerCursor[],
  { computedAt, asOf, ...stored }: AuditedSnapshot,
  report: Report,
): void {
  if (members.some(({ lastRecordedAt }) => isBefore(computedAt, lastRecordedAt)))
    report('it is dated before an event that it counts');
  const tallies = talliesOf(members);
  const rebuilt = score(tallies, asOf);
  if (!rebuilt) {
    report('the ledger holds no event at its positions');
    return;
  }
  compareFigures(stored, rebuilt, 'rebuilt', report);
  compareParts('factor', stored.factors, rebuilt.factors, report);
  compareParts('component', stored.components, components(tallies, asOf) ?? {}, report);
  const { adverse, supporting } = stored.reasonCodes;
  const reasons = explain(tallies, asOf, { frozen: false })?.reasonCodes;
  const codes = `${adverse.join(', ')}; ${supporting.join(', ')}`;
  const due = `${codesOf(reasons?.adverseActionReasons)}; ${codesOf(reasons?.supportingFactors)}`;
  if (codes !== due) report(`reason_codes are ${codes}, rebuilt ${due}`);
}

function compareParts(
  what: string,
  stored: Readonly<Record<string, unknown>>,
  rebuilt: object,
  report: Report,
): void {
  for (const [name, due] of Object.entries(rebuilt))
    if (stored[name] !== due) report(`${what} ${name} is ${stored[name]}, rebuilt ${due}`);
}

function codesOf(reasons: readonly { code: string }[] = []): string {
  return reasons.map(({ code }) => code).join(', ');
}

type Figures = Pick<z.output<typeof StoredSnapshot>, (typeof FIGURES)[number]>;

/** @param whence describes the expected figures, for use within a sentence. */
export function compareFigures(stored: Figures, due: Figures, whence: string, report: Report): void {
  const pairs = FIGURES.map((name) => [name, [stored[name], due[name]] as const] as const);
  compare(Object.fromEntries(pairs), report, whence);
}

interface LinkFact {
  subjectId: string;
  position: number;
  recordId: string;
  action: 'linked' | 'unlinked';
  snapshotNo: number;
}

export function readLinkFacts(db: Queryable, subjectIds: readonly string[]): Promise<LinkFact[]> {
  return db.query<LinkFact>(
    `select subject_id, position, record_id, action, snapshot_no from subject_link
     where subject_id = any($1::uuid[]) order by subject_id, position`,
    [subjectIds],
  );
}

/** Reports where a subject's current record does not follow from its link facts. */
export function auditLinks(
  { subjectId, recordId, memberIds }: Pick<AuditedSubject, 'subjectId' | 'recordId' | 'memberIds'>,
  facts: readonly LinkFact[],
  report: Report,
): void {
  let rebuilt = subjectId;
  facts.forEach((fact, index) => {
    const isLinked = fact.action === 'linked';
    if (fact.position !== index + 1) report(`link ${fact.position} is where ${index + 1} is due`);
    if (fact.snapshotNo < (facts[index - 1]?.snapshotNo ?? 0))
      report(`link ${fact.position} goes back in time`);
    const isDue = isLinked ? rebuilt === subjectId : rebuilt === fact.recordId;
    if (!isDue)
      report(`link ${fact.position}: ${fact.action} with ${fact.recordId}, but it was in ${rebuilt}`);
    rebuilt = isLinked ? fact.recordId : subjectId;
  });
  compare({ recordId: [recordId, rebuilt] }, report);
  const isAlone = recordId === subjectId;
  if (isAlone !== (memberIds.length === 1)) {
    report(`its record has ${memberIds.length} members, though it is ${isAlone ? 'alone' : 'linked'}`);
  }
}

/**
 * The given subjects that cannot have been members of a subject's record at one of its snapshots, from
 * link facts alone.
 * @param own the subject's own facts.
 * @param joined the records that each other subject ever joined, read on first use.
 */
async function outsidersAmong(
  db: Queryable,
  memberIds: readonly string[],
  { subjectId, snapshotNo }: { subjectId: string; snapshotNo: number },
  own: readonly LinkFact[],
  joined: Map<string, ReadonlySet<string>>,
): Promise<string[]> {
  const fact = own.findLast((earlier) => earlier.snapshotNo < snapshotNo);
  const recordId = fact?.action === 'linked' ? fact.recordId : subjectId;
  const others = memberIds.filter((id) => id !== subjectId);
  for (const id of others.filter((other) => !joined.has(other))) {
    const linked = (await readLinkFacts(db, [id])).filter(({ action }) => action === 'linked');
    joined.set(id, new Set(linked.map((link) => link.recordId)));
  }
  return others.filter((id) => !joined.get(id)?.has(recordId));
}
