import type { Database, Tx } from '../../kit/db/database.js';
import { groupBy } from '../../kit/groupBy.js';
import { findRemoteMembers } from '../links/remoteStore.js';
import { type DisputeWindow, readDisputeWindows } from '../settingsInForce.js';
import { readDisputes } from './disputes.js';
import { readDeclarations } from './evidence.js';
import { readLinkFacts } from './links.js';
import { createMemberReads } from './memberReads.js';
import { type AuditedRange, auditRanges } from './ranges.js';
import { eventReader, snapshotReader } from './reader.js';
import { type Audit, type AuditOptions, beginAudit } from './report.js';
import { findStrayEntries, readShareTokens } from './shareTokens.js';
import {
  findImportDifferences,
  findOrphans,
  readFreezes,
  readImportRuns,
  readScores,
  readSubjects,
  readTallies,
} from './store.js';
import { type AuditSummary, auditSubject } from './subject.js';

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
    of: readonly string[] = ids,
  ) => groupBy(await read(tx, of), (row) => row.subjectId);
  const tallies = await bySubject(readTallies);
  const scores = await bySubject(readScores);
  const disputes = await bySubject(readDisputes);
  const declarations = await bySubject(readDeclarations);
  const shareTokens = await bySubject(readShareTokens);
  const links = await bySubject(readLinkFacts);
  const freezes = await bySubject(readFreezes, distinct(subjects.flatMap(({ memberIds }) => memberIds)));
  const recordIds = distinct(subjects.map(({ recordId }) => recordId));
  const remote = groupBy(await findRemoteMembers(tx, recordIds), (row) => row.recordId);
  const platformIds = distinct(subjects.map(({ platformId }) => platformId));
  const imports = groupBy(await readImportRuns(tx, platformIds), ownerOf);
  const common = {
    windows,
    now: audit.now,
    events: eventReader(tx, ids),
    snapshots: snapshotReader(tx, ids),
  };
  const reads = createMemberReads(tx);
  for (const subject of subjects) {
    const id = subject.subjectId;
    const derived = {
      tallies: tallies.get(id) ?? [],
      score: scores.get(id)?.[0] ?? null,
      disputes: disputes.get(id) ?? [],
      declarations: declarations.get(id) ?? [],
      shareTokens: shareTokens.get(id) ?? [],
      links: links.get(id) ?? [],
      remote: remote.get(subject.recordId) ?? [],
      freezes: subject.memberIds.flatMap((memberId) => freezes.get(memberId) ?? []),
      imports: imports.get(ownerOf(subject)) ?? [],
    };
    await auditSubject(reads, { subject, ...derived, ...common }, audit);
  }
}

function distinct(ids: readonly string[]): string[] {
  return [...new Set(ids)];
}

function ownerOf({ platformId, livemode }: { platformId: string; livemode: boolean }): string {
  return `${platformId} ${livemode}`;
}
