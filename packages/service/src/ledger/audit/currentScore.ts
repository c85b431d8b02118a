import { isDeepStrictEqual } from 'node:util';
import { confidenceLabelOf, FORMULA_VERSION, score } from '@reliability/scoring';
import { scoreDetailOf } from '../recompute/evaluateRecord.js';
import type { LedgerCursor } from './cursor.js';
import type { MemberReads } from './memberReads.js';
import type { Report } from './report.js';
import { checkDay } from './snapshotRules.js';
import { compareFigures, compareMoments, type History } from './snapshots.js';
import {
  type AuditedScore,
  type AuditedSubject,
  type FreezeFact,
  readCounted,
  type ScoreRow,
} from './store.js';
import { readable, StoredScore } from './storedRows.js';

/** The current score of a subject, with what it must agree with. */
export interface ScoreCase {
  subject: AuditedSubject;
  score: ScoreRow | null;
  /** Of the subject and the members of its record, oldest first. */
  freezes: readonly FreezeFact[];
}

/**
 * Compares the current score with its latest snapshot, and with the ledger at the positions that it
 * counts.
 * @param own at the position of the latest snapshot; left at that of the score.
 */
export async function auditScore(
  reads: MemberReads,
  { subject, score: row, freezes }: ScoreCase,
  own: LedgerCursor,
  { latest, isLatestUnreadable }: History,
  report: Report,
): Promise<void> {
  if (subject.isErased) {
    if (row) report('it exists, and the subject was erased');
    return;
  }
  if (!row && subject.isScored) report('is_scored is true, which hides its subject from every list');
  const stored = row && readable(StoredScore, row, report);
  if ((row && !stored) || isLatestUnreadable) return;
  if (!stored || !latest) {
    if (stored) report('no snapshot supports it');
    if (latest && !isLeftWithoutEvents(subject.memberIds, latest.positions))
      report('it is missing, though there are snapshots');
    return;
  }
  compareIdentity(stored, subject, report);
  compareFreeze(stored, subject, freezes, report);
  compareFigures(stored, latest, 'in the latest snapshot', report);
  if (stored.snapshotNo !== latest.snapshotNo) {
    report(`it names snapshot ${stored.snapshotNo}, the latest is ${latest.snapshotNo}`);
  }
  if (stored.confidenceLabel !== confidenceLabelOf(stored.confidence)) {
    report(`confidence_label is ${stored.confidenceLabel} for ${stored.confidence}`);
  }
  checkDay(stored, report);
  if (stored.position < own.position) {
    report(`it rests on position ${stored.position}, behind its latest snapshot`);
    return;
  }
  if (stored.position < subject.eventCount && stored.frozenAt === null && !subject.isQueued)
    report(`it counts ${stored.position} of ${subject.eventCount} events, and no recompute is queued`);
  await own.advanceTo(stored.position);
  if (stored.frozenAt === null) compareOwnPart(own, stored, report);
  // Until the recompute the score may rest on former members of the record.
  if (stored.formulaVersion === FORMULA_VERSION && !subject.isQueued)
    compareWithLedger(stored, await countedOf(reads, subject, stored, own), report);
  if (stored.frozenAt === null || subject.isQueued) return;
  await own.advanceTo(subject.eventCount);
  compareOwnPart(own, stored, report);
}

/** Was linked before; the remaining members of its record have no events. */
function isLeftWithoutEvents(
  memberIds: readonly string[],
  positions: Readonly<Record<string, number>>,
): boolean {
  return memberIds.every((id) => (positions[id] ?? 0) === 0);
}

/** The copies of the subject's columns. */
function compareIdentity(stored: AuditedScore, subject: AuditedSubject, report: Report): void {
  if (stored.recordId !== subject.recordId) {
    report(`record_id is ${stored.recordId}, the subject is in ${subject.recordId}`);
  }
  if (stored.externalId !== subject.externalId) report('external_id is not that of the subject');
  if (stored.platformId !== subject.platformId || stored.livemode !== subject.livemode)
    report('it is of another platform or mode than its subject');
  if (stored.subjectType !== subject.subjectType)
    report(`subject_type is ${stored.subjectType}, not its own`);
  compareMoments('registered_at', stored.registeredAt, subject.registeredAt, report);
}

/** Freezes and their ends are facts of the log, so nobody is frozen or freed in silence. */
function compareFreeze(
  { frozenAt }: AuditedScore,
  { subjectId, memberIds }: AuditedSubject,
  freezes: readonly FreezeFact[],
  report: Report,
): void {
  const newest = new Map(freezes.map((fact) => [fact.subjectId, fact.action === 'set']));
  // Members that joined a frozen record once had no fact of their own.
  const isFrozen = newest.get(subjectId) ?? memberIds.some((id) => newest.get(id) === true);
  if ((frozenAt !== null) !== isFrozen)
    report(
      `frozen_at is ${frozenAt?.toISOString() ?? 'null'}, by its facts it is ${isFrozen ? '' : 'not '}frozen`,
    );
}

/**
 * The subject's own counts, as its platform's list of subjects returns them: at the score's position,
 * and of all events while the score is frozen.
 */
function compareOwnPart(own: LedgerCursor, stored: AuditedScore, report: Report): void {
  if (own.foldedCount !== stored.ownEvents) {
    report(`own_events is ${stored.ownEvents}, rebuilt ${own.foldedCount}`);
  }
  if (own.foldedVerifiedCount !== stored.ownVerifiedEvents) {
    report(`own_verified_events is ${stored.ownVerifiedEvents}, rebuilt ${own.foldedVerifiedCount}`);
  }
  compareMoments('last_activity_at', stored.lastActivityAt, own.lastActivityAt, report);
}

/** The members of the record, each at the position that the score counts. */
async function countedOf(
  reads: MemberReads,
  { subjectId, recordId, memberIds }: AuditedSubject,
  { detail }: AuditedScore,
  own: LedgerCursor,
): Promise<LedgerCursor[]> {
  if (memberIds.length === 1) return [own];
  const here = await readCounted(await reads.of(subjectId), recordId);
  const elsewhere = Object.entries(detail.elsewhere ?? {});
  const positions = [...here.map((member) => [member.subjectId, member.position] as const), ...elsewhere];
  const members = [own];
  for (const [memberId, position] of positions) {
    if (memberId === subjectId) continue;
    const member = await reads.ledgerOf(memberId);
    await member.advanceTo(position);
    members.push(member);
  }
  return members;
}

/** The figures and `detail`: what explanations, reports and policies show. */
function compareWithLedger(stored: AuditedScore, members: readonly LedgerCursor[], report: Report): void {
  const tallies = members
    .flatMap((member) => [...member.tallies.values()])
    .filter(({ count }) => count !== 0);
  const rebuilt = score(tallies, stored.asOf);
  if (rebuilt) compareFigures(stored, rebuilt, 'rebuilt', report);
  // As the database gives it back.
  const detail = JSON.parse(JSON.stringify(scoreDetailOf(tallies, stored.asOf, members))) as object;
  for (const [name, value] of Object.entries(detail)) {
    if (!isDeepStrictEqual(value, stored.detail[name]))
      report(`detail.${name} does not follow from the ledger`);
  }
}
