import { reasonCodeCatalog } from '@reliability/scoring';
import type { Evidence } from './reasonTexts.js';

/** A reason as stored with a score. Texts are added on reading. */
export interface StoredReason {
  code: string;
  evidence: Evidence;
}

const UNDER_REVIEW = 'RECORD_UNDER_VELOCITY_REVIEW';

/**
 * The current adverse reasons of a score. A freeze starts and ends without a recompute, so the
 * stored reasons lack it. It ranks first.
 * @param review the evidence of a freeze; null: not frozen.
 */
export function withReview(adverse: readonly StoredReason[], review: Evidence | null): StoredReason[] {
  const computed = adverse.filter(({ code }) => code !== UNDER_REVIEW);
  return review ? [{ code: UNDER_REVIEW, evidence: review }, ...computed] : computed;
}

export type ReasonEntry = (typeof reasonCodeCatalog.codes)[number];

const entryByCode = new Map<string, ReasonEntry>(reasonCodeCatalog.codes.map((entry) => [entry.code, entry]));

/** The catalogue's entry; undefined for a code that a newer version stored. */
export function reasonEntryOf(code: string): ReasonEntry | undefined {
  return entryByCode.get(code);
}
