import { type Found, searchCondition } from './bookSearch.js';
import { type BookSegment, type BookSlice, type BookSort, type Statement, Values } from './bookSegment.js';
import { ALL_BUCKETS, bucketsPassing } from './facetBuckets.js';
import { type BookEntry, type BookFilters, DEFAULT_PAGE } from './schemas.js';

/**
 * How the rows of a bucket are read. `walk`: in the order of the sort's index, skipping rows that
 * do not pass, until the page is full. `sort`: all rows that pass, then sorted; faster if dates
 * leave few. `merge`: as `walk`, but of these buckets together until the page is full, for filters that
 * leave out most rows. `found`: these rows alone.
 */
export type ReadPlan = 'walk' | 'sort' | { merge: readonly number[] } | { found: readonly string[] };

/**
 * A page of the book. Each facet bucket that passes yields its first rows; the first of these are
 * the page. This costs one index lookup per bucket, however far into the book the page is. Only the
 * rows of the page itself are then fetched.
 */
export function bookPage(slice: BookSlice, plan: ReadPlan): Statement & { isPrepared: boolean } {
  const values = new Values(slice);
  const isPrepared = isFirstPage(slice);
  const limit = isPrepared ? String(FIRST_PAGE_ROWS) : values.add(slice.limit, 'integer');
  const branches = [
    ...scoredRows(slice, plan, values, limit),
    slice.sort === 'lastActivity' && !isFound(plan) ? idleRows(slice, values, limit) : null,
    unscoredRows(slice, values, limit),
  ].filter((branch) => branch !== null);
  const { type } = SORTS[slice.sort];
  const text = `
with recursive ${FILLED_BUCKETS}, page as (
  select subject_id, value from (
  ${branches.length > 0 ? branches.join('\n  union all\n  ') : nothing(type)}
  ) as candidate
  order by value ${slice.direction} nulls last, subject_id ${slice.direction} limit ${limit}
)
select page.subject_id, page.value, case when c.subject_id is null then ${UNSCORED_ENTRY} else ${SCORED_ENTRY} end as entry
from page left join score c using (subject_id)
left join lateral (
  select external_id, display_name, subject_type, registered_at from subject
  where subject_id = page.subject_id and c.subject_id is null offset 0
) as s on true
order by page.value ${slice.direction} nulls last, page.subject_id ${slice.direction}`;
  return { text, values: values.all, isPrepared };
}

/** Of a first page of the default length, with the row that shows whether there is another page. */
const FIRST_PAGE_ROWS = DEFAULT_PAGE + 1;

/**
 * What is asked for most: nothing but facets is filtered. These pages have 24 texts, so each is prepared, which saves
 * half of its time. The length is a constant: for any length the planner would expect a tenth of the book.
 */
function isFirstPage(slice: BookSlice): boolean {
  const { after, limit, filters } = slice;
  const hasConditions = scoreConditions(filters, new Values(slice)).trim() !== '';
  return after === null && limit === FIRST_PAGE_ROWS && !hasConditions;
}

/** A BookEntry as JSON text. The database writes a page in a third of the time that its rows would take as objects. */
const SCORED_ENTRY = jsonOf({
  externalId: 'to_json(c.external_id)',
  displayName: orNull('to_json(c.display_name)'),
  finalScore: 'c.final_score::float8',
  scoreBand: 'to_json(c.score_band)',
  confidence: 'c.confidence::float8',
  // shareOf
  verificationDepth: orNull(
    'floor(c.own_verified_events::float8 / nullif(c.own_events, 0) * 10000 + 0.5) / 10000',
  ),
  eventCount: 'c.own_events',
  verifiedEventCount: 'c.own_verified_events',
  lastActivityAt: orNull(momentOf('c.last_activity_at')),
  subjectType: 'to_json(c.subject_type)',
  scoreFrozen: 'to_json(c.frozen_at is not null)',
  registeredAt: momentOf('c.registered_at'),
});

const UNSCORED_ENTRY = jsonOf({
  externalId: 'to_json(s.external_id)',
  displayName: orNull('to_json(s.display_name)'),
  finalScore: "'null'",
  scoreBand: "'null'",
  confidence: "'null'",
  verificationDepth: "'null'",
  eventCount: '0',
  verifiedEventCount: '0',
  lastActivityAt: "'null'",
  subjectType: 'to_json(s.subject_type)',
  scoreFrozen: "'false'",
  registeredAt: momentOf('s.registered_at'),
});

