import { folded, gramQuery } from '#domain/searchText.js';
import { type BookSegment, type Statement, Values } from './bookSegment.js';
import type { BookFilters } from './schemas.js';

/** The ids of all subjects that `q` finds, those without a score included. Null: there is no `q`, or it finds too many to list. */
export type Found = readonly string[] | null;

/** Up to so many subjects are listed. In a book of a million a walk finds a page of more as fast. */
export const MAX_FOUND = 2_000;

/** Asks the planner how many subjects `q` finds: listing a large part of the book would take long. */
export function foundEstimate(segment: BookSegment): Statement {
  return {
    text: 'explain (format json) select from subject_search where grams @@ $1::tsquery',
    values: [gramsFor(segment)],
  };
}

/**
 * The subjects that `q` finds, at most one more than are listed. The index finds candidates, and their
 * text decides. Materialized, or the limit would tempt the planner to read the table instead. With those
 * that have no score yet: one may be written before the page is read.
 */
export function foundSubjects(segment: BookSegment): Statement {
  const values = new Values(segment);
  const grams = values.add(gramsFor(segment), 'tsquery');
  const q = values.add(folded(segment.filters.q ?? ''), 'text');
  const text = `
with candidate as materialized (select subject_id, search_text from subject_search where grams @@ ${grams})
(select subject_id from candidate where strpos(search_text, ${q}) > 0 limit ${MAX_FOUND + 1})
union all
(select subject_id from subject where platform_id = $1 and livemode = $2 and not is_scored
  and strpos(search_text, ${q}) > 0 limit ${MAX_FOUND + 1})`;
  return { text, values: values.all };
}

function gramsFor({ platformId, livemode, filters }: BookSegment): string {
  return gramQuery(filters.q ?? '', { platformId, livemode });
}

export function searchCondition({ q }: BookFilters, values: Values): string {
  return q ? `and strpos(search_text, ${values.add(folded(q), 'text')}) > 0` : '';
}
