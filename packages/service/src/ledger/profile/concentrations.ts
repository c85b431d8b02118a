import { type Day, eventTypes, outcomeClassOf, type Tally } from '@reliability/scoring';
import { type AttestedBy, type CappedConcentration, cappedConcentrationOf } from '#domain/concentration.js';
import type { Queryable } from '#kit/db/database.js';
import type { ErasedSubjects } from '../erasure/erasedSubjects.js';
import { readsOfMembers } from '../links/recordReads.js';
import { dayOfTime, occurredAtOf } from '../reads/eventRow.js';
import { type AttestedRow, remainsOf, textOf, withFormerAttesters } from '../text/eventText.js';
import { createMemory } from './memory.js';

/** Null: the record has too many different outcomes to compare (`MAX_GROUPS`). */
export type LoadConcentration = (basis: ScoreBasis) => Promise<CappedConcentration | null>;

/** Costs time, and anonymous callers ask for it: remembered by what the score rests on. */
export function createConcentrationLoader(
  db: Queryable,
  erased: Pick<ErasedSubjects, 'onErased'>,
): LoadConcentration {
  const remember = createMemory<CappedConcentration | null>(erased);
  return (basis) => remember(JSON.stringify(basis), () => load(db, basis));
}

async function load(db: Queryable, basis: ScoreBasis): Promise<CappedConcentration | null> {
  const reads = await readsOfMembers(
    db,
    basis.members.map(({ subjectId }) => subjectId),
  );
  const tallies = await findTalliesByAttester(reads, basis);
  return tallies && cappedConcentrationOf(tallies, basis.asOf);
}

/** What the published score of a record rests on. */
export interface ScoreBasis {
  readonly members: readonly LedgerPosition[];
  /** The day on which its events were weighed. */
  readonly asOf: Day;
}

export interface LedgerPosition {
  readonly subjectId: string;
  readonly position: number;
}

export async function findScoreBasis(db: Queryable, subjectId: string): Promise<ScoreBasis | null> {
  const rows = await db.query<LedgerPosition & { asOf: number }>(
    `select c.subject_id, c.position, c.as_of
     from subject s join score c using (subject_id)
     where s.record_id = (select record_id from subject where subject_id = $1)
     union all
     select r.subject_id, r.position, c.as_of
     from score c join remote_member r using (record_id) where c.subject_id = $1
     order by subject_id`,
    [subjectId],
  );
  if (rows.length === 0) return null;
  const members = rows.map(({ subjectId: id, position }) => ({ subjectId: id, position }));
  return { members, asOf: Math.max(...rows.map(({ asOf }) => asOf)) };
}

/**
 * The events that count up to these positions. A contested event leaves when its dispute has ended. An event
 * of the dispute engine has the attester of the disputed event, whose verification it copies.
 */
const COUNTED = `
select counted.ordinal, e.subject_id, e.platform_id, e.event_type, e.stake_level, e.platform_tier, e.is_verified, e.due_date,
  e.completed_at, e.created_at, t.attester, r.attester_hash
from unnest($1::integer[], $2::uuid[], $3::integer[]) as counted (ordinal, subject_id, position)
join event e on e.subject_id = counted.subject_id and e.position <= counted.position
left join dispute d on d.subject_id = e.subject_id and d.dispute_id = e.dispute_id
${textOf('e', 'coalesce(d.event_id, e.event_id)')}
${remainsOf('e', 'coalesce(d.event_id, e.event_id)')}
where not exists (
  select 1 from event closing
  where closing.subject_id = e.subject_id and closing.closes_event_id = e.event_id and closing.position <= counted.position
)`;

function countedIn(records: readonly (readonly LedgerPosition[])[]) {
  const members = records.flatMap((record, ordinal) => record.map((member) => ({ ordinal, ...member })));
  return [
    members.map(({ ordinal }) => ordinal),
    members.map(({ subjectId }) => subjectId),
    members.map(({ position }) => position),
  ];
}

/** Bounds memory and time. A record with more groups has no figures. */
const MAX_GROUPS = 100_000;

// The timeliness is that of `tallyKeyOf` in packages/scoring.
const TALLIES = `
with counted as (${COUNTED})
select attester, attester_hash, platform_id, ${dayOfTime(occurredAtOf('counted'))} as day,
  platform_tier, event_type, stake_level, is_verified,
  case when completed_at is null or due_date is null then 'untimed' when completed_at <= due_date then 'on_time' else 'late' end as timeliness,
  count(*)::integer as count
from counted
group by 1, 2, 3, 4, 5, 6, 7, 8, 9
limit $4`;

/** The tallies of a record by who answers for them. Null: more than `MAX_GROUPS`. */
export async function findTalliesByAttester(
  db: Queryable,
  { members }: ScoreBasis,
): Promise<(Tally & AttestedBy)[] | null> {
  const values = [...countedIn([members]), MAX_GROUPS + 1];
  const rows = await db.query<Tally & AttestedBy & AttestedRow>(TALLIES, values);
  return rows.length > MAX_GROUPS ? null : [...(await withFormerAttesters(db, rows))];
}

const COUNTS = `
with counted as (${COUNTED} and e.is_verified and e.event_type = any($4::text[]))
select ordinal, attester, attester_hash, platform_id, count(*)::integer as count from counted group by 1, 2, 3, 4`;

const WEIGHED_TYPES = eventTypes.filter((type) => outcomeClassOf(type) !== 'none');

/** Numbers of verified outcomes by who answers for them, of several records in one query. */
export async function countByParty(
  db: Queryable,
  records: readonly (readonly LedgerPosition[])[],
): Promise<(AttestedBy & { count: number })[][]> {
  const values = [...countedIn(records), WEIGHED_TYPES];
  const rows = await db.query<AttestedBy & AttestedRow & { ordinal: number; count: number }>(COUNTS, values);
  const counts: (AttestedBy & { count: number })[][] = records.map(() => []);
  for (const row of await withFormerAttesters(db, rows)) counts[row.ordinal]?.push(row);
  return counts;
}