function jsonOf(members: Readonly<Record<keyof BookEntry, string>>): string {
  const texts = Object.entries(members).map(([name, value]) => `'"${name}":', ${value}`);
  return `concat('{', ${texts.join(", ',', ")}, '}')`;
}

function momentOf(column: string): string {
  return `to_json(to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`;
}

function orNull(value: string): string {
  return `coalesce((${value})::text, 'null')`;
}

/**
 * Asks the planner how many rows the dates leave; its histograms estimate these well. Null if a walk
 * is right anyway, because only the column of the sort is filtered. Buckets are left out: they and
 * the score would be counted twice.
 */
export function narrowedRowsEstimate(slice: BookSlice): Statement | null {
  const { activeSince, registeredSince, registeredBefore } = slice.filters;
  const byActivity = slice.sort !== 'lastActivity' && activeSince !== undefined;
  const byRegistration = slice.sort !== 'registered' && (registeredSince ?? registeredBefore) !== undefined;
  if (!byActivity && !byRegistration) return null;
  const values = new Values(slice);
  const narrowing = { activeSince, registeredSince, registeredBefore };
  const text = `explain (format json)
select from score where platform_id = $1 and livemode = $2 ${scoreConditions(narrowing, values)}`;
  return { text, values: values.all };
}

/** Counts the subjects that pass, with and without a score. */
export function bookSize(segment: BookSegment, found: Found): Statement {
  const values = new Values(segment);
  const unscored = mayLackScore(segment.filters)
    ? `(select count(*) from subject ${unscoredWhere(segment.filters, values)} and ${LACKS_SCORE})`
    : '0';
  const text = `select (select count(*) from score ${scoredWhere(segment.filters, values, found)})::integer as scored,
  ${unscored}::integer as unscored`;
  return { text, values: values.all };
}

/** The scores of the subjects that pass, each with its number of subjects. */
export function bookScores(segment: BookSegment, found: Found): Statement {
  const values = new Values(segment);
  const text = `select final_score, count(*)::integer as count from score
${scoredWhere(segment.filters, values, found)}
group by final_score order by final_score`;
  return { text, values: values.all };
}

/** The column of each sort, in the tables score and subject; null if only a score has it. */
const SORTS = {
  score: { scored: 'final_score', unscored: null, type: 'numeric' },
  lastActivity: { scored: 'last_activity_at', unscored: null, type: 'timestamptz' },
  registered: { scored: 'registered_at', unscored: 'registered_at', type: 'timestamptz' },
  externalId: { scored: 'external_id', unscored: 'external_id', type: 'text' },
} as const satisfies Record<BookSort, { scored: string; unscored: string | null; type: string }>;

/** Rows that have a value in the sort column. */
function scoredRows(slice: BookSlice, plan: ReadPlan, values: Values, limit: string): (string | null)[] {
  const { filters, sort, direction, after } = slice;
  if (isFound(plan)) return [foundRows(slice, plan.found, values)];
  if (after?.value === null) return [];
  if (plan === 'sort') return [unorderedRows(slice, values)];
  if (plan !== 'walk') return [mergedRows(slice, plan.merge, values, limit)];
  const { registeredSince } = filters;
  if (sort === 'lastActivity' && direction === 'asc' && registeredSince) {
    // Subjects registered since then were active since then, except backdated ones: the walk can
    // start there.
    const since = values.add(new Date(registeredSince.getTime() - BACKDATED_MS), 'timestamptz');
    return [
      walkedRows(slice, values, limit, `and last_activity_at >= ${since}`),
      walkedRows(slice, values, limit, `and last_activity_at < ${since} and ${BACKDATED}`),
    ];
  }
  return [walkedRows(slice, values, limit, '')];
}

const BACKDATED_MS = 24 * 60 * 60 * 1000;
const BACKDATED = "registered_at - last_activity_at > interval '24 hours'";

function walkedRows(slice: BookSlice, values: Values, limit: string, span: string): string {
  const { filters, sort, direction } = slice;
  const { scored: column } = SORTS[sort];
  return `(select bucket_row.subject_id, bucket_row.value from ${bucketList(filters, values)}
  cross join lateral (
    select subject_id, ${column} as value from score
    where platform_id = $1 and livemode = $2 and facet_bucket = bucket.facet_bucket and ${column} is not null
      ${scoreConditions(filters, values)} ${behindValue(slice, column, values)} ${span}
    order by ${column} ${direction}, subject_id ${direction} limit ${limit}
  ) as bucket_row)`;
}

