import type { ScoreBand } from '@reliability/scoring';
import { BLANK_STATE, type Observed, observedOf } from '#domain/crossings.js';
import type { PolicyTerms } from '#domain/envelopes/scoreEnvelopes.js';
import type { Queryable } from '#kit/db/database.js';
import { groupBy } from '#kit/lists.js';

/** A range of the subjects of a platform, by external id, and the condition to check. */
export interface PreviewSlice {
  platformId: string;
  livemode: boolean;
  condition: PolicyTerms;
  from: Date;
  to: Date;
  /** Null: all subjects. */
  subjectId: string | null;
  afterExternalId: string;
  /** Number of scored subjects to check. */
  size: number;
}

export interface PreviewRow {
  externalId: string;
  observed: Observed;
  finalScore: number;
  scoreBand: ScoreBand;
  isPast: boolean;
  crossings: number;
  lastCrossedAt: Date | null;
}

export interface PreviewedSlice {
  /** Subjects that meet the condition or crossed it, by external id. */
  matches: PreviewRow[];
  checked: number;
  /** Events of their records, if those were replayed. */
  events: number;
  /** Start of the next slice; null: this was the last. */
  lastExternalId: string | null;
}

/**
 * The rule of domain/crossings in SQL: a step is a snapshot and its predecessor; that of the first
 * is the baseline.
 */
export async function previewSlice(db: Queryable, slice: PreviewSlice): Promise<PreviewedSlice> {
  const { condition } = slice;
  const baseline = observedOf(condition, BLANK_STATE);
  const rows = await db.query<PreviewRow & { figure: number | null; checked: number }>(PREVIEW, [
    slice.platformId,
    slice.livemode,
    slice.afterExternalId,
    slice.subjectId,
    slice.size,
    condition.metric,
    condition.component,
    condition.direction,
    condition.threshold,
    condition.band,
    typeof baseline === 'number' ? baseline : null,
    BLANK_STATE.band,
    slice.from,
    slice.to,
  ]);
  const checked = rows[0]?.checked ?? 0;
  return {
    matches: rows
      .filter((row) => row.isPast || row.crossings > 0)
      .map(({ figure, checked: _, ...row }) => ({
        ...row,
        observed: condition.metric === 'band' ? row.scoreBand : figure,
      })),
    checked,
    events: 0,
    lastExternalId: checked < slice.size ? null : (rows.at(-1)?.externalId ?? null),
  };
}

// Reads the steps of a subject along the primary key, from the last one before the window on. The
// last subject of the slice is always among the rows, because the next slice begins after it.
const PREVIEW = `
with slice as (
  ${sliceColumns('s.subject_id')}
), judged as (
  select slice.external_id, slice.final_score, slice.score_band, slice.figure,
    coalesce(${isPast('slice')}, false) as is_past, crossed.crossings, crossed.last_crossed_at
  from slice cross join lateral (
    select count(*)::integer as crossings, max(step.computed_at) as last_crossed_at
    from (
      select snapshot.computed_at, snapshot.figure, snapshot.score_band,
        lag(snapshot.figure, 1, $11::numeric) over (order by snapshot.snapshot_no) as figure_before,
        lag(snapshot.score_band, 1, $12::text) over (order by snapshot.snapshot_no) as band_before
      from (
        select n.snapshot_no, n.computed_at, n.score_band, ${figureOf('n', 'n.components')} as figure
        from score_snapshot n
        where n.subject_id = slice.subject_id and n.snapshot_no >= coalesce((
          select before.snapshot_no from score_snapshot before
          where before.subject_id = slice.subject_id and before.computed_at < $13
          order by before.snapshot_no desc limit 1
        ), 0)
      ) snapshot
    ) step
    where step.computed_at >= $13 and step.computed_at <= $14 and ${isCrossed('step')}
  ) crossed
)
select external_id, final_score, score_band, figure, is_past, crossings, last_crossed_at,
  (select count(*) from slice) as checked
from judged
where is_past or crossings > 0 or external_id = (select max(external_id) from slice)
order by external_id`;

