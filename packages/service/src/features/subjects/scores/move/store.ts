import { type Day, type EventType, eventTypes, outcomeClassOf, type TallyKey } from '@reliability/scoring';
import { DAY_MS } from '#domain/timestamp.js';
import type { Queryable } from '#kit/db/database.js';
import { lowestIdAt } from '#kit/ids.js';
import { CONFIRMED_BY, confirmedByOf } from '#ledger/reads/confirmedBy.js';
import { dayOfTime, occurredAtOf } from '#ledger/reads/eventRow.js';

/** Part of one subject's ledger: the outcomes of the days after the first, up to the last. */
export interface OwnRange {
  readonly subjectId: string;
  readonly after: Day;
  readonly upTo: Day;
  /** The last position that counts. */
  readonly position: number;
}

/** Outcomes of one day that the formula cannot tell apart. */
export interface AlikeOutcomes extends Omit<TallyKey, 'timeliness'> {
  /** Null: untimed. */
  readonly onTime: boolean | null;
  readonly count: number;
  /** Of the contested event that each of them closes; null: they close none. */
  readonly closedDay: Day | null;
  readonly closedType: EventType | null;
  readonly closedTier: TallyKey['platformTier'] | null;
  readonly closedOnTime: boolean | null;
}

const scoredTypes = eventTypes.filter((type) => outcomeClassOf(type) !== 'none');

const occurredOn = (row: string) => dayOfTime(occurredAtOf(row));

const EXACT = ['day', 'event_type', 'stake_level', 'platform_tier', 'is_verified'];
const OPTIONAL = ['on_time', 'closed_day', 'closed_type', 'closed_tier', 'closed_on_time'];
const ALIKE = [...EXACT, ...OPTIONAL].join(', ');

// Nothing happens after its report, so older ids need no look.
const OUTCOMES = `
select * from (
  select e.subject_id, e.event_id, ${occurredAtOf('e')} as happened_at, ${occurredOn('e')} as day,
    e.event_type, e.stake_level, e.platform_tier, e.is_verified, e.completed_at <= e.due_date as on_time,
    ${occurredOn('closed')} as closed_day, closed.event_type as closed_type, closed.platform_tier as closed_tier,
    closed.completed_at <= closed.due_date as closed_on_time
  from event e left join event closed on closed.subject_id = e.subject_id and closed.event_id = e.closes_event_id
  where e.subject_id = $1 and e.event_id >= $2 and e.position <= $3 and e.event_type = any($4::text[])
) as outcome
where greatest(day, closed_day) > $5 and day <= $6`;

function argumentsOf({ subjectId, after, upTo, position }: OwnRange): unknown[] {
  const lowest = lowestIdAt(new Date((after + 1) * DAY_MS));
  return [subjectId, lowest, position, scoredTypes, after, upTo];
}

/** Counted by day and kind, so the answer is no longer than the tallies of those days. */
export function findAlikeOutcomes(db: Queryable, range: OwnRange): Promise<AlikeOutcomes[]> {
  return db.query<AlikeOutcomes>(
    `select ${ALIKE}, count(*)::integer as count from (${OUTCOMES}) as alike group by ${ALIKE} order by ${ALIKE}`,
    argumentsOf(range),
    { isUncached: true },
  );
}

export interface NamedOutcome {
  /** Of the kind, in the order of the question. */
  readonly kind: number;
  readonly eventId: string;
  readonly at: Date;
  /** A name that the platform gave; null where it gave none. */
  readonly confirmedBy: string | null;
}

/** The first `limit` outcomes of each of these kinds. */
export function findNamedOutcomes(
  db: Queryable,
  range: OwnRange,
  kinds: readonly AlikeOutcomes[],
  limit: number,
): Promise<NamedOutcome[]> {
  const asked = kinds.map((alike, kind) => ({ ...alike, kind }));
  return db.query<NamedOutcome>(
    `select e.kind, e.event_id, e.happened_at as at,
       ${CONFIRMED_BY} as confirmed_by
     from (
       select o.*, k.kind, row_number() over (partition by k.kind order by o.happened_at, o.event_id) as rank
       from (${OUTCOMES}) as o join json_to_recordset($7::json) as k (
         kind integer, day integer, "eventType" text, "stakeLevel" text, "platformTier" text, "isVerified" boolean,
         "onTime" boolean, "closedDay" integer, "closedType" text, "closedTier" text, "closedOnTime" boolean
       ) on ${SAME_KIND}
     ) as e
     ${confirmedByOf('e', '$1')}
     where e.rank <= $8
     order by e.kind, e.rank`,
    [...argumentsOf(range), JSON.stringify(asked), limit],
    { isUncached: true },
  );
}

const inJson = (column: string) =>
  `"${column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())}"`;

const SAME_KIND = [
  ...EXACT.map((column) => `o.${column} = k.${inJson(column)}`),
  ...OPTIONAL.map((column) => `o.${column} is not distinct from k.${inJson(column)}`),
].join(' and ');
