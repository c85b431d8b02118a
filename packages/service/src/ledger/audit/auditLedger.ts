import type { Database, Tx } from '../../kit/db/database.js';
import { groupBy } from '../../kit/lists.js';
import { findRemoteMembers } from '../links/remoteStore.js';
import { type DisputeWindow, readDisputeWindows } from '../settingsInForce.js';
import { readScores } from './currentScore.js';
import { eventReader } from './cursor.js';
import { readDisputes } from './disputes.js';
import { readDeclarations } from './evidence.js';
import { type Audit, type AuditedRange, type AuditOptions, auditRanges, beginAudit } from './report.js';
import { readLinkFacts, snapshotReader } from './snapshots.js';
import {
  findImportDifferences,
  findOrphans,
  readFreezes,
  readImportRuns,
  readSubjects,
  readTallies,
} from './store.js';
import {
  type AuditCase,
  type AuditSummary,
  auditSubject,
  findStrayEntries,
  readShareTokens,
} from './subject.js';

const MAX_STRAYS = 1000;

/**
 * Rebuilds every tally, snapshot and score from the ledger and reports each difference (RULES E13).
 * Read-only, in bounded memory, safe beside a running service: each range of subjects is read from
 * one database snapshot. Events that wait for their recompute are no difference, because a score
 * snapshot names the positions it counts.
 */
export async function auditLedger(db: Database, options: AuditOptions<AuditSummary>): Promise<AuditSummary> {
  const audit = beginAudit({ subjects: 0, events: 0, snapshots: 0, differences: 0 }, options);
  const windows = await readDisputeWindows(db);
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
  windows: readonly DisputeWindow[],
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
      windows,
      now: audit.now,
      events,
      snapshots,
      tallies: talliesOf(id),
      score: scoresOf(id)[0] ?? null,
      disputes: disputesOf(id),
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
