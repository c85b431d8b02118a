import {
  type EventType,
  type PlatformTier,
  type Score,
  type StakeLevel,
  score,
  type Tally,
  type Timeliness,
} from '@reliability/scoring';

/** The example record of the page /how. The server shows it once, the browser after each change. */
export interface ExampleRecord {
  readonly counts: Readonly<Record<Outcome, number>>;
  /** Days since the outcomes, the same for all. */
  readonly ageDays: number;
  readonly stakeLevel: StakeLevel;
  readonly platformTier: PlatformTier;
}

export const outcomes = ['onTime', 'late', 'broken', 'disputed', 'unconfirmed'] as const;
export type Outcome = (typeof outcomes)[number];

export const maxCounts: Readonly<Record<Outcome, number>> = {
  onTime: 60,
  late: 30,
  broken: 10,
  disputed: 10,
  unconfirmed: 60,
};
export const MAX_AGE_DAYS = 1080;
export const AGE_STEP_DAYS = 30;

export const firstExample: ExampleRecord = {
  counts: { onTime: 8, late: 1, broken: 0, disputed: 0, unconfirmed: 4 },
  ageDays: 30,
  stakeLevel: 'MEDIUM',
  platformTier: 'ENTERPRISE',
};

const facts: Readonly<
  Record<Outcome, { eventType: EventType; isVerified: boolean; timeliness: Timeliness }>
> = {
  onTime: { eventType: 'CONTRACT_FULFILLED', isVerified: true, timeliness: 'on_time' },
  late: { eventType: 'CONTRACT_FULFILLED', isVerified: true, timeliness: 'late' },
  broken: { eventType: 'CONTRACT_BREACHED', isVerified: true, timeliness: 'untimed' },
  disputed: { eventType: 'TRANSACTION_DISPUTED', isVerified: true, timeliness: 'untimed' },
  unconfirmed: { eventType: 'CONTRACT_FULFILLED', isVerified: false, timeliness: 'untimed' },
};

/**
 * The score of the example, by the formula that the service uses.
 * @param daysLater without any further outcome.
 * @returns null if there is no outcome.
 */
export function scoreOf({ counts, ageDays, ...weights }: ExampleRecord, daysLater = 0): Score | null {
  const tallies = outcomes.map(
    (outcome): Tally => ({
      ...facts[outcome],
      ...weights,
      day: -ageDays,
      count: counts[outcome],
    }),
  );
  return score(tallies, daysLater);
}
