import { CLOCK_SKEW_MS } from '@reliability/proof';
import type { Tally } from '@reliability/scoring';
import type { Database, Queryable, Tx } from '#kit/db/database.js';
import { groupBy } from '#kit/lists.js';
import { findRecordIds } from '../links/lockRecord.js';
import { readsOfAll } from '../links/recordReads.js';
import { findRemoteMembers, type RemoteMember } from '../links/remoteStore.js';
import { readWindows, type Window } from '../settingsInForce.js';
import { subjectIdOf } from '../subjectId.js';
import { auditScore, readScores, type ScoreCase } from './currentScore.js';
import {
  type AuditedEvent,
  createLedgerCursor,
  eventReader,
  type LedgerCursor,
  memberLedger,
  tallyName,
} from './cursor.js';
import { auditDisputes, type DisputeCase, readDisputes } from './disputes.js';
import { createEvidenceAudit, type EvidenceCase, readDeclarations } from './evidence.js';
import {
  type Audit,
  type AuditedRange,
  type AuditOptions,
  about,
  auditRanges,
  beginAudit,
  compare,
  guarded,
  type Report,
  type RowReader,
} from './report.js';
import { auditReviews, type ReviewCase, readReviews } from './reviews.js';
import {
  auditLinks,
  auditSnapshots,
  type History,
  readLinkFacts,
  type SnapshotCase,
  snapshotReader,
} from './snapshots.js';
import {
  type AuditedSubject,
  findImportDifferences,
  findOrphans,
  readable,
  readFreezes,
  readImportRuns,
  readSubjects,
  readTallies,
  StoredSubject,
  type TallyRow,
} from './store.js';

const MAX_STRAYS = 1000;

export type AuditSummary = Record<'subjects' | 'events' | 'snapshots' | 'differences', number>;

/**
 * Rebuilds every tally, snapshot and score from the ledger and reports each difference (RULES E13).
 * Read-only, in bounded memory, safe beside a running service: each range of subjects is read from
 * one database snapshot. Events that wait for their recompute are no difference, because a score
 * snapshot names the positions it counts.
 */
export async function auditLedger(db: Database, options: AuditOptions<AuditSummary>): Promise<AuditSummary> {
  const audit = beginAudit({ subjects: 0, events: 0, snapshots: 0, differences: 0 }, options);
  const windows = {
    windows: await readWindows(db, 'disputes'),
    reviewWindows: await readWindows(db, 'reviews'),
  };
  await auditRanges(db, audit, (tx, range, part) => auditSubjects(tx, range, windows, part));
  for (const { listNo, entryIndex } of await findStrayEntries(db, MAX_STRAYS))
    audit.report(`entry ${entryIndex} of status list ${listNo} is of no share token`);
  for (const { platformId, marked, recorded } of await findImportDifferences(db))
    audit.report(
      `${marked} events of platform ${platformId} are marked as imported, its imports recorded ${recorded}`,
    );
  return audit.summary;
}

async function auditSubjects(
  tx: Tx,
  range: AuditedRange,
  windows: Record<'windows' | 'reviewWindows', readonly Window[]>,
  audit: Audit<AuditSummary>,
): Promise<void> {
  for (const { tableName, subjectId } of await findOrphans(tx, range, MAX_STRAYS))
    audit.report(`${tableName}: rows without a subject`, subjectId);
  const subjects = await readSubjects(tx, range.ids);
  // A test reset may have deleted some since: the readers must not stop at rows without a
  // subject.
  const ids = subjects.map((subject) => subject.subjectId);
  const bySubject = async <Row extends { subjectId: string }>(
    read: (tx: Tx, ids: readonly string[]) => Promise<Row[]>,
  ) => {
    const rows = groupBy(await read(tx, ids), (row) => row.subjectId);
    return (subjectId: string) => rows.get(subjectId) ?? [];
  };
  const talliesOf = await bySubject(readTallies);
  const scoresOf = await bySubject(readScores);
  const disputesOf = await bySubject(readDisputes);
  const reviewsOf = await bySubject(readReviews);
  const declarationsOf = await bySubject(readDeclarations);
  const shareTokensOf = await bySubject(readShareTokens);
  const linksOf = await bySubject(readLinkFacts);
  const freezesOf = await bySubject(readFreezes);
  const recordIds = distinct(subjects.map(({ recordId }) => recordId));
  const remote = groupBy(await findRemoteMembers(tx, recordIds), (row) => row.recordId);
  const platformIds = distinct(subjects.map(({ platformId }) => platformId));
  const imports = groupBy(await readImportRuns(tx, platformIds), ownerOf);
  const [events, snapshots] = [eventReader(tx, ids), snapshotReader(tx, ids)];
  for (const subject of subjects) {
    const id = subject.subjectId;
    const audited: AuditCase = {
      subject,
      ...windows,
      now: audit.now,
      events,
      snapshots,
      tallies: talliesOf(id),
      score: scoresOf(id)[0] ?? null,
      disputes: disputesOf(id),
      reviews: reviewsOf(id),
      declarations: declarationsOf(id),
      shareTokens: shareTokensOf(id),
      links: linksOf(id),
      remote: remote.get(subject.recordId) ?? [],
      freezes: freezesOf(id),
      imports: imports.get(ownerOf(subject)) ?? [],
    };
    await auditSubject(tx, audited, audit);
  }
}

function distinct(ids: readonly string[]): string[] {
  return [...new Set(ids)];
}

function ownerOf({ platformId, livemode }: { platformId: string; livemode: boolean }): string {
  return `${platformId} ${livemode}`;
}

