import { serviceError } from '../../domain/errors.js';
import { createBatcher } from '../../kit/batcher.js';
import type { Database, Queryable } from '../../kit/db/database.js';
import { groupBy } from '../../kit/groupBy.js';
import type { ErasedSubjects } from '../erasure/erasedSubjects.js';
import { readsOfMembers, readsOfRecords } from '../links/recordReads.js';
import { type OutcomeRecord, outcomeRecordOf } from './outcomeRecord.js';
import {
  countByAttester,
  countFailures,
  findMembers,
  findSubjects,
  type RecordMember,
} from './outcomeRecordStore.js';

/** A subject with the outcome record of itself and all subjects linked with it. */
export interface SubjectOutcomes {
  readonly subjectId: string;
  readonly platformId: string;
  readonly livemode: boolean;
  readonly externalId: string;
  readonly subjectType: RecordMember['subjectType'];
  readonly record: OutcomeRecord;
  /** When the record last changed. */
  readonly asOf: Date;
}

/** Null for an unknown subject. */
export type LoadOutcomes = (subjectId: string) => Promise<SubjectOutcomes | null>;

/** About a kilobyte each. */
const MAX_REMEMBERED = 4_000;

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
  const remembered = new Map<string, { mark: string; counted: Promise<Counted> }>();
  erased.onErased(() => remembered.clear());
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
    const { record, asOf } = await recall(members, subject.recordId);
    return {
      subjectId,
      platformId: subject.platformId,
      livemode: subject.livemode,
      externalId: subject.externalId,
      subjectType: subject.subjectType,
      record,
      asOf,
    };
  };

  function recall(members: readonly RecordMember[], recordId: string): Promise<Counted> {
    const mark = JSON.stringify(members);
    const found = remembered.get(recordId);
    if (found?.mark === mark) return found.counted;
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    const entry = { mark, counted: count(db, members) };
    remembered.set(recordId, entry);
    entry.counted.catch(() => {
      if (remembered.get(recordId) === entry) remembered.delete(recordId);
    });
    return entry.counted;
  }
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

interface Counted {
  readonly record: OutcomeRecord;
  readonly asOf: Date;
}

async function count(db: Queryable, members: readonly RecordMember[]): Promise<Counted> {
  const subjectIds = members.map((member) => member.subjectId);
  const reads = await readsOfMembers(db, subjectIds);
  const [rows, { breaches, lost, disputes, lastEventAt }] = await Promise.all([
    countByAttester(reads, subjectIds),
    countFailures(reads, subjectIds),
  ]);
  const outcomes = rows.map((row) => ({
    isVerified: row.isVerified,
    isByOperator: row.isByOperator,
    attester: row.attester,
    outcomes: row.outcomes,
    deliveries: row.deliveries,
    timed: row.timed,
    onTime: row.onTime,
  }));
  const declarationChangedAt = latestOf(members.map((member) => member.declarationChangedAt));
  const asOf = latestOf([lastEventAt, ...members.map((member) => member.updatedAt)]);
  if (!asOf) throw new Error('a record has no members');
  return {
    record: outcomeRecordOf(outcomes, { failures: breaches + lost, disputes, declarationChangedAt }),
    asOf,
  };
}

function latestOf(moments: readonly (Date | null)[]): Date | null {
  const known = moments.flatMap((at) => (at ? [at.getTime()] : []));
  return known.length === 0 ? null : new Date(Math.max(...known));
}
