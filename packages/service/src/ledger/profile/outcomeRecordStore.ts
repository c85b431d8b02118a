import type { Queryable } from '../../kit/db/database.js';
import { remainsOf, textOf } from '../text/eventText.js';
import { type AttestedRow, withFormerAttesters } from '../text/formerAttesters.js';
import type { AttestedOutcomes } from './outcomeRecord.js';

/** A member of a record, with everything besides its events that its outcome record depends on. */
export interface RecordMember {
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

/** Unknown subjects are omitted. */
export function findSubjects(db: Queryable, subjectIds: readonly string[]): Promise<RecordMember[]> {
  return db.query<RecordMember>(`${MEMBERS} where s.subject_id = any($1::uuid[])`, [subjectIds]);
}

/** All members of these records, in a stable order. */
export async function findMembers(db: Queryable, recordIds: readonly string[]): Promise<RecordMember[]> {
  const rows = await db.query<RecordMember>(`${MEMBERS} where s.record_id = any($1::uuid[])`, [recordIds]);
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

/** The outcomes of these subjects, grouped by attester. */
export async function countByAttester(
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

/** Failures of subjects, and the time of their last event. */
interface EndRow {
  breaches: number;
  disputes: number;
  /** Disputes decided against the subject. Breaches are excluded: they already count as such. */
  lost: number;
  lastEventAt: Date | null;
}

/** One for each ledger group. */
export function countFailures(db: Queryable, subjectIds: readonly string[]): Promise<EndRow[]> {
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