// `offset 0` keeps the planner from rewriting the lateral join: one index lookup per bucket.
function unorderedRows(slice: BookSlice, values: Values): string {
  const { filters, sort } = slice;
  const { scored: column } = SORTS[sort];
  return `(select bucket_row.subject_id, bucket_row.value from ${bucketList(filters, values)}
  cross join lateral (
    select subject_id, ${column} as value from score
    where platform_id = $1 and livemode = $2 and facet_bucket = bucket.facet_bucket and ${column} is not null
      ${scoreConditions(filters, values)} ${behindValue(slice, column, values)} offset 0
  ) as bucket_row)`;
}

function isFound(plan: ReadPlan): plan is { found: readonly string[] } {
  return typeof plan === 'object' && 'found' in plan;
}

/**
 * Each bucket is read in the order of the index, and no further than the page needs. Without a limit of
 * its own the planner would rather sort a bucket.
 */
function mergedRows(
  slice: BookSlice,
  buckets: readonly number[],
  values: Values,
  limit: string,
): string | null {
  if (buckets.length === 0) return null;
  const { filters, sort, direction } = slice;
  const { scored: column } = SORTS[sort];
  const passes = `${scoreConditions(filters, values)} ${behindValue(slice, column, values)}`;
  const branches = buckets.map(
    (bucket) => `(select subject_id, ${column} as value from score
    where platform_id = $1 and livemode = $2 and facet_bucket = ${bucket}::smallint and ${column} is not null ${passes}
    order by ${column} ${direction}, subject_id ${direction} limit ${limit})`,
  );
  return `(select subject_id, value from (${branches.join(' union all ')}) as merged
  order by value ${direction}, subject_id ${direction} limit ${limit})`;
}

/** The buckets that pass and have rows. */
export function bucketsToMerge(segment: BookSegment): Statement {
  const values = new Values(segment);
  const buckets = values.add(bucketsPassing(segment.filters), 'smallint[]');
  const text = `with recursive ${FILLED_BUCKETS} select facet_bucket from filled where facet_bucket = any(${buckets})`;
  return { text, values: values.all };
}

/** All of them, without own activity too: the order of the page sorts them. */
function foundRows(slice: BookSlice, found: readonly string[], values: Values): string {
  const { filters, sort, after } = slice;
  const { scored: column } = SORTS[sort];
  const behind =
    after?.value === null
      ? `and ${column} is null ${behindId(slice, values)}`
      : `and (${column} is null or true ${behindValue(slice, column, values)})`;
  return `(select subject_id, ${column} as value from score ${scoredWhere(filters, values, found)} ${behind})`;
}

/** Scored rows without own activity: subjects whose score comes from linked subjects. */
function idleRows({ filters, direction, after }: BookSlice, values: Values, limit: string): string | null {
  if (filters.activeSince) return null;
  return `(select idle_row.subject_id, null::timestamptz as value from ${bucketList(filters, values)}
  cross join lateral (
    select subject_id from score
    where platform_id = $1 and livemode = $2 and facet_bucket = bucket.facet_bucket and last_activity_at is null
      ${scoreConditions(filters, values)} ${behindId({ direction, after }, values)}
    order by last_activity_at ${direction}, subject_id ${direction} limit ${limit}
  ) as idle_row)`;
}

/** Rows without a score. Each sort has a partial index for them. */
function unscoredRows(slice: BookSlice, values: Values, limit: string): string | null {
  const { filters, sort, direction } = slice;
  if (!mayLackScore(filters)) return null;
  const { unscored: column, type } = SORTS[sort];
  const where = `${unscoredWhere(filters, values)} and ${LACKS_SCORE}`;
  if (column === null) {
    return `(select subject_id, null::${type} as value from subject ${where} ${behindId(slice, values)}
  order by subject_id ${direction} limit ${limit})`;
  }
  return `(select subject_id, ${column} as value from subject ${where} ${behindValue(slice, column, values)}
  order by ${column} ${direction}, subject_id ${direction} limit ${limit})`;
}

function behindValue({ sort, direction, after }: BookSlice, column: string, values: Values): string {
  if (after === null) return '';
  const position = `(${values.add(after.value, SORTS[sort].type)}, ${values.add(after.subjectId, 'uuid')})`;
  return `and (${column}, subject_id) ${beyond(direction)} ${position}`;
}

/** Rows without the value come last in both directions, ordered by id. */
function behindId({ direction, after }: Pick<BookSlice, 'direction' | 'after'>, values: Values): string {
  if (after?.value !== null) return '';
  return `and subject_id ${beyond(direction)} ${values.add(after.subjectId, 'uuid')}`;
}

