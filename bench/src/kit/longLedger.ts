import {
  dayOf,
  type EventType,
  type StakeLevel,
  stakeLevels,
  type Timeliness,
  tallyCodeOf,
  timelinessValues,
} from '@reliability/scoring';
import { ingestibleEventTypes } from '../../../packages/service/src/domain/catalogues/enums.js';
import type { Database } from '../../../packages/service/src/kit/db/database.js';
import { subjectIdOf } from '../../../packages/service/src/ledger/subjectId.js';

/** Variety of a ledger: number of days, and kinds of event. */
export interface Variety {
  readonly days: number;
  readonly kinds: readonly Kind[];
}

interface Kind {
  eventType: EventType;
  stakeLevel: StakeLevel;
  isVerified: boolean;
  timeliness: Timeliness;
}

const allKinds: readonly Kind[] = ingestibleEventTypes.flatMap((eventType) =>
  stakeLevels.flatMap((stakeLevel) =>
    [true, false].flatMap((isVerified) =>
      timelinessValues.map((timeliness) => ({ eventType, stakeLevel, isVerified, timeliness })),
    ),
  ),
);

/** Three months of a dozen kinds: 1 000 events touch nearly every tally that a million do. */
export const DOZEN: Variety = { days: 90, kinds: allKinds.filter((_, index) => index % 12 === 0) };
/** The same days with every kind of event. */
export const EVERYTHING: Variety = { days: 90, kinds: allKinds };

export interface FilledSubject {
  readonly id: string;
  readonly events: number;
  readonly tallies: number;
}

/** Writes a subject with `count` events, spread evenly over days and kinds, and their tallies. */
export async function fillLedger(
  db: Database,
  name: string,
  count: number,
  variety: Variety,
): Promise<FilledSubject> {
  const [platform] = await db.query<{ platformId: string }>('select platform_id from platform');
  if (!platform) throw new Error('the database has no platform');
  const { platformId } = platform;
  const id = subjectIdOf(platformId, true, name);
  const firstDay = dayOf(new Date()) - variety.days - 1;
  const span = [firstDay, variety.days, count];
  await db.execute(INSERT_SUBJECT, [id, platformId, name, count, new Date()]);
  for (let first = 1; first <= count; first += ROWS_PER_STATEMENT) {
    const last = Math.min(count, first + ROWS_PER_STATEMENT - 1);
    await db.execute(INSERT_EVENTS, [...span, first, last, id, platformId, ...kindColumns(variety.kinds)]);
  }
  const codes = variety.kinds.map((kind) => tallyCodeOf({ ...kind, platformTier: TIER }));
  const tallies = await db.execute(INSERT_TALLIES, [...span, 1, count, id, codes]);
  return { id, events: count, tallies };
}

const ROWS_PER_STATEMENT = 50_000;
const TIER = 'STARTER';

function kindColumns(kinds: readonly Kind[]): unknown[] {
  return [
    kinds.map(({ eventType }) => eventType),
    kinds.map(({ stakeLevel }) => stakeLevel),
    kinds.map(({ isVerified }) => isVerified),
    kinds.map(({ timeliness }) => timeliness),
  ];
}

const INSERT_SUBJECT = `
insert into subject
  (subject_id, platform_id, livemode, external_id, record_id, event_count, last_activity_at, registered_at)
values ($1, $2, true, $3, $1, $4, $5, $5)`;

/** Event n: when it happened (and was reported), and which of the kinds it is. */
const series = (kinds: string) => `
select n, ($1::bigint * 86400000) + (n - 1) * $2::bigint * 86400000 / $3::bigint as ms,
  ((n - 1) % cardinality(${kinds})) + 1 as kind
from generate_series($4::bigint, $5::bigint) as n`;

const INSERT_EVENTS = `
insert into event
  (subject_id, event_id, platform_id, livemode, position, event_type, stake_level, is_verified, platform_tier,
   due_date, completed_at, created_at)
select $6::uuid, (lpad(to_hex(ms), 12, '0') || '70008000' || lpad(to_hex(n), 12, '0'))::uuid, $7::uuid, true, n,
  ($8::text[])[kind], ($9::text[])[kind], ($10::boolean[])[kind], '${TIER}',
  case ($11::text[])[kind] when 'on_time' then at + interval '1 hour' when 'late' then at - interval '1 hour' end, at, at
from (${series('$8::text[]')}) as past, lateral (select to_timestamp(ms / 1000.0) as at) as moment`;

const INSERT_TALLIES = `
insert into tally (subject_id, day, code, count)
select $6::uuid, ms / 86400000, ($7::smallint[])[kind], count(*) from (${series('$7::smallint[]')}) as past group by 2, 3`;
