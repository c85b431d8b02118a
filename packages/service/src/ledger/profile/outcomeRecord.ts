import { shareOf } from '../../domain/points.js';
import { partyKeyOf } from '../../domain/sameParty.js';

interface Sums {
  outcomes: number;
  /** Positive outcomes. */
  deliveries: number;
  /** Deliveries with a due date and a completion date. */
  timed: number;
  onTime: number;
}

/** Counts of the outcomes of one record that share an attester. */
export interface AttestedOutcomes extends Readonly<Sums> {
  /** As the score counts them: decided when they were reported. */
  readonly isVerified: boolean;
  /** Attested by the subject's own operator. */
  readonly isByOperator: boolean;
  /** The attester as reported; null: none. */
  readonly attester: string | null;
}

/** The outcome record. Every reader gets the same figures. */
export interface OutcomeRecord {
  readonly deliveries: DeliveryRecord;
  readonly business: BusinessRecord;
}

/** Facts of a record other than its outcome counts. */
interface RecordFacts {
  readonly failures: number;
  readonly disputes: number;
  /** When a declaration last replaced another; null: never. */
  readonly declarationChangedAt: Date | null;
}

export interface DeliveryRecord extends RecordFacts {
  readonly deliveriesRecorded: number;
  readonly confirmedDeliveries: number;
  readonly operatorVouched: number;
  readonly selfAttested: number;
  readonly onTimeRate: number | null;
}

export interface BusinessRecord extends RecordFacts {
  readonly outcomesRecorded: number;
  readonly confirmedOutcomes: number;
  readonly selfAttested: number;
  readonly onTimeRate: number | null;
  readonly verificationDepth: number | null;
  readonly distinctConfirmingCounterparties: number;
}

/** Who attests an outcome. Only a counterparty is evidence. */
type Word = 'counterparty' | 'operator' | 'self';

/** An outcome is confirmed exactly when the score counts it as verified. */
export function outcomeRecordOf(rows: readonly AttestedOutcomes[], facts: RecordFacts): OutcomeRecord {
  const sums: Record<Word, Sums> = { counterparty: noSums(), operator: noSums(), self: noSums() };
  const attesters = new Set<string>();
  for (const row of rows) {
    const word = wordOf(row);
    add(sums[word], row);
    if (word === 'counterparty' && row.attester !== null) attesters.add(partyKeyOf(row.attester));
  }
  const { counterparty, operator, self } = sums;
  const outcomesRecorded = counterparty.outcomes + operator.outcomes + self.outcomes;
  const common = { ...facts, onTimeRate: shareOf(counterparty.onTime, counterparty.timed) };
  return {
    deliveries: {
      deliveriesRecorded: counterparty.deliveries + operator.deliveries + self.deliveries,
      confirmedDeliveries: counterparty.deliveries,
      operatorVouched: operator.deliveries,
      selfAttested: self.deliveries,
      ...common,
    },
    business: {
      outcomesRecorded,
      confirmedOutcomes: counterparty.outcomes,
      selfAttested: operator.outcomes + self.outcomes,
      ...common,
      verificationDepth: shareOf(counterparty.outcomes, outcomesRecorded),
      distinctConfirmingCounterparties: attesters.size,
    },
  };
}

function wordOf({ isVerified, isByOperator }: AttestedOutcomes): Word {
  if (isVerified) return 'counterparty';
  return isByOperator ? 'operator' : 'self';
}

function noSums(): Sums {
  return { outcomes: 0, deliveries: 0, timed: 0, onTime: 0 };
}

function add(sums: Sums, row: Sums): void {
  sums.outcomes += row.outcomes;
  sums.deliveries += row.deliveries;
  sums.timed += row.timed;
  sums.onTime += row.onTime;
}