/** A scored subject of a slice, with its published figures. */
export interface BookSubject extends Omit<PreviewRow, 'crossings' | 'lastCrossedAt'> {
  subjectId: string;
  recordId: string;
  totalEvents: number;
}

/** The scored subjects of a slice, by external id. */
export async function findBookSlice(db: Queryable, slice: PreviewSlice): Promise<BookSubject[]> {
  const { metric, component, direction, threshold, band } = slice.condition;
  const rows = await db.query<BookSubject & { figure: number | null }>(
    `select slice.*, coalesce(${isPast('slice')}, false) as is_past from (
       ${sliceColumns('s.subject_id, s.record_id, c.total_events')}
     ) as slice order by external_id`,
    [
      slice.platformId,
      slice.livemode,
      slice.afterExternalId,
      slice.subjectId,
      slice.size,
      metric,
      component,
      direction,
      threshold,
      band,
    ],
  );
  return rows.map(({ figure, ...row }) => ({ ...row, observed: metric === 'band' ? row.scoreBand : figure }));
}

/** The members of records, by record. */
export async function findMembers(
  db: Queryable,
  recordIds: readonly string[],
): Promise<Map<string, string[]>> {
  const rows = await db.query<{ recordId: string; members: string[] }>(
    `select record_id, array_agg(subject_id) as members from subject where record_id = any($1::uuid[])
     group by record_id`,
    [recordIds],
  );
  const records = groupBy(rows, ({ recordId }) => recordId);
  return new Map([...records].map(([id, parts]) => [id, parts.flatMap(({ members }) => members)]));
}

function sliceColumns(more: string): string {
  return `select ${more}, s.external_id, c.final_score, c.score_band, ${figureOf('c', "c.detail -> 'components'")} as figure
  from subject s join score c using (subject_id)
  where s.platform_id = $1 and s.livemode = $2 and s.external_id > $3 and ($4::uuid is null or s.subject_id = $4)
  order by s.external_id limit $5`;
}

function figureOf(row: string, components: string): string {
  return `case $6::text when 'score' then ${row}.final_score when 'verified_events' then ${row}.verified_events
      when 'component' then (${components} ->> $7::text)::numeric end`;
}

function isPast(row: string): string {
  return `case $8::text when 'below' then ${row}.figure < $9::numeric when 'above' then ${row}.figure > $9::numeric
      when 'enter' then ${row}.score_band = $10::text else ${row}.score_band <> $10::text end`;
}

function isCrossed(row: string): string {
  return `case $8::text
      when 'below' then ${row}.figure_before >= $9::numeric and ${row}.figure < $9::numeric
      when 'above' then ${row}.figure_before <= $9::numeric and ${row}.figure > $9::numeric
      when 'enter' then ${row}.band_before <> $10::text and ${row}.score_band = $10::text
      else ${row}.band_before = $10::text and ${row}.score_band <> $10::text end`;
}

/** Number of scored subjects of a platform and mode, up to `limit`. */
export async function countScored(
  db: Queryable,
  platformId: string,
  livemode: boolean,
  limit: number,
): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*)::integer as count from (
       select 1 from score where platform_id = $1 and livemode = $2 limit $3
     ) as scored`,
    [platformId, livemode, limit],
  );
  return row?.count ?? 0;
}

/** Number of events behind the scores of a platform and mode. */
export async function sumEvents(db: Queryable, platformId: string, livemode: boolean): Promise<number> {
  const [row] = await db.query<{ events: number }>(
    'select coalesce(sum(total_events), 0)::bigint as events from score where platform_id = $1 and livemode = $2',
    [platformId, livemode],
  );
  return row?.events ?? 0;
}

export async function hasSubject(db: Queryable, subjectId: string): Promise<boolean> {
  return (await db.query('select 1 from subject where subject_id = $1', [subjectId])).length > 0;
}
