import { CLOCK_SKEW_MS } from '@reliability/proof';
import type { Tally } from '@reliability/scoring';
import type { RemoteMember } from '../links/remoteStore.js';
import { findRecordIds } from '../links/store.js';
import { subjectIdOf } from '../subjectId.js';
import { auditScore, type ScoreCase } from './currentScore.js';
import { createLedgerCursor, type LedgerCursor, tallyName } from './cursor.js';
import { auditDisputes, type DisputeCase } from './disputes.js';
import { createEvidenceAudit, type EvidenceCase } from './evidence.js';
import { auditLinks, createMembership, type LinkFact } from './links.js';
import type { MemberReads } from './memberReads.js';
import type { RowReader } from './reader.js';
import type { Audit, Report } from './report.js';
import { type AuditedShareToken, auditShareTokens } from './shareTokens.js';
import { auditSnapshots, compareMoments, type History } from './snapshots.js';
import type { AuditedEvent, AuditedSubject, FreezeFact, SnapshotRow, TallyRow } from './store.js';
import { guarded, readable, StoredSubject } from './storedRows.js';

/** A subject with all stored data that derives from its ledger. */
export interface AuditCase extends ScoreCase, DisputeCase, EvidenceCase {
  now: Date;
  /** Ordered by position. */
  links: readonly LinkFact[];
  tallies: readonly TallyRow[];
  shareTokens: readonly AuditedShareToken[];
  /** What its ledger group knows of the members of its record in other groups. */
  remote: readonly RemoteMember[];
  /** Readers positioned at this subject. */
  events: RowReader<AuditedEvent>;
  snapshots: RowReader<SnapshotRow>;
}

export type AuditSummary = Record<'subjects' | 'events' | 'snapshots' | 'differences', number>;

const MAX_REPORTED = 20;

/**
 * Rebuilds everything derived from one subject's ledger and reports differences from the stored
 * data.
 */
export async function auditSubject(
  reads: MemberReads,
  audited: AuditCase,
  audit: Audit<AuditSummary>,
): Promise<void> {
  const { subject, links, events, snapshots } = audited;
  let unreported = 0;
  const reporter = (): Report => {
    let own = 0;
    return (what) => {
      own += 1;
      if (own <= MAX_REPORTED) audit.report(what, subject.subjectId);
      else unreported += 1;
    };
  };
  const report = reporter();
  // One error at the start of a ledger repeats in every later snapshot, and would hide its cause.
  const reportHistory = reporter();
  const reportSubject: Report = (what) => report(`subject: ${what}`);
  const reportScore: Report = (what) => report(`score: ${what}`);
  const isReadable = readable(StoredSubject, subject, reportSubject) !== null;
  const judge = createEvidenceAudit(subject, audited, report);
  let firstRecordedAt: Date | null = null;
  const onEvent = (event: AuditedEvent) => {
    firstRecordedAt ??= event.createdAt;
    judge(event);
  };
  const own = createLedgerCursor(subject.subjectId, events, { onEvent, onUnreadable: report });
  auditLinks(subject, links, reportSubject);
  const membership = createMembership(reads, subject.subjectId, links);
  const isLinked = links.length > 0;
  let history: History = { count: 0, latest: null, isLatestUnreadable: true };
  await guarded(reportHistory, async () => {
    const { freezes, now } = audited;
    history = await auditSnapshots(
      reads,
      subject,
      own,
      { snapshots, membership, isLinked, freezes, now },
      reportHistory,
    );
  });
  await guarded(reportScore, () => auditScore(reads, audited, own, history, reportScore));
  await own.advanceTo(Number.POSITIVE_INFINITY);
  if (isReadable) {
    auditTotals(own, subject, reportSubject);
    auditRegistration(subject, [firstRecordedAt, audited.declarations[0]?.declaredAt], reportSubject);
    auditRestart(subject, audited.freezes, isLinked, reportSubject);
  }
  compareTallies(own.tallies, audited.tallies, report);
  for (const remote of audited.remote) {
    const reportHere: Report = (what) => report(`member ${remote.subjectId} elsewhere: ${what}`);
    await guarded(reportHere, () => auditRemote(reads, remote, reportHere));
  }
  auditDisputes(audited, own.engineEvents, report);
  auditShareTokens(audited.shareTokens, report);
  if (unreported > 0) audit.report(`and ${unreported} more`, subject.subjectId, unreported);
  audit.summary.subjects += 1;
  audit.summary.events += own.eventCount;
  audit.summary.snapshots += history.count;
}

/** The guard against bursts counts from the end of a freeze, and from nothing else. */
function auditRestart(
  { velocityClearedAt: at }: AuditedSubject,
  freezes: readonly FreezeFact[],
  isLinked: boolean,
  report: Report,
): void {
  if (at === null || isLinked) return;
  const isEnd = freezes.some((fact) => fact.action === 'cleared' && fact.at.getTime() === at.getTime());
  if (!isEnd) report(`velocity_cleared_at is ${at.toISOString()}, and no freeze ended then`);
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

/** A subject is registered by its first event or declaration, by the clocks of the service. */
function auditRegistration(
  { registeredAt }: AuditedSubject,
  firsts: readonly (Date | null | undefined)[],
  report: Report,
): void {
  const times = firsts.flatMap((first) => (first ? [first.getTime()] : []));
  if (times.length > 0 && Math.abs(Math.min(...times) - registeredAt.getTime()) > CLOCK_SKEW_MS)
    report(`registered_at is ${registeredAt.toISOString()}, its first fact is of another time`);
}

/** Compares a copy of a member's tallies with the ledger of its group. */
async function auditRemote(reads: MemberReads, remote: RemoteMember, report: Report): Promise<void> {
  const { subjectId, recordId, position, tallies, verifiedEvents } = remote;
  const [there] = await findRecordIds(await reads.of(subjectId), [subjectId]);
  if (there?.recordId !== recordId) report(`its own group has it in ${there?.recordId ?? 'no record'}`);
  const ledger = await reads.ledgerOf(subjectId);
  await ledger.advanceTo(position);
  if (ledger.eventCount !== position)
    report(`position ${position} is known, the ledger holds ${ledger.eventCount}`);
  if (ledger.foldedVerifiedCount !== verifiedEvents)
    report(`verified_events is ${verifiedEvents}, rebuilt ${ledger.foldedVerifiedCount}`);
  compareMoments('last_activity_at', remote.lastActivityAt, ledger.lastActivityAt, report);
  const { days, codes, counts } = tallies;
  const copied = (days ?? []).map((day, index) => ({
    day,
    code: codes?.[index] ?? -1,
    count: counts?.[index] ?? 0,
  }));
  compareTallies(ledger.tallies, copied, report);
}

/** A tally of zero may be stored as 0 or be absent. */
function compareTallies(
  ledger: ReadonlyMap<string, Tally>,
  stored: readonly Omit<TallyRow, 'subjectId'>[],
  report: Report,
): void {
  const storedByName = new Map(stored.map(({ day, code, count }) => [tallyName(day, code), count]));
  for (const name of new Set([...storedByName.keys(), ...ledger.keys()])) {
    const count = storedByName.get(name) ?? 0;
    const rebuilt = ledger.get(name)?.count ?? 0;
    if (count !== rebuilt) report(`tally ${name} (day/code): count is ${count}, rebuilt ${rebuilt}`);
  }
}
