import type { StakeLevel } from '@reliability/scoring';
import type { ConfirmableEventType, WitnessType } from '../../../../domain/catalogues/enums.js';

/** The templates of one industry in `GET /outcome-templates`. */
export interface IndustryTemplates {
  readonly industry: string;
  readonly label: string;
  readonly description: string;
  readonly templates: readonly OutcomeTemplate[];
}

/**
 * A suggestion for reporting one kind of outcome. It writes nothing, scores nothing and verifies
 * nothing.
 *
 * `witness` is a party other than the worker who can confirm it, `confirmationHint` the question
 * for that party, `timingBasis` the meaning of `dueDate` and `completedAt` in this case.
 */
export interface OutcomeTemplate {
  readonly key: string;
  readonly label: string;
  readonly description: string;
  readonly eventType: ConfirmableEventType;
  /** False for an outcome that counts against the record. */
  readonly positive: boolean;
  readonly suggestedStake: StakeLevel;
  readonly witness: string;
  readonly witnessType: WitnessType;
  readonly confirmationHint: string;
  readonly timingBasis: string;
}
