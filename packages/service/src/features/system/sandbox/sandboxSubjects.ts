import type { EventType, StakeLevel } from '@reliability/scoring';
import type { OutcomeEvent } from '#domain/outcomeEvent.js';
import { DAY_MS } from '#domain/timestamp.js';

/** A synthetic subject with its whole history, laid out backwards from `now`. */
export interface SandboxSubject {
  readonly userId: string;
  /** Shown to the integrator: what to look for. */
  readonly about: string;
  readonly events: readonly OutcomeEvent[];
}

/**
 * Five histories that end in five different bands, so that an integrator sees every kind of answer.
 */
export function sandboxSubjects(now: Date): SandboxSubject[] {
  return plans.map(({ userId, about, history }) => ({
    userId,
    about,
    events: history.map((outcome, index) => eventOf(userId, outcome, index, now)),
  }));
}

interface Outcome {
  daysAgo: number;
  eventType: EventType;
  timing: 'on time' | 'late' | 'untimed' | 'never delivered';
  isVerified: boolean;
  stakeLevel?: StakeLevel;
  value: number;
}

const confirmed = { isVerified: true } as const;

const plans: readonly { userId: string; about: string; history: readonly Outcome[] }[] = [
  {
    userId: 'sandbox-steady',
    about: 'Thirty confirmed jobs over eleven months, all on time.',
    history: series(30, 4, 11, (index) => ({
      ...confirmed,
      eventType: index % 3 === 0 ? 'TRANSACTION_COMPLETED' : 'CONTRACT_FULFILLED',
      stakeLevel: index % 2 === 0 ? 'MEDIUM' : 'HIGH',
      timing: 'on time',
      value: 320 + 15 * (index % 7),
    })),
  },
  {
    userId: 'sandbox-dependable',
    about: 'Sixteen confirmed jobs, three of them late. Reliable, but not perfect.',
    history: series(16, 6, 13, (index) => ({
      ...confirmed,
      eventType: 'TRANSACTION_COMPLETED',
      timing: index % 5 === 4 ? 'late' : 'on time',
      value: 180 + 10 * (index % 5),
    })),
  },
  {
    userId: 'sandbox-uneven',
    about: 'Confirmed work, a third of it late, one broken contract and one unconfirmed outcome.',
    history: [
      ...series(14, 5, 12, (index) => ({
        ...confirmed,
        eventType: 'CONTRACT_FULFILLED',
        timing: index % 3 === 2 ? 'late' : 'on time',
        value: 240,
      })),
      { ...confirmed, daysAgo: 90, eventType: 'CONTRACT_BREACHED', timing: 'never delivered', value: 240 },
      { daysAgo: 40, eventType: 'TRANSACTION_COMPLETED', timing: 'untimed', isVerified: false, value: 95 },
    ],
  },
  {
    userId: 'sandbox-newcomer',
    about: 'Three self-reported jobs that nobody confirmed, so the score stays Unproven.',
    history: series(3, 2, 6, () => ({
      eventType: 'TRANSACTION_COMPLETED',
      timing: 'untimed',
      isVerified: false,
      value: 60,
    })),
  },
  {
    userId: 'sandbox-failing',
    about:
      'Four confirmed breaches and an open dispute within ten weeks. Only a history like this reaches High Risk.',
    history: [
      { ...confirmed, daysAgo: 70, eventType: 'TRANSACTION_COMPLETED', timing: 'late', value: 150 },
      { ...confirmed, daysAgo: 45, eventType: 'CONTRACT_BREACHED', timing: 'never delivered', value: 150 },
      { ...confirmed, daysAgo: 33, eventType: 'TRANSACTION_DISPUTED', timing: 'untimed', value: 150 },
      ...[20, 3].map(
        (daysAgo): Outcome => ({
          ...confirmed,
          daysAgo,
          eventType: 'CONTRACT_BREACHED',
          stakeLevel: 'HIGH',
          timing: 'never delivered',
          value: 400,
        }),
      ),
      { ...confirmed, daysAgo: 12, eventType: 'CONTRACT_BREACHED', timing: 'never delivered', value: 150 },
    ],
  },
];

/** `count` outcomes: the latest is `firstDaysAgo` old, each further one `stepDays` older. */
function series(
  count: number,
  firstDaysAgo: number,
  stepDays: number,
  outcomeAt: (index: number) => Omit<Outcome, 'daysAgo'>,
): Outcome[] {
  return Array.from({ length: count }, (_, index) => ({
    ...outcomeAt(index),
    daysAgo: firstDaysAgo + index * stepDays,
  }));
}

const HOUR_MS = 60 * 60 * 1000;

function eventOf(userId: string, outcome: Outcome, index: number, now: Date): OutcomeEvent {
  const at = new Date(now.getTime() - outcome.daysAgo * DAY_MS);
  return {
    externalId: userId,
    eventType: outcome.eventType,
    stakeLevel: outcome.stakeLevel ?? 'MEDIUM',
    isVerified: outcome.isVerified,
    transactionValue: outcome.value,
    ...datesOf(outcome.timing, at),
    attester: null,
    metadata: { source: 'sandbox' },
    // The same for every seeding, so that a second one adds nothing.
    itemKey: `sandbox:${userId}:${index}`,
    imported: false,
  };
}

function datesOf(timing: Outcome['timing'], at: Date): Pick<OutcomeEvent, 'dueDate' | 'completedAt'> {
  switch (timing) {
    case 'on time':
      return { completedAt: at, dueDate: new Date(at.getTime() + 6 * HOUR_MS) };
    case 'late':
      return { completedAt: at, dueDate: new Date(at.getTime() - 2 * DAY_MS) };
    case 'untimed':
      return { completedAt: at, dueDate: null };
    case 'never delivered':
      return { completedAt: null, dueDate: at };
  }
}
