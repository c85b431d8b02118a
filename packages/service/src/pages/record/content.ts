import type { ShareToken } from '#ledger/issuing/shareTokens.js';
import type { Review } from '../../features/attestation/reviews/schemas.js';
import type { OwnRecord } from '../../features/records/own/readOwnRecord.js';
import type { Suggestions } from '../../features/subjects/scores/suggestions/suggestions.js';

/** What the page of a record shows. */
export interface RecordContent {
  readonly token: string;
  readonly livemode: boolean;
  readonly record: OwnRecord;
  readonly suggestions: Suggestions['suggestions'];
  readonly reviews: readonly Review[];
  /** The active share token, if there is one. */
  readonly share: ShareToken | null;
  /** The outcome that the reader objects to; null: none yet, or the whole record. */
  readonly eventId: string | null;
  /** Where this page of the outcomes begins. Undefined: with the newest one. */
  readonly page: string | undefined;
  /** The text of an objection that could not be opened. */
  readonly refused: string | null;
}

/** The query that leads to the same page of the outcomes, in the same language. Escaped by `html`. */
export function queryOf({ page }: Pick<RecordContent, 'page'>, language: string): string {
  return page === undefined ? `?lang=${language}` : `?lang=${language}&page=${page}`;
}
