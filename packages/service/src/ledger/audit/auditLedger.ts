import type { Database } from '../../kit/db/database.js';
import { groupBy } from '../../kit/groupBy.js';
import { findRemoteMembers } from '../links/remoteStore.js';
import { type DisputeWindow, readDisputeWindows } from '../settingsInForce.js';
import { readDisputes } from './disputes.js';
import { readDeclarations } from './evidence.js';
import { readLinkFacts } from './links.js';
import { createMemberReads } from './memberReads.js';
import { eventReader, snapshotReader } from './reader.js';
import { findStrayEntries, readShareTokens } from './shareTokens.js';
import {
  findImportDifferences,
  findOrphans,
  findSubjectIds,
  LOWEST_ID,
  readFreezes,
  readImportRuns,
  readScores,
  readSubjects,
  readTallies,
} from './store.js';
import { isAboutData, unreadable } from './storedRows.js';
import { auditSubject, type SubjectFindings } from './subject.js';

/** A difference between stored data and the ledger. */
export interface Difference {
  subjectId: string;
  what: string;
}

export interface AuditSummary {
  subjects: number;
  events: number;
  snapshots: number;
  differences: number;
}

interface AuditOptions {
  now: Date;
  onDifference(difference: Difference): void;
  /** Called after each page of subjects. */
  onProgress?(soFar: AuditSummary): void;
}

const PAGE_SUBJECTS = 500;
/** Subjects share a transaction up to this many events; a longer ledger has its own. */
const GROUP_EVENTS = 5000;
const MAX_ORPHANS_PER_PAGE = 1000;

/**
 * Rebuilds every tally, snapshot and score from the ledger and reports each difference (RULES E13).
 * Read-only, in bounded memory, safe beside a running service: each group of subjects is read from
 * one database snapshot. Events that wait for their recompute are no difference, because a score
 * snapshot names the positions it counts.
 */
export async function auditLedger(db: Database, options: AuditOptions): Promise<AuditSummary> {
  const summary: AuditSummary = {
    subjects: 0,
    events: 0,
    snapshots: 0,
    differences: 0,
  };
  const windows = await readDisputeWindows(db);
  const { now } = options;
  for (let afterId: string | null = LOWEST_ID; afterId !== null; ) {
    const page: SubjectOfPage[] = await findSubjectIds(db, afterId, PAGE_SUBJECTS);
    const upToId: string | null = page.length < PAGE_SUBJECTS ? null : (page.at(-1)?.subjectId ?? null);
    await reportOrphans(db, afterId, upToId, summary, options);
    for (const subjectIds of groupsOf(page))
      await auditGroup(db, subjectIds, { windows, now }, summary, options);
    options.onProgress?.(summary);
    afterId = upToId;
  }
  for (const { listNo, entryIndex } of await findStrayEntries(db, MAX_ORPHANS_PER_PAGE)) {
    summary.differences += 1;
    options.onDifference({
      subjectId: LOWEST_ID,
      what: `entry ${entryIndex} of status list ${listNo} is of no share token`,
    });
  }
  for (const { platformId, marked, recorded } of await findImportDifferences(db)) {
    summary.differences += 1;
    options.onDifference({
      subjectId: LOWEST_ID,
      what: `${marked} events of platform ${platformId} are marked as imported, its imports recorded ${recorded}`,
    });
  }
  return summary;
}

/** What the audit of every subject needs. */
interface Common {
  windows: readonly DisputeWindow[];
  now: Date;
}

interface SubjectOfPage {
  subjectId: string;
  eventCount: number;
}

async function reportOrphans(
  db: Database,
  afterId: string,
  upToId: string | null,
  summary: AuditSummary,
  { onDifference }: AuditOptions,
): Promise<void> {
  for (const orphan of await findOrphans(db, afterId, upToId, MAX_ORPHANS_PER_PAGE)) {
    summary.differences += 1;
    onDifference({ subjectId: orphan.subjectId, what: `${orphan.tableName}: rows without a subject` });
  }
}

function groupsOf(page: readonly SubjectOfPage[]): string[][] {
  const groups: { subjectIds: string[]; events: number }[] = [];
  for (const { subjectId, eventCount } of page) {
    const last = groups.at(-1);
    if (last && last.events + eventCount <= GROUP_EVENTS) {
      last.subjectIds.push(subjectId);
      last.events += eventCount;
    } else groups.push({ subjectIds: [subjectId], events: eventCount });
  }
  return groups.map(({ subjectIds }) => subjectIds);
}

