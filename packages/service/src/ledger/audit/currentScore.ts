import { isDeepStrictEqual } from 'node:util';
import { confidenceLabelOf, FORMULA_VERSION, score } from '@reliability/scoring';
import type { z } from 'zod';
import type { Queryable, Tx } from '#kit/db/database.js';
import { scoreDetailOf } from '../recompute/evaluateRecord.js';
import { type LedgerCursor, memberLedger } from './cursor.js';
import { compare, type Report } from './report.js';
import { checkDay } from './snapshotRules.js';
import { compareFigures, type History } from './snapshots.js';
import { type AuditedSubject, type FreezeFact, readable, StoredScore } from './store.js';

interface ScoreIds {
  subjectId: string;
  recordId: string;
  externalId: string;
  platformId: string;
  livemode: boolean;
}

type ScoreRow = ScoreIds & z.input<typeof StoredScore>;
type AuditedScore = ScoreIds & z.output<typeof StoredScore>;

export function readScores(tx: Tx, subjectIds: readonly string[]): Promise<ScoreRow[]> {
  return tx.query<ScoreRow>(
    `select subject_id, record_id, final_score, score_band, confidence, confidence_label, behavioral_quality, total_events,
       verified_events, own_events, own_verified_events, last_activity_at, position, snapshot_no, formula_version, as_of,
       computed_at, frozen_at, detail::text, external_id, registered_at, platform_id, livemode, subject_type
     from score where subject_id = any($1::uuid[])`,
    [subjectIds],
  );
}

export interface ScoreCase {
  subject: AuditedSubject;
  score: ScoreRow | null;
  freezes: readonly FreezeFact[];
}

/**
 * Compares the current score with its latest snapshot, and with the ledger at the positions that it counts.
 * @param db has the ledgers of all members of its record.
 * @param own at the position of the latest snapshot; left at that of the score.
 */
export async function auditScore(
  tx: Tx,
  db: Queryable,
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
    // Was linked before; the remaining members of its record have no events.
    const isWithoutEvents = subject.memberIds.every((id) => (latest?.positions[id] ?? 0) === 0);
    if (latest && !isWithoutEvents) report('it is missing, though there are snapshots');
    return;
  }
  compareIdentity(stored, subject, report);
  compareFreeze(stored, freezes, report);
  compareFigures(stored, latest, 'in the latest snapshot', report);
  if (stored.snapshotNo !== latest.snapshotNo)
    report(`it names snapshot ${stored.snapshotNo}, the latest is ${latest.snapshotNo}`);
  if (stored.confidenceLabel !== confidenceLabelOf(stored.confidence))
    report(`confidence_label is ${stored.confidenceLabel} for ${stored.confidence}`);
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
    compareWithLedger(stored, await countedOf(tx, db, subject, stored, own), report);
  if (stored.frozenAt === null || subject.isQueued) return;
  await own.advanceTo(subject.eventCount);
  compareOwnPart(own, stored, report);
}

function compareIdentity(stored: AuditedScore, subject: AuditedSubject, report: Report): void {
  compare({ recordId: [stored.recordId, subject.recordId] }, report, 'the subject is in');
  if (stored.externalId !== subject.externalId) report('external_id is not that of the subject');
  if (stored.platformId !== subject.platformId || stored.livemode !== subject.livemode)
    report('it is of another platform or mode than its subject');
  if (stored.subjectType !== subject.subjectType)
    report(`subject_type is ${stored.subjectType}, not its own`);
  compare({ registeredAt: [stored.registeredAt, subject.registeredAt] }, report);
}

/** Freezes and their ends are facts of the log, so nobody is frozen or freed in silence. */
function compareFreeze({ frozenAt }: AuditedScore, freezes: readonly FreezeFact[], report: Report): void {
  const isFrozen = freezes.at(-1)?.action === 'set';
  if ((frozenAt !== null) !== isFrozen)
    report(
      `frozen_at is ${frozenAt?.toISOString() ?? 'null'}, by its facts it is ${isFrozen ? '' : 'not '}frozen`,
    );
}

/** At the score's position, and of all events while the score is frozen. */
function compareOwnPart(own: LedgerCursor, stored: AuditedScore, report: Report): void {
  compare(
    {
      ownEvents: [stored.ownEvents, own.foldedCount],
      ownVerifiedEvents: [stored.ownVerifiedEvents, own.foldedVerifiedCount],
      lastActivityAt: [stored.lastActivityAt, own.lastActivityAt],
    },
    report,
  );
}

async function countedOf(
  tx: Tx,
  db: Queryable,
  { subjectId, recordId, memberIds }: AuditedSubject,
  { detail }: AuditedScore,
  own: LedgerCursor,
): Promise<LedgerCursor[]> {
  if (memberIds.length === 1) return [own];
  // An erased member has no score.
  const here = await tx.query<{ memberId: string; position: number }>(
    `select subject_id as member_id, coalesce(c.position, s.event_count) as position
     from subject s left join score c using (subject_id) where s.record_id = $1`,
    [recordId],
  );
  const elsewhere = Object.entries(detail.elsewhere ?? {}).map(([memberId, position]) => ({
    memberId,
    position,
  }));
  const members = [own];
  for (const { memberId, position } of [...here, ...elsewhere]) {
    if (memberId === subjectId) continue;
    const member = memberLedger(db, memberId);
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
