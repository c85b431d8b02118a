import { confidenceLabelOf } from '@reliability/scoring';
import type { Tx } from '../../kit/db/database.js';
import { subjectIdOf } from '../subjectId.js';
import { createLedgerCursor, type LedgerCursor, tallyName } from './cursor.js';
import { type AuditedDispute, auditDisputes } from './disputes.js';
import { type AuditedDeclaration, createEvidenceAudit } from './evidence.js';
import { auditLinks, createMembership, type LinkFact } from './links.js';
import type { RowReader } from './reader.js';
import { createReplayedRecord } from './replayedRecord.js';
import { auditSnapshots, compareFigures, type History, type Report } from './snapshots.js';
import type { AuditedEvent, AuditedScore, AuditedSnapshot, AuditedSubject, TallyRow } from './store.js';

/** A subject with all stored data that derives from its ledger. */
export interface AuditCase {
  subject: AuditedSubject;
  /** Ordered by position. */
  links: readonly LinkFact[];
  tallies: readonly TallyRow[];
  disputes: readonly AuditedDispute[];
  declarations: readonly AuditedDeclaration[];
  score: AuditedScore | null;
  /** Readers positioned at this subject. */
  events: RowReader<AuditedEvent>;
  snapshots: RowReader<AuditedSnapshot>;
}

export interface SubjectFindings {
  events: number;
  snapshots: number;
  foreignSnapshots: number;
  /** The current score is also by another formula: not yet recomputed. */
  hasForeignScore: boolean;
  differences: number;
  /** The first differences. One error at the start of a ledger repeats in every later snapshot. */
  reported: readonly string[];
}

const MAX_REPORTED = 20;

/**
 * Rebuilds everything derived from one subject's ledger and reports differences from the stored
 * data.
 */
export async function auditSubject(tx: Tx, audited: AuditCase): Promise<SubjectFindings> {
  const { subject, links, events, snapshots } = audited;
  const reported: string[] = [];
  let differences = 0;
  const report: Report = (what) => {
    differences += 1;
    if (differences <= MAX_REPORTED) reported.push(what);
  };
  const judge = createEvidenceAudit(subject, audited.declarations, report);
  const record = createReplayedRecord();
  const own = createLedgerCursor(subject.subjectId, events, { onEvent: judge, onCount: record.onCount });
  const reportSubject: Report = (what) => report(`subject: ${what}`);
  auditLinks(subject, links, reportSubject);
  const membership = createMembership(tx, subject.subjectId, links);
  const history = await auditSnapshots(tx, subject.subjectId, own, { snapshots, membership, record }, report);
  await auditScore(subject, own, audited.score, history, (what) => report(`score: ${what}`));
  await own.advanceTo(Number.POSITIVE_INFINITY);
  auditTotals(own, subject, reportSubject);
  compareTallies(own, audited.tallies, report);
  auditDisputes(audited.disputes, own.engineEvents, report);
  return {
    events: own.eventCount,
    snapshots: history.count,
    foreignSnapshots: history.foreign,
    hasForeignScore: audited.score?.isDraft ?? false,
    differences,
    reported,
  };
}

async function auditScore(
  subject: AuditedSubject,
  own: LedgerCursor,
  stored: AuditedScore | null,
  { latest }: History,
  report: Report,
): Promise<void> {
  if (subject.isErased) {
    if (stored) report('it exists, and the subject was erased');
    return;
  }
  if (!stored || !latest) {
    if (stored) report('no snapshot supports it');
    if (latest && !isLeftWithoutEvents(subject, latest)) report('it is missing, though there are snapshots');
    return;
  }
  if (stored.recordId !== subject.recordId) {
    report(`record_id is ${stored.recordId}, the subject is in ${subject.recordId}`);
  }
  compareFigures(stored, latest, 'in the latest snapshot', report);
  if (stored.snapshotNo !== latest.snapshotNo) {
    report(`it names snapshot ${stored.snapshotNo}, the latest is ${latest.snapshotNo}`);
  }
  if (stored.confidenceLabel !== confidenceLabelOf(stored.confidence)) {
    report(`confidence_label is ${stored.confidenceLabel} for ${stored.confidence}`);
  }
  if (stored.position < own.position) {
    report(`it rests on position ${stored.position}, behind its latest snapshot`);
    return;
  }
  await own.advanceTo(stored.position);
  // the draft counted events that this formula leaves out
  if (!stored.isDraft) compareOwnPart(own, stored, report);
}

/** Was linked before; the remaining members of its record have no events. */
function isLeftWithoutEvents({ memberIds }: AuditedSubject, latest: AuditedSnapshot): boolean {
  return memberIds.every((id) => (latest.positions[id] ?? 0) === 0);
}

/**
 * The subject's own counts at the score's position, as its platform's list of subjects returns
 * them.
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

/** @param own must be at the end of the ledger. */
function auditTotals(own: LedgerCursor, subject: AuditedSubject, report: Report): void {
  if (own.error) report(own.error);
  if (own.eventCount !== subject.eventCount) {
    report(`event_count is ${subject.eventCount}, the ledger holds ${own.eventCount}`);
  }
  compareMoments('last_activity_at', subject.lastActivityAt, own.lastActivityAt, report);
  const { platformId, livemode, externalId, isErased, subjectId } = subject;
  if ((externalId === null) !== isErased) {
    report(isErased ? 'it was erased and has an external id' : 'it has no external id and was not erased');
  } else if (externalId !== null && subjectIdOf(platformId, livemode, externalId) !== subjectId) {
    report('its id does not follow from platform, mode and external id');
  }
}

function compareMoments(name: string, stored: Date | null, rebuilt: Date | null, report: Report): void {
  if (stored?.getTime() === rebuilt?.getTime()) return;
  report(`${name} is ${stored?.toISOString() ?? 'null'}, rebuilt ${rebuilt?.toISOString() ?? 'null'}`);
}

/** A tally of zero may be stored as 0 or be absent. */
function compareTallies(own: LedgerCursor, stored: readonly TallyRow[], report: Report): void {
  const storedByName = new Map(stored.map(({ day, code, count }) => [tallyName(day, code), count]));
  for (const name of new Set([...storedByName.keys(), ...own.tallies.keys()])) {
    const count = storedByName.get(name) ?? 0;
    const rebuilt = own.tallies.get(name)?.count ?? 0;
    if (count !== rebuilt) report(`tally ${name} (day/code): count is ${count}, rebuilt ${rebuilt}`);
  }
}
