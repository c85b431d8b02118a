import type { PartyKeys } from './declaredSubject.js';
import { partyKeyOf } from './sameParty.js';
import { shareOf } from './share.js';

/** Outcomes of one subject in a record that have the same witness, counted. */
export interface WitnessedOutcomes {
  /** Its platform operates or controls the subject itself. */
  readonly isOwn: boolean;
  readonly isVerified: boolean;
  /** Whom the reporter or the confirmation named, as written; null for nobody. */
  readonly witness: string | null;
  /** Many were named, too many to tell them apart: `witness` is null therefore. */
  readonly isOfMany: boolean;
  readonly outcomes: number;
  /** Positive ones among them. */
  readonly deliveries: number;
  /** Deliveries with both dates, and those of them that were on time. */
  readonly timed: number;
  readonly onTime: number;
}

/** What a record comes to, whoever asks (INTERFACE 2.3). */
export interface OutcomeRecord {
  readonly deliveries: DeliveryRecord;
  readonly business: BusinessRecord;
}

export interface DeliveryRecord {
  readonly deliveriesRecorded: number;
  readonly confirmedDeliveries: number;
  readonly operatorVouched: number;
  readonly selfAttested: number;
  readonly failures: number;
  readonly disputes: number;
  readonly onTimeRate: number | null;
}

export interface BusinessRecord {
  readonly outcomesRecorded: number;
  readonly confirmedOutcomes: number;
  readonly selfAttested: number;
  readonly failures: number;
  readonly disputes: number;
  readonly onTimeRate: number | null;
  readonly verificationDepth: number | null;
  readonly distinctConfirmingCounterparties: number;
}

/** On whose word an outcome stands. Only the first is evidence. */
type Word = 'counterparty' | 'operator' | 'self';

interface Sums {
  outcomes: number;
  deliveries: number;
  timed: number;
  onTime: number;
}

/**
 * Folds the outcomes of a record. One is confirmed when it is verified and its witness is neither the subject nor the one who runs
 * it, under any spelling; where nobody is named, the reporter says that somebody was, which counts unless it is the operator.
 */
export function outcomeRecordOf(
  rows: readonly WitnessedOutcomes[],
  parties: PartyKeys,
  { failures, disputes }: { failures: number; disputes: number },
): OutcomeRecord {
  const sums: Record<Word, Sums> = { counterparty: noSums(), operator: noSums(), self: noSums() };
  const witnesses = new Set<string>();
  for (const row of rows) {
    const key = row.witness === null ? '' : partyKeyOf(row.witness);
    const word = wordOf(row, key, parties);
    add(sums[word], row);
    if (word === 'counterparty' && key !== '') witnesses.add(key);
  }
  const { counterparty, operator, self } = sums;
  const outcomesRecorded = counterparty.outcomes + operator.outcomes + self.outcomes;
  const common = { failures, disputes, onTimeRate: shareOf(counterparty.onTime, counterparty.timed) };
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
      distinctConfirmingCounterparties: witnesses.size,
    },
  };
}

function wordOf({ isOwn, isVerified, isOfMany }: WitnessedOutcomes, key: string, parties: PartyKeys): Word {
  const reporter: Word = isOwn ? 'operator' : 'self';
  if (!isVerified) return reporter;
  if (key === '') return isOwn && !isOfMany ? 'operator' : 'counterparty';
  if (parties.operator.has(key)) return 'operator';
  return parties.self.has(key) ? reporter : 'counterparty';
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
