import type { Queryable } from '../../kit/db/database.js';

/** A subject in a record, with all that a record follows from besides its events. */
export interface RecordMember {
  subjectId: string;
  recordId: string;
  platformId: string;
  livemode: boolean;
  externalId: string;
  subjectType: 'PERSON' | 'AGENT' | 'ORGANIZATION';
  /** Rises with each event, so the rest need not be looked at. */
  eventCount: number;
  /** When it was last said what the subject is; when it became known, where that was never said. */
  updatedAt: Date;
  /** When a declaration took the place of another; null: never. */
  declarationChangedAt: Date | null;
}

const MEMBERS = `
select s.subject_id, s.record_id, s.platform_id, s.livemode, s.external_id, s.subject_type, s.event_count,
  coalesce(d.declared_at, s.registered_at) as updated_at, case when d.number > 1 then d.declared_at end as declaration_changed_at
from subject s left join declaration_fact d on d.subject_id = s.subject_id and d.number = s.declaration_no`;

/** These subjects; who is none is left out. */
export function findSubjects(db: Queryable, subjectIds: readonly string[]): Promise<RecordMember[]> {
  return db.query<RecordMember>(`${MEMBERS} where s.subject_id = any($1::uuid[])`, [subjectIds]);
}

/** Everybody in these records, in an order that stays. */
export function findMembers(db: Queryable, recordIds: readonly string[]): Promise<RecordMember[]> {
  return db.query<RecordMember>(`${MEMBERS} where s.record_id = any($1::uuid[]) order by s.subject_id`, [
    recordIds,
  ]);
}

export interface AttesterRow {
  isVerified: boolean;
  isByOperator: boolean;
  attester: string | null;
  outcomes: number;
  deliveries: number;
  timed: number;
  onTime: number;
}

const DELIVERY = "e.event_type in ('TRANSACTION_COMPLETED', 'REVIEW_VERIFIED', 'CONTRACT_FULFILLED')";

/** What is said of an outcome in a dispute is none of its own. */
const COUNTED = `
select e.is_verified, e.by_operator is true as is_by_operator, e.attester,
  count(*)::integer as outcomes,
  (count(*) filter (where ${DELIVERY}))::integer as deliveries,
  (count(*) filter (where ${DELIVERY} and e.due_date is not null and e.completed_at is not null))::integer as timed,
  (count(*) filter (where ${DELIVERY} and e.completed_at <= e.due_date))::integer as on_time
from event e
where e.subject_id = any($1::uuid[])
  and e.event_type not in ('DISPUTE_FILED', 'DISPUTE_RESOLVED_FOR_USER', 'DISPUTE_RESOLVED_AGAINST_USER')
group by 1, 2, 3`;

/** Past so many names the rarest are added up, and not told apart: no memory is enough for all. */
const MAX_ATTESTERS = 50_000;

/** The outcomes of these subjects by who confirmed them. */
export function countByAttester(db: Queryable, subjectIds: readonly string[]): Promise<AttesterRow[]> {
  return db.query<AttesterRow>(
    `with counted as (${COUNTED}), ranked as (
       select *, case when row_number() over (order by outcomes desc, attester) <= $2 then attester end as named from counted
     )
     select is_verified, is_by_operator, named as attester, sum(outcomes)::integer as outcomes,
       sum(deliveries)::integer as deliveries, sum(timed)::integer as timed, sum(on_time)::integer as on_time
     from ranked group by is_verified, is_by_operator, named`,
    [subjectIds, MAX_ATTESTERS],
  );
}

export interface EndRow {
  breaches: number;
  disputes: number;
  /** Contested outcomes that ended against the subject; a breach counts by itself already. */
  lost: number;
  lastEventAt: Date | null;
}

/** What went wrong with these subjects, and when something was last recorded of them. */
export async function countFailures(db: Queryable, subjectIds: readonly string[]): Promise<EndRow> {
  const [row] = await db.query<EndRow>(
    `select
       (select count(*) from event where subject_id = any($1::uuid[]) and event_type = 'CONTRACT_BREACHED')::integer as breaches,
       (select max(created_at) from event where subject_id = any($1::uuid[])) as last_event_at,
       count(*)::integer as disputes,
       (count(*) filter (where status = 'RESOLVED_AGAINST_USER' and filed_event_id is null))::integer as lost
     from dispute where subject_id = any($1::uuid[])`,
    [subjectIds],
  );
  return row ?? { breaches: 0, disputes: 0, lost: 0, lastEventAt: null };
}
