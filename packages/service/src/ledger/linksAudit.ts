import type { Queryable, Tx } from '../kit/db/database.js';

/** That a subject joined a record, or left one. */
export interface LinkFact {
  subject_id: string;
  position: number;
  record_id: string;
  action: 'linked' | 'unlinked';
  snapshot_no: number;
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
  subject_id: string;
  record_id: string;
  /** Everybody who is in that record now, the subject itself among them. */
  member_ids: readonly string[];
}

/** Says where the record a subject is in does not follow from its facts. */
export function auditLinks(
  subject: LinkedSubject,
  facts: readonly LinkFact[],
  report: (what: string) => void,
): void {
  const { subject_id, record_id, member_ids } = subject;
  let rebuilt = subject_id;
  facts.forEach((fact, index) => {
    const isLinked = fact.action === 'linked';
    if (fact.position !== index + 1) report(`link ${fact.position} stands where ${index + 1} is due`);
    if (fact.snapshot_no < (facts[index - 1]?.snapshot_no ?? 0))
      report(`link ${fact.position} goes back in time`);
    const isDue = isLinked ? rebuilt === subject_id : rebuilt === fact.record_id;
    if (!isDue)
      report(`link ${fact.position}: ${fact.action} with ${fact.record_id}, but it was in ${rebuilt}`);
    rebuilt = isLinked ? fact.record_id : subject_id;
  });
  if (record_id !== rebuilt) report(`record_id is ${record_id}, rebuilt ${rebuilt}`);
  const isAlone = record_id === subject_id;
  if (isAlone !== (member_ids.length === 1)) {
    report(`its record has ${member_ids.length} members, though it is ${isAlone ? 'alone' : 'linked'}`);
  }
}

/** Who may have been a member of a subject's record at each of its snapshots, going by facts alone. */
export interface Membership {
  /** Those named who cannot have been members then. */
  outsidersAmong(memberIds: readonly string[], snapshotNo: number): Promise<string[]>;
}

/** @param own the subject's own facts. Those of other members are read when they are first asked about. */
export function createMembership(tx: Tx, subjectId: string, own: readonly LinkFact[]): Membership {
  const joinedRecords = new Map<string, ReadonlySet<string>>();
  return {
    async outsidersAmong(memberIds, snapshotNo) {
      const recordId = recordAt(subjectId, own, snapshotNo);
      const others = memberIds.filter((id) => id !== subjectId);
      const unread = others.filter((id) => !joinedRecords.has(id));
      const facts = unread.length > 0 ? await readLinkFacts(tx, unread) : [];
      for (const id of unread)
        joinedRecords.set(id, recordsJoined(facts.filter((fact) => fact.subject_id === id)));
      return others.filter((id) => !joinedRecords.get(id)?.has(recordId));
    },
  };
}

/** The record that the snapshot is of. */
function recordAt(subjectId: string, own: readonly LinkFact[], snapshotNo: number): string {
  const fact = own.findLast(({ snapshot_no }) => snapshot_no < snapshotNo);
  return fact?.action === 'linked' ? fact.record_id : subjectId;
}

function recordsJoined(facts: readonly LinkFact[]): ReadonlySet<string> {
  return new Set(facts.flatMap(({ action, record_id }) => (action === 'linked' ? [record_id] : [])));
}
