import type { Queryable } from '../../kit/db/database.js';
import { compare, type Report } from './report.js';
import type { AuditedSubject } from './store.js';

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

/** Reports where a subject's current record does not follow from its link facts. */
export function auditLinks(
  { subjectId, recordId, memberIds }: Pick<AuditedSubject, 'subjectId' | 'recordId' | 'memberIds'>,
  facts: readonly LinkFact[],
  report: Report,
): void {
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
  compare({ recordId: [recordId, rebuilt] }, report);
  const isAlone = recordId === subjectId;
  if (isAlone !== (memberIds.length === 1)) {
    report(`its record has ${memberIds.length} members, though it is ${isAlone ? 'alone' : 'linked'}`);
  }
}

/**
 * The given subjects that cannot have been members of a subject's record at one of its snapshots, from
 * link facts alone.
 * @param own the subject's own facts.
 * @param joined the records that each other subject ever joined, read on first use.
 */
export async function outsidersAmong(
  db: Queryable,
  memberIds: readonly string[],
  { subjectId, snapshotNo }: { subjectId: string; snapshotNo: number },
  own: readonly LinkFact[],
  joined: Map<string, ReadonlySet<string>>,
): Promise<string[]> {
  const fact = own.findLast((earlier) => earlier.snapshotNo < snapshotNo);
  const recordId = fact?.action === 'linked' ? fact.recordId : subjectId;
  const others = memberIds.filter((id) => id !== subjectId);
  for (const id of others.filter((other) => !joined.has(other))) {
    const linked = (await readLinkFacts(db, [id])).filter(({ action }) => action === 'linked');
    joined.set(id, new Set(linked.map((link) => link.recordId)));
  }
  return others.filter((id) => !joined.get(id)?.has(recordId));
}
