import type { OutcomeEvent, Reporter } from '../domain/outcomeEvent.js';

/** An event with all that is decided at the moment of writing. */
export interface StampedEvent {
  readonly event: OutcomeEvent;
  readonly reporter: Reporter;
  readonly subjectId: string;
  readonly eventId: string;
  readonly createdAt: Date;
  /**
   * Where its reporter alone says that it is verified: whether its subject is taken to be the reporter's own, and it is recorded as
   * unverified therefore (ownSubjects). Null for all other events.
   */
  readonly takenAsOwn: boolean | null;
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
  /** It was reported as verified and stands as unverified, since its reporter answers for the subject itself. */
  readonly isReduced: boolean;
}