interface AuditCase extends ScoreCase, SnapshotCase, DisputeCase, ReviewCase, EvidenceCase {
  tallies: readonly TallyRow[];
  shareTokens: readonly AuditedShareToken[];
  remote: readonly RemoteMember[];
  events: RowReader<AuditedEvent>;
}

const MAX_REPORTED = 20;

async function auditSubject(tx: Tx, audited: AuditCase, audit: Audit<AuditSummary>): Promise<void> {
  const { subject, links, events } = audited;
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
  const reportSubject = about(report, 'subject');
  const reportScore = about(report, 'score');
  const isReadable = readable(StoredSubject, subject, reportSubject) !== null;
  const judge = createEvidenceAudit(subject, audited, report);
  let firstRecordedAt: Date | null = null;
  const own = createLedgerCursor(subject.subjectId, events, report, (event) => {
    firstRecordedAt ??= event.createdAt;
    judge(event);
  });
  auditLinks(subject, links, reportSubject);
  // Former members of its record may live in any group.
  const db = links.length > 0 ? readsOfAll(tx) : tx;
  let history: History = { count: 0, latest: null, isLatestUnreadable: true };
  await guarded(reportHistory, async () => {
    history = await auditSnapshots(db, audited, own, reportHistory);
  });
  await guarded(reportScore, () => auditScore(tx, db, audited, own, history, reportScore));
  await own.advanceTo(Number.POSITIVE_INFINITY);
  if (isReadable) {
    auditTotals(own, subject, reportSubject);
    auditRegistration(subject, [firstRecordedAt, audited.declarations[0]?.declaredAt], reportSubject);
    auditRestart(audited, reportSubject);
  }
  compareTallies(own.tallies, audited.tallies, report);
  for (const remote of audited.remote) {
    const reportHere = about(report, `member ${remote.subjectId} elsewhere`);
    await guarded(reportHere, () => auditRemote(readsOfAll(tx), remote, reportHere));
  }
  auditDisputes(audited, own.engineEvents, report);
  auditReviews(audited, report);
  auditShareTokens(audited.shareTokens, report);
  if (unreported > 0) audit.report(`and ${unreported} more`, subject.subjectId, unreported);
  audit.summary.subjects += 1;
  audit.summary.events += own.eventCount;
  audit.summary.snapshots += history.count;
}

/** The guard against bursts counts from the end of a freeze, and from nothing else. */
function auditRestart({ subject, freezes, links }: AuditCase, report: Report): void {
  const at = subject.velocityClearedAt;
  if (at === null || links.length > 0) return;
  const isEnd = freezes.some((fact) => fact.action === 'cleared' && fact.at.getTime() === at.getTime());
  if (!isEnd) report(`velocity_cleared_at is ${at.toISOString()}, and no freeze ended then`);
}

/** @param own must be at the end of the ledger. */
function auditTotals(own: LedgerCursor, subject: AuditedSubject, report: Report): void {
  if (own.error) report(own.error);
  compare({ eventCount: [subject.eventCount, own.eventCount] }, report, 'the ledger holds');
  compare({ lastActivityAt: [subject.lastActivityAt, own.lastActivityAt] }, report);
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

async function auditRemote(db: Queryable, remote: RemoteMember, report: Report): Promise<void> {
  const { subjectId, recordId, position, verifiedEvents, lastActivityAt } = remote;
  const [there] = await findRecordIds(db, [subjectId]);
  if (there?.recordId !== recordId) report(`its own group has it in ${there?.recordId ?? 'no record'}`);
  const ledger = memberLedger(db, subjectId);
  await ledger.advanceTo(position);
  if (ledger.eventCount !== position)
    report(`position ${position} is known, the ledger holds ${ledger.eventCount}`);
  compare(
    {
      verifiedEvents: [verifiedEvents, ledger.foldedVerifiedCount],
      lastActivityAt: [lastActivityAt, ledger.lastActivityAt],
    },
    report,
  );
  const { days, codes, counts } = remote.tallies;
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
    const count = [storedByName.get(name) ?? 0, ledger.get(name)?.count ?? 0] as const;
    compare({ count }, about(report, `tally ${name} (day/code)`));
  }
}

interface AuditedShareToken {
  subjectId: string;
  statusList: number;
  statusIndex: number;
  isWithdrawn: boolean;
  isRevoked: boolean | null;
}

function readShareTokens(tx: Tx, subjectIds: readonly string[]): Promise<AuditedShareToken[]> {
  return tx.query<AuditedShareToken>(
    `select t.subject_id, t.status_list, t.status_index, t.withdrawn_at is not null as is_withdrawn,
       case when e.list_no is not null then e.revoked_at is not null end as is_revoked
     from share_token t left join status_entry e on e.list_no = t.status_list and e.entry_index = t.status_index
     where t.subject_id = any($1::uuid[]) order by t.subject_id, t.token_id`,
    [subjectIds],
  );
}

/** Credentials are revoked with the withdrawal of their token, a fact of the log (RULES C6). */
function auditShareTokens(tokens: readonly AuditedShareToken[], report: Report): void {
  for (const { statusList, statusIndex, isWithdrawn, isRevoked } of tokens) {
    if (isRevoked === isWithdrawn) continue;
    const entry = `entry ${statusIndex} of status list ${statusList}`;
    if (isRevoked === null) report(`${entry} is missing`);
    else if (isRevoked) report(`${entry} is revoked, and its share token was not withdrawn`);
    else report(`${entry} is not revoked, and its share token was withdrawn`);
  }
}

function findStrayEntries(db: Queryable, limit: number): Promise<{ listNo: number; entryIndex: number }[]> {
  return db.query(
    `select list_no, entry_index from status_entry e
     where not exists (select from share_token t where t.status_list = e.list_no and t.status_index = e.entry_index)
     order by list_no, entry_index limit $1`,
    [limit],
  );
}
