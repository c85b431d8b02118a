import type { BookFilters, bookSorts } from './schemas.js';

export type BookSort = (typeof bookSorts)[number];
export type Direction = 'asc' | 'desc';

/** A page starts after this subject; `value` is its value of the sort column. */
export interface BookPosition {
  value: string | number | null;
  subjectId: string;
}

/** The subjects of a platform, in one mode, that pass the filters. */
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

/** A statement with its parameters. The text is composed of constants of this folder only. */
export interface Statement {
  text: string;
  values: readonly unknown[];
}

/** Parameters in the order of their numbers. $1 and $2 are the platform and the mode. */
export class Values {
  readonly #values: unknown[];

  constructor({ platformId, livemode }: BookSegment) {
    this.#values = [platformId, livemode];
  }

  get all(): readonly unknown[] {
    return this.#values;
  }

  /** Adds a value and returns its placeholder. */
  add(value: unknown, type: string): string {
    this.#values.push(value);
    return `$${this.#values.length}::${type}`;
  }
}
