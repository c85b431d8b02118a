import type { ScoreBand } from '@reliability/scoring';
import type { Queryable } from '../../kit/db/database.js';
import type { BookFilters, bookSorts, subjectTypes } from './schemas.js';

export type BookSort = (typeof bookSorts)[number];
export type Direction = 'asc' | 'desc';

export interface BookRow {
  subject_id: string;
  external_id: string;
  subject_type: (typeof subjectTypes)[number];
  registered_at: Date;
  final_score: number | null;
  score_band: ScoreBand | null;
  confidence: number | null;
  event_count: number;
  verified_event_count: number;
  last_activity_at: Date | null;
  score_frozen: boolean;
}

/** Where a page starts: behind this subject, whose value of the sort column is given along. */
export interface BookPosition {
  value: string | number | null;
  subjectId: string;
}

export interface BookSlice {
  platformId: string;
  livemode: boolean;
  filters: BookFilters;
  sort: BookSort;
  direction: Direction;
  after: BookPosition | null;
  limit: number;
}

/** Subjects of one platform and mode that pass the filters, in order. */
export function readBook(db: Queryable, slice: BookSlice): Promise<BookRow[]> {
  const { filters, after } = slice;
  return db.query<BookRow>(SELECT_BOOK[slice.sort][slice.direction], [
    slice.platformId,
    slice.livemode,
    filters.scoreMin ?? null,
    filters.scoreMax ?? null,
    filters.band ?? null,
    filters.hasScore ?? null,
    filters.scoreFrozen ?? null,
    filters.subjectType ?? null,
    filters.activeSince ?? null,
    filters.registeredSince ?? null,
    filters.registeredBefore ?? null,
    filters.hasVerifiedEvents ?? null,
    filters.minVerifiedEvents ?? null,
    after?.subjectId ?? null,
    after?.value ?? null,
    slice.limit,
  ]);
}

// Counts and activity are those the score rests on, so that a row agrees with itself: a subject without a score has none yet.
const MATCHING = `
select s.subject_id, s.external_id, s.subject_type, s.registered_at, c.final_score, c.score_band, c.confidence,
  coalesce(c.own_events, 0) as event_count, coalesce(c.own_verified_events, 0) as verified_event_count,
  c.last_activity_at, c.frozen_at is not null as score_frozen
from subject s left join score c using (subject_id)
where s.platform_id = $1 and s.livemode = $2
  and ($3::numeric is null or c.final_score >= $3)
  and ($4::numeric is null or c.final_score <= $4)
  and ($5::text is null or c.score_band = $5)
  and ($6::boolean is null or (c.subject_id is not null) = $6)
  and ($7::boolean is null or (c.frozen_at is not null) = $7)
  and ($8::text is null or s.subject_type = $8)
  and ($9::timestamptz is null or c.last_activity_at >= $9)
  and ($10::timestamptz is null or s.registered_at >= $10)
  and ($11::timestamptz is null or s.registered_at < $11)
  and ($12::boolean is null or (coalesce(c.own_verified_events, 0) > 0) = $12)
  and ($13::integer is null or coalesce(c.own_verified_events, 0) >= $13)`;

const SELECT_BOOK: Record<BookSort, Record<Direction, string>> = {
  score: bothWays('c.final_score', 'numeric'),
  lastActivity: bothWays('c.last_activity_at', 'timestamptz'),
  registered: bothWays('s.registered_at', 'timestamptz'),
  externalId: bothWays('s.external_id', 'text'),
};

function bothWays(column: string, type: string): Record<Direction, string> {
  return { asc: ordered(column, type, 'asc', '>'), desc: ordered(column, type, 'desc', '<') };
}

/** Rows without the value come last in either direction, so behind one of those stand only more of them. */
function ordered(column: string, type: string, direction: Direction, beyond: '>' | '<'): string {
  return `${MATCHING}
  and ($14::uuid is null or case
    when $15::${type} is null then ${column} is null and s.subject_id > $14
    else ${column} ${beyond} $15 or (${column} = $15 and s.subject_id > $14) or ${column} is null
  end)
order by ${column} ${direction} nulls last, s.subject_id
limit $16`;
}
