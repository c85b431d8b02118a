import type { Reduction } from '../../domain/evidence.js';
import type { OutcomeEvent, Reporter } from '../../domain/outcomeEvent.js';

/** An event with all that is decided at the moment of writing. */
export interface StampedEvent {
  readonly event: OutcomeEvent;
  readonly reporter: Reporter;
  readonly subjectId: string;
  readonly eventId: string;
  readonly createdAt: Date;
  readonly isVerified: boolean;
  /** Who confirmed it; null where nobody is known to have. */
  readonly attester: string | null;
  /** It rests on the word of the one who runs its subject. The database adds all that is reported of a platform's own subjects. */
  readonly isByOperator: boolean;
  /** Why it is recorded as unverified though it was reported as verified. */
  readonly reduced: Reduction;
  /** The declaration of its subject that it was judged by, 0: none is in force. Null: it was not, since nobody says it is verified. */
  readonly judgedBy: number | null;
  /** The dispute that opens with it; null for nearly every event. */
  readonly opens: OpeningDispute | null;
}

/** A dispute that opens with the very event it is about. */
export interface OpeningDispute {
  readonly disputeId: string;
  readonly respondBy: Date;
}

/** What became of one reported event. */
export interface EventOutcome {
  readonly status: 'created' | 'skipped';
  /** Of the event written, or of the first one with the same item key. */
  readonly eventId: string;
  /** A repeat whose content is not that of the first. */
  readonly contentDiffers: boolean;
  /** Why it is recorded as unverified though it was reported as verified. */
  readonly reduced: Reduction;
}
