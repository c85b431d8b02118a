import { reasonCodeCatalog } from '@reliability/scoring';
import type { Evidence } from './reasonTexts.js';

/** A reason as it is kept beside a score: its texts are made when it is read. */
export interface StoredReason {
  code: string;
  evidence: Evidence;
}

const UNDER_REVIEW = 'RECORD_UNDER_VELOCITY_REVIEW';

/**
 * The adverse reasons of a score as they hold now. A freeze comes and goes without a computation, so the stored ones do not
 * know of it. It ranks first.
 * @param review the evidence of a freeze; null: there is none.
 */
export function withReview(adverse: readonly StoredReason[], review: Evidence | null): StoredReason[] {
  const computed = adverse.filter(({ code }) => code !== UNDER_REVIEW);
  return review ? [{ code: UNDER_REVIEW, evidence: review }, ...computed] : computed;
}

/** What the catalogue says of one code. */
export type ReasonEntry = (typeof reasonCodeCatalog.codes)[number];

const entryByCode = new Map<string, ReasonEntry>(reasonCodeCatalog.codes.map((entry) => [entry.code, entry]));

/** What the catalogue says of a code; undefined for one that only a newer version knows. */
export function reasonEntryOf(code: string): ReasonEntry | undefined {
  return entryByCode.get(code);
}
