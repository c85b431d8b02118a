import { serviceError } from '#domain/errors.js';
import { shareOf } from '#domain/points.js';
import { partyKeyOf } from '#domain/sameParty.js';
import { createBatcher } from '#kit/batcher.js';
import type { Database, Queryable } from '#kit/db/database.js';
import { pick } from '#kit/db/rows.js';
import { groupBy } from '#kit/lists.js';
import type { ErasedSubjects } from '../erasure/erasedSubjects.js';
import { readsOfMembers, readsOfRecords } from '../links/recordReads.js';
import { type AttestedRow, remainsOf, textOf, withFormerAttesters } from '../text/eventText.js';
import { createMemory } from './memory.js';

/** A subject with the outcome record of itself and all subjects linked with it. */
export interface SubjectOutcomes extends Counted, Readonly<Pick<RecordMember, (typeof IDENTITY)[number]>> {}

const IDENTITY = ['subjectId', 'platformId', 'livemode', 'externalId', 'subjectType'] as const;

interface Counted {
  readonly record: OutcomeRecord;
  /** When the record last changed. */
  readonly asOf: Date;
}

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
  readonly members: readonly RecordMember[];
}

async function findMemberships(db: Queryable, subjectIds: readonly string[]): Promise<(Membership | null)[]> {
  const subjects = new Map(
    (await findMembers(db, 'subject_id', subjectIds)).map((row) => [row.subjectId, row]),
  );
  const linked = [...subjects.values()].filter(isLinked).map((row) => row.recordId);
  const recordIds = [...new Set(linked)];
  const rows =
    linked.length === 0 ? [] : await findMembers(await readsOfRecords(db, recordIds), 'record_id', recordIds);
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

/** A member of a record, with what its outcome record depends on other than its events. */
interface RecordMember {
  subjectId: string;
  recordId: string;
  platformId: string;
  livemode: boolean;
  externalId: string;
  subjectType: 'PERSON' | 'AGENT' | 'ORGANIZATION';
  /** Rises with each event, so an unchanged count means unchanged events. */
  eventCount: number;
  /** When the subject was last declared; without a declaration, when it was first seen. */
  updatedAt: Date;
  /** When a declaration last replaced another; null: never. */
  declarationChangedAt: Date | null;
}

const MEMBERS = `
select s.subject_id, s.record_id, s.platform_id, s.livemode, s.external_id, s.subject_type, s.event_count,
  coalesce(d.declared_at, s.registered_at) as updated_at, case when d.number > 1 then d.declared_at end as declaration_changed_at
from subject s left join declaration_fact d on d.subject_id = s.subject_id and d.number = s.declaration_no`;

/** In a stable order: they are the key of the cache. */
async function findMembers(
  db: Queryable,
  column: 'subject_id' | 'record_id',
  ids: readonly string[],
): Promise<RecordMember[]> {
  const rows = await db.query<RecordMember>(`${MEMBERS} where s.${column} = any($1::uuid[])`, [ids]);
  return rows.sort((left, right) => (left.subjectId < right.subjectId ? -1 : 1));
}

const DELIVERY = "e.event_type in ('TRANSACTION_COMPLETED', 'REVIEW_VERIFIED', 'CONTRACT_FULFILLED')";

/** Events that a dispute adds about an outcome are not outcomes themselves. */
const COUNTED = `
select e.is_verified, e.by_operator is true as is_by_operator, t.attester, r.attester_hash,
  count(*)::integer as outcomes,
  (count(*) filter (where ${DELIVERY}))::integer as deliveries,
  (count(*) filter (where ${DELIVERY} and e.due_date is not null and e.completed_at is not null))::integer as timed,
  (count(*) filter (where ${DELIVERY} and e.completed_at <= e.due_date))::integer as on_time
from event e ${textOf('e')} ${remainsOf('e')}
where e.subject_id = any($1::uuid[])
  and e.event_type not in ('DISPUTE_FILED', 'DISPUTE_RESOLVED_FOR_USER', 'DISPUTE_RESOLVED_AGAINST_USER')
group by 1, 2, 3, 4`;

/** Bounds memory: past this many names the rarest are summed as one. */
const MAX_ATTESTERS = 50_000;

async function countByAttester(
  db: Queryable,
  subjectIds: readonly string[],
): Promise<readonly AttestedOutcomes[]> {
  const rows = await db.query<AttestedOutcomes & AttestedRow>(
    `with counted as (${COUNTED}), ranked as (
       select *, row_number() over (order by outcomes desc, attester, attester_hash) <= $2 as is_named from counted
     )
     select is_verified, is_by_operator, case when is_named then attester end as attester,
       case when is_named then attester_hash end as attester_hash, sum(outcomes)::integer as outcomes,
       sum(deliveries)::integer as deliveries, sum(timed)::integer as timed, sum(on_time)::integer as on_time
     from ranked group by 1, 2, 3, 4`,
    [subjectIds, MAX_ATTESTERS],
  );
  return withFormerAttesters(db, rows);
}

interface EndRow {
  breaches: number;
  disputes: number;
  /** Disputes decided against the subject. Breaches are excluded: they already count as such. */
  lost: number;
  lastEventAt: Date | null;
}

function countFailures(db: Queryable, subjectIds: readonly string[]): Promise<EndRow[]> {
  return db.query<EndRow>(
    `select
       (select count(*) from event where subject_id = any($1::uuid[]) and event_type = 'CONTRACT_BREACHED')::integer as breaches,
       (select max(created_at) from event where subject_id = any($1::uuid[])) as last_event_at,
       count(*)::integer as disputes,
       (count(*) filter (where status = 'RESOLVED_AGAINST_USER' and filed_event_id is null))::integer as lost
     from dispute where subject_id = any($1::uuid[])`,
    [subjectIds],
  );
}

interface Sums {
  outcomes: number;
  deliveries: number;
  /** Deliveries with a due date and a completion date. */
  timed: number;
  onTime: number;
}

export interface AttestedOutcomes extends Readonly<Sums> {
  /** As the score counts them: decided when they were reported. */
  readonly isVerified: boolean;
  readonly isByOperator: boolean;
  readonly attester: string | null;
}

type OutcomeRecord = ReturnType<typeof outcomeRecordOf>;

interface RecordFacts {
  readonly failures: number;
  readonly disputes: number;
  readonly declarationChangedAt: Date | null;
}

/** Who attests an outcome. Only a counterparty is evidence. */
type Attestation = 'counterparty' | 'operator' | 'self';

/** An outcome is confirmed exactly when the score counts it as verified. */
export function outcomeRecordOf(rows: readonly AttestedOutcomes[], facts: RecordFacts) {
  const sums: Record<Attestation, Sums> = { counterparty: noSums(), operator: noSums(), self: noSums() };
  const attesters = new Set<string>();
  for (const row of rows) {
    const by = attestationOf(row);
    add(sums[by], row);
    if (by === 'counterparty' && row.attester !== null) attesters.add(partyKeyOf(row.attester));
  }
  const { counterparty, operator, self } = sums;
  const outcomesRecorded = counterparty.outcomes + operator.outcomes + self.outcomes;
  const common = { ...facts, onTimeRate: shareOf(counterparty.onTime, counterparty.timed) };
  return {
    deliveries: {
      deliveriesRecorded: counterparty.deliveries + operator.deliveries + self.deliveries,
      confirmedDeliveries: counterparty.deliveries,
      operatorVouched: operator.deliveries,
      selfAttested: self.deliveries,
      ...common,
    },
    business: {
      outcomesRecorded,
      confirmedOutcomes: counterparty.outcomes,
      selfAttested: operator.outcomes + self.outcomes,
      ...common,
      verificationDepth: shareOf(counterparty.outcomes, outcomesRecorded),
      distinctConfirmingCounterparties: attesters.size,
    },
  };
}

function attestationOf({ isVerified, isByOperator }: AttestedOutcomes): Attestation {
  if (isVerified) return 'counterparty';
  return isByOperator ? 'operator' : 'self';
}

function noSums(): Sums {
  return { outcomes: 0, deliveries: 0, timed: 0, onTime: 0 };
}

function add(sums: Sums, row: Sums): void {
  sums.outcomes += row.outcomes;
  sums.deliveries += row.deliveries;
  sums.timed += row.timed;
  sums.onTime += row.onTime;
}