async function auditGroup(
  db: Database,
  subjectIds: readonly string[],
  common: Common,
  summary: AuditSummary,
  { onDifference }: AuditOptions,
): Promise<void> {
  for (const [subjectId, findings] of await readableFindings(db, subjectIds, common)) {
    summary.subjects += 1;
    summary.events += findings.events;
    summary.snapshots += findings.snapshots;
    summary.differences += findings.differences;
    for (const what of findings.reported) onDifference({ subjectId, what });
    const unreported = findings.differences - findings.reported.length;
    if (unreported > 0) onDifference({ subjectId, what: `and ${unreported} more` });
  }
}

/** A row that ends a statement is a difference of its subject alone. */
async function readableFindings(
  db: Database,
  subjectIds: readonly string[],
  common: Common,
): Promise<Map<string, SubjectFindings>> {
  try {
    return await findingsOf(db, subjectIds, common);
  } catch (error) {
    if (!isAboutData(error)) throw error;
    const [subjectId] = subjectIds;
    if (subjectIds.length === 1 && subjectId !== undefined)
      return new Map([[subjectId, { ...NOTHING_FOUND, differences: 1, reported: [unreadable(error)] }]]);
  }
  const found: [string, SubjectFindings][] = [];
  for (const id of subjectIds) found.push(...(await readableFindings(db, [id], common)));
  return new Map(found);
}

const NOTHING_FOUND: SubjectFindings = {
  events: 0,
  snapshots: 0,
  differences: 0,
  reported: [],
};

function findingsOf(
  db: Database,
  subjectIds: readonly string[],
  common: Common,
): Promise<Map<string, SubjectFindings>> {
  return db.view(async (tx) => {
    const subjects = await readSubjects(tx, subjectIds);
    // A test reset may have deleted some since: the readers must not stop at rows without a
    // subject.
    const ids = subjects.map((subject) => subject.subjectId);
    const tallies = groupBy(await readTallies(tx, ids), (row) => row.subjectId);
    const scores = new Map((await readScores(tx, ids)).map((row) => [row.subjectId, row]));
    const disputes = groupBy(await readDisputes(tx, ids), (row) => row.subjectId);
    const declarations = groupBy(await readDeclarations(tx, ids), (row) => row.subjectId);
    const shareTokens = groupBy(await readShareTokens(tx, ids), (row) => row.subjectId);
    const links = groupBy(await readLinkFacts(tx, ids), (row) => row.subjectId);
    const recordIds = [...new Set(subjects.map(({ recordId }) => recordId))];
    const remote = groupBy(await findRemoteMembers(tx, recordIds), (row) => row.recordId);
    const memberIds = [...new Set(subjects.flatMap((subject) => subject.memberIds))];
    const freezes = groupBy(await readFreezes(tx, memberIds), (row) => row.subjectId);
    const platformIds = [...new Set(subjects.map(({ platformId }) => platformId))];
    const imports = groupBy(await readImportRuns(tx, platformIds), ownerOf);
    const reads = createMemberReads(tx);
    const readers = { events: eventReader(tx, ids), snapshots: snapshotReader(tx, ids) };
    const findings = new Map<string, SubjectFindings>();
    for (const subject of subjects) {
      const id = subject.subjectId;
      const derived = {
        tallies: tallies.get(id) ?? [],
        score: scores.get(id) ?? null,
        disputes: disputes.get(id) ?? [],
        declarations: declarations.get(id) ?? [],
        shareTokens: shareTokens.get(id) ?? [],
        remote: remote.get(subject.recordId) ?? [],
        freezes: subject.memberIds.flatMap((memberId) => freezes.get(memberId) ?? []),
        imports: imports.get(ownerOf(subject)) ?? [],
        ...common,
      };
      findings.set(
        id,
        await auditSubject(reads, { subject, links: links.get(id) ?? [], ...derived, ...readers }),
      );
    }
    return findings;
  });
}

function ownerOf({ platformId, livemode }: { platformId: string; livemode: boolean }): string {
  return `${platformId} ${livemode}`;
}
