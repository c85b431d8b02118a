import { serviceError } from '../../domain/errors.js';
import { createBatcher } from '../../kit/batcher.js';
import type { Database, Queryable } from '../../kit/db/database.js';
import { pick } from '../../kit/db/rows.js';
import { groupBy } from '../../kit/groupBy.js';
import type { ErasedSubjects } from '../erasure/erasedSubjects.js';
import { readsOfMembers, readsOfRecords } from '../links/recordReads.js';
import { createMemory } from './memory.js';
import { type OutcomeRecord, outcomeRecordOf } from './outcomeRecord.js';
import {
  countByAttester,
  countFailures,
  findMembers,
  findSubjects,
  type RecordMember,
} from './outcomeRecordStore.js';

/** A subject with the outcome record of itself and all subjects linked with it. */
export interface SubjectOutcomes extends Counted, Readonly<Pick<RecordMember, (typeof IDENTITY)[number]>> {}

const IDENTITY = ['subjectId', 'platformId', 'livemode', 'externalId', 'subjectType'] as const;

interface Counted {
  readonly record: OutcomeRecord;
  /** When the record last changed. */
  readonly asOf: Date;
}

/** Null for an unknown subject. */
export type LoadOutcomes = (subjectId: string) => Promise<SubjectOutcomes | null>;

const MAX_SUBJECTS_PER_QUERY = 500;
/** As for score reads: more concurrent queries only slow each other down. */
const MAX_QUERIES_AT_ONCE = 2;
const MAX_WAITING_READS = 20_000;

/**
 * The cost of counting grows with the ledger, so counts are cached. The members' event counts and
 * declarations are read on each call and are the cache key: no process ever returns a stale record.
 * Reads that arrive together share one query, plus a second one if any subject is linked.
 */
export function createOutcomeLoader(db: Database, erased: Pick<ErasedSubjects, 'onErased'>): LoadOutcomes {
  const remember = createMemory<Counted>(erased);
  const reads = createBatcher<string, Membership | null>({
    run: (subjectIds) => findMemberships(db, subjectIds),
    maxWeight: MAX_SUBJECTS_PER_QUERY,
    concurrency: db.hasOneConnection ? 1 : MAX_QUERIES_AT_ONCE,
    maxWaiting: MAX_WAITING_READS,
    refuse: () => serviceError('OVERLOADED'),
  });

  return async (subjectId) => {
    const found = await reads.submit(subjectId);
    if (!found) return null;
    const { subject, members } = found;
    return {
      ...pick(subject, ...IDENTITY),
      ...(await remember(JSON.stringify(members), () => count(db, members))),
    };
  };
}

interface Membership {
  readonly subject: RecordMember;
  /** All members of its record, including itself. */
  readonly members: readonly RecordMember[];
}

async function findMemberships(db: Queryable, subjectIds: readonly string[]): Promise<(Membership | null)[]> {
  const subjects = new Map((await findSubjects(db, subjectIds)).map((row) => [row.subjectId, row]));
  const linked = [...subjects.values()].filter(isLinked).map((row) => row.recordId);
  const recordIds = [...new Set(linked)];
  const rows = linked.length === 0 ? [] : await findMembers(await readsOfRecords(db, recordIds), recordIds);
  const records = groupBy(rows, (row) => row.recordId);
  return subjectIds.map((subjectId) => {
    const subject = subjects.get(subjectId);
    if (!subject) return null;
    const members = isLinked(subject) ? records.get(subject.recordId) : undefined;
    // The subject may have left the record between the two statements.
    const isThere = members?.some((member) => member.subjectId === subjectId);
    return { subject, members: members && isThere ? members : [subject] };
  });
}

/** An unlinked subject's record has the subject's own id. */
function isLinked(member: RecordMember): boolean {
  return member.recordId !== member.subjectId;
}

async function count(db: Queryable, members: readonly RecordMember[]): Promise<Counted> {
  const subjectIds = members.map((member) => member.subjectId);
  const reads = await readsOfMembers(db, subjectIds);
  const [rows, ends] = await Promise.all([
    countByAttester(reads, subjectIds),
    countFailures(reads, subjectIds),
  ]);
  const asOf = latestOf([
    ...ends.map((end) => end.lastEventAt),
    ...members.map(({ updatedAt }) => updatedAt),
  ]);
  if (!asOf) throw new Error('a record has no members');
  const record = outcomeRecordOf(rows, {
    failures: ends.reduce((sum, { breaches, lost }) => sum + breaches + lost, 0),
    disputes: ends.reduce((sum, { disputes }) => sum + disputes, 0),
    declarationChangedAt: latestOf(members.map((member) => member.declarationChangedAt)),
  });
  return { record, asOf };
}

function latestOf(moments: readonly (Date | null)[]): Date | null {
  const known = moments.flatMap((at) => (at ? [at.getTime()] : []));
  return known.length === 0 ? null : new Date(Math.max(...known));
}
