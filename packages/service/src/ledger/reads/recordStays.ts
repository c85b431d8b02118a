import { type Day, dayOf } from '@reliability/scoring';
import type { Queryable } from '../../kit/db/database.js';
import { groupBy } from '../../kit/groupBy.js';
import { readsOfAll } from '../links/recordReads.js';

/** A subject was in a record at the end of each of these days. */
export interface Stay {
  readonly subjectId: string;
  readonly recordId: string;
  readonly from: Day;
  /** The first day at whose end it was not; Infinity: it still is. */
  readonly until: Day;
}

/** When other subjects were in the record of a subject. The same subject can have several stays. */
export async function findStaysBeside(db: Queryable, subjectId: string): Promise<Stay[]> {
  const facts = await findLinkFacts(db, subjectId);
  const stays = [...groupBy(facts, (fact) => fact.subjectId).values()].flatMap(staysOf);
  const own = stays.filter((stay) => stay.subjectId === subjectId);
  const others = stays.filter((stay) => stay.subjectId !== subjectId);
  return own.flatMap((stay) =>
    others
      .filter((other) => other.recordId === stay.recordId)
      .map((other) => ({
        ...other,
        from: Math.max(other.from, stay.from),
        until: Math.min(other.until, stay.until),
      }))
      .filter(({ from, until }) => from < until),
  );
}

/** Linked stays of one subject. @param facts of the subject, by position. */
function staysOf(facts: readonly LinkFact[]): Stay[] {
  const stays: { subjectId: string; recordId: string | null; from: Day; until: Day }[] = [];
  for (const { subjectId, recordId, action, at } of facts) {
    const last = stays.at(-1);
    // clocks of two processes may disagree, positions do not
    const from = Math.max(dayOf(at), last?.from ?? Number.NEGATIVE_INFINITY);
    if (last) last.until = from;
    stays.push({ subjectId, recordId: action === 'linked' ? recordId : null, from, until: Infinity });
  }
  return stays.flatMap((stay) => {
    const { recordId } = stay;
    return recordId === null || stay.from === stay.until ? [] : [{ ...stay, recordId }];
  });
}

interface LinkFact {
  subjectId: string;
  recordId: string;
  action: 'linked' | 'unlinked';
  at: Date;
}

/**
 * All facts of the subjects that were ever in a record in which this subject was, by subject and
 * position.
 */
async function findLinkFacts(db: Queryable, subjectId: string): Promise<LinkFact[]> {
  const records = await db.query<{ recordId: string }>(
    'select distinct record_id from subject_link where subject_id = $1',
    [subjectId],
  );
  if (records.length === 0) return [];
  return readsOfAll(db).query<LinkFact>(
    `select subject_id, record_id, action, at from subject_link
     where subject_id in (select subject_id from subject_link where record_id = any($1::uuid[]))
     order by subject_id, position`,
    [records.map(({ recordId }) => recordId)],
  );
}