function beyond(direction: BookSlice['direction']): '>' | '<' {
  return direction === 'asc' ? '>' : '<';
}

function nothing(type: string): string {
  return `select null::uuid as subject_id, null::${type} as value where false`;
}

function bucketList(filters: BookFilters, values: Values): string {
  const buckets = bucketsPassing(filters);
  if (buckets.length === ALL_BUCKETS) return 'filled as bucket';
  return `unnest(${values.add(buckets, 'smallint[]')}) as bucket (facet_bucket)`;
}

/** The buckets that have rows, each found behind the one before: a book has rows in few of them. */
const FILLED_BUCKETS = `filled (facet_bucket) as (
  (select facet_bucket from score where platform_id = $1 and livemode = $2 order by facet_bucket limit 1)
  union all
  select (
    select facet_bucket from score
    where platform_id = $1 and livemode = $2 and facet_bucket > filled.facet_bucket order by facet_bucket limit 1
  ) from filled where filled.facet_bucket is not null
)`;

// The indexes of dates begin with the bucket, so a range needs the buckets named even if all pass.
function scoredWhere(given: BookFilters, values: Values, found: Found): string {
  const filters = found ? { ...given, q: undefined } : given;
  const { activeSince, registeredSince, registeredBefore } = filters;
  const buckets = bucketsPassing(filters);
  const isRange = (activeSince ?? registeredSince ?? registeredBefore) !== undefined;
  const inBuckets =
    buckets.length < ALL_BUCKETS || isRange
      ? `and facet_bucket = any(${values.add(buckets, 'smallint[]')})`
      : '';
  const inFound = found ? `and subject_id = any(${values.add(found, 'uuid[]')})` : '';
  return `where platform_id = $1 and livemode = $2 ${inFound} ${inBuckets} ${scoreConditions(filters, values)}`;
}

/** Conditions that the bucket of a row does not decide. */
function scoreConditions(filters: BookFilters, values: Values): string {
  const { scoreMin, scoreMax, activeSince, registeredSince, registeredBefore, minVerifiedEvents } = filters;
  return [
    searchCondition(filters, values),
    scoreMin === undefined ? '' : `and final_score >= ${values.add(scoreMin, 'numeric')}`,
    scoreMax === undefined ? '' : `and final_score <= ${values.add(scoreMax, 'numeric')}`,
    activeSince === undefined ? '' : `and last_activity_at >= ${values.add(activeSince, 'timestamptz')}`,
    registeredSince === undefined ? '' : `and registered_at >= ${values.add(registeredSince, 'timestamptz')}`,
    registeredBefore === undefined
      ? ''
      : `and registered_at < ${values.add(registeredBefore, 'timestamptz')}`,
    minVerifiedEvents === undefined
      ? ''
      : `and own_verified_events >= ${values.add(minVerifiedEvents, 'integer')}`,
  ].join(' ');
}

/** Whether subjects without a score can pass. They have no counted event and cannot be frozen. */
function mayLackScore(filters: BookFilters): boolean {
  const {
    hasScore,
    scoreMin,
    scoreMax,
    band,
    scoreFrozen,
    activeSince,
    hasVerifiedEvents,
    minVerifiedEvents,
  } = filters;
  const asksForScore =
    hasScore === true || (scoreMin ?? scoreMax ?? band) !== undefined || scoreFrozen === true;
  const asksForEvents =
    hasVerifiedEvents === true || (minVerifiedEvents ?? 0) > 0 || activeSince !== undefined;
  return !asksForScore && !asksForEvents;
}

/**
 * `is_scored` may lag (0002_ledger.sql), so each row is looked up in `score`, in order, until the
 * page is full. The planner would turn `not exists` into a join, underestimate its rows, and sort
 * all of them.
 */
const LACKS_SCORE =
  'not coalesce((select true from score where score.subject_id = subject.subject_id), false)';

function unscoredWhere(filters: BookFilters, values: Values): string {
  const { subjectType, registeredSince, registeredBefore } = filters;
  return [
    'where platform_id = $1 and livemode = $2 and not is_scored',
    searchCondition(filters, values),
    subjectType === undefined ? '' : `and subject_type = ${values.add(subjectType, 'text')}`,
    registeredSince === undefined ? '' : `and registered_at >= ${values.add(registeredSince, 'timestamptz')}`,
    registeredBefore === undefined
      ? ''
      : `and registered_at < ${values.add(registeredBefore, 'timestamptz')}`,
  ].join(' ');
}
