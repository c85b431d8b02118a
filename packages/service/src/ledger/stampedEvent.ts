import type { OutcomeEvent, Reporter } from '../domain/outcomeEvent.js';

/** An event with all that is decided at the moment of writing. */
export interface StampedEvent {
  readonly event: OutcomeEvent;
  readonly reporter: Reporter;
  readonly subjectId: string;
  readonly eventId: string;
  readonly createdAt: Date;
}

/** What became of one reported event. */
export interface EventOutcome {
  readonly status: 'created' | 'skipped';
  /** Of the event written, or of the first one with the same item key. */
  readonly eventId: string;
  /** A repeat whose content is not that of the first. */
  readonly contentDiffers: boolean;
}
