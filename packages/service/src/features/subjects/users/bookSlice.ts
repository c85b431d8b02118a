import type { BookFilters, bookSorts } from './schemas.js';

export type BookSort = (typeof bookSorts)[number];
export type Direction = 'asc' | 'desc';

/** Where a page starts: behind this subject, whose value of the sort column is given along. */
export interface BookPosition {
  value: string | number | null;
  subjectId: string;
}

/** The part of a platform's book, in one mode, that passes the filters. */
export interface BookSegment {
  platformId: string;
  livemode: boolean;
  filters: BookFilters;
}

export interface BookSlice extends BookSegment {
  sort: BookSort;
  direction: Direction;
  after: BookPosition | null;
  limit: number;
}
