import type { Reduction } from '../../domain/evidence.js';
import type { OutcomeEvent, Reporter } from '../../domain/outcomeEvent.js';

/** An event with everything that is decided when it is written. */
export interface StampedEvent {
  readonly event: OutcomeEvent;
  readonly reporter: Reporter;
  readonly subjectId: string;
  readonly eventId: string;
  readonly createdAt: Date;
  readonly isVerified: boolean;
  /** Who attested it; null: nobody named. */
  readonly attester: string | null;
  /**
   * Attested by the subject's own operator. The database adds all events of a platform's own
   * subjects.
   */
  readonly isByOperator: boolean;
  /** Why it is stored as unverified although it was reported as verified. */
  readonly reduced: Reduction;
  /**
   * Number of the declaration that decided its verification; 0: none in force. Null: not reported
   * as verified.
   */
  readonly judgedBy: number | null;
  /** The dispute that the event itself opens; null for nearly all events. */
  readonly opens: { readonly disputeId: string; readonly respondBy: Date } | null;
}

/** The outcome of one reported event. */
export interface EventOutcome {
  readonly status: 'created' | 'skipped';
  /** Id of the event written, or of the first event with the same item key. */
  readonly eventId: string;
  /** A repeated item key with different content. */
  readonly contentDiffers: boolean;
  /** Why it is stored as unverified although it was reported as verified. */
  readonly reduced: Reduction;
}
