import type { Queryable } from '../../kit/db/database.js';
import type { MemberReads } from './memberReads.js';

/** A subject joined a record or left it. */
export interface LinkFact {
  subjectId: string;
  position: number;
  recordId: string;
  action: 'linked' | 'unlinked';
  snapshotNo: number;
}

/** The facts of these subjects, by subject and position. */
export function readLinkFacts(db: Queryable, subjectIds: readonly string[]): Promise<LinkFact[]> {
  return db.query<LinkFact>(
    `select subject_id, position, record_id, action, snapshot_no from subject_link
     where subject_id = any($1::uuid[]) order by subject_id, position`,
    [subjectIds],
  );
}

interface LinkedSubject {
  subjectId: string;
  recordId: string;
  /** All current members of the record, including the subject. */
  memberIds: readonly string[];
}

/** Reports where a subject's current record does not follow from its link facts. */
export function auditLinks(
  subject: LinkedSubject,
  facts: readonly LinkFact[],
  report: (what: string) => void,
): void {
  const { subjectId, recordId, memberIds } = subject;
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
  if (recordId !== rebuilt) report(`record_id is ${recordId}, rebuilt ${rebuilt}`);
  const isAlone = recordId === subjectId;
  if (isAlone !== (memberIds.length === 1)) {
    report(`its record has ${memberIds.length} members, though it is ${isAlone ? 'alone' : 'linked'}`);
  }
}

/** The possible members of a subject's record at each snapshot, from link facts alone. */
export interface Membership {
  /** The given subjects that cannot have been members at that snapshot. */
  outsidersAmong(memberIds: readonly string[], snapshotNo: number): Promise<string[]>;
}

/** @param own the subject's own facts. Other members' facts are read on first use. */
export function createMembership(
  reads: MemberReads,
  subjectId: string,
  own: readonly LinkFact[],
): Membership {
  const joinedRecords = new Map<string, ReadonlySet<string>>();
  return {
    async outsidersAmong(memberIds, snapshotNo) {
      const recordId = recordAt(subjectId, own, snapshotNo);
      const others = memberIds.filter((id) => id !== subjectId);
      const unread = others.filter((id) => !joinedRecords.has(id));
      for (const id of unread)
        joinedRecords.set(id, recordsJoined(await readLinkFacts(await reads.of(id), [id])));
      return others.filter((id) => !joinedRecords.get(id)?.has(recordId));
    },
  };
}

/** The record of a snapshot. */
function recordAt(subjectId: string, own: readonly LinkFact[], snapshotNo: number): string {
  const fact = own.findLast((earlier) => earlier.snapshotNo < snapshotNo);
  return fact?.action === 'linked' ? fact.recordId : subjectId;
}

function recordsJoined(facts: readonly LinkFact[]): ReadonlySet<string> {
  return new Set(facts.flatMap(({ action, recordId }) => (action === 'linked' ? [recordId] : [])));
}
