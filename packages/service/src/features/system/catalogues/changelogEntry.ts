export const changelogCategories = ['added', 'changed', 'deprecated', 'fixed', 'security'] as const;
export type ChangelogCategory = (typeof changelogCategories)[number];

/** One entry of `GET /changelog`. `date` is a UTC day, YYYY-MM-DD. */
export interface ChangelogEntry {
  readonly id: string;
  readonly date: string;
  readonly category: ChangelogCategory;
  readonly summary: string;
  /** `METHOD /path` below `/api/v1`; empty if the entry affects all of v1. */
  readonly endpoints: readonly string[];
  /** The address on this service where the current rule is documented. */
  readonly reference: string;
}
