import type { EventType, StakeLevel } from '@reliability/scoring';
import { DAY_MS, HOUR_MS } from '../../../service/src/domain/timestamp.js';
import { type Random, seededRandom } from '../../../service/src/kit/seededRandom.js';
import { demoPeople, type Person, type Phase, type PlatformPlan, type ToldJob } from './data.js';

/** A job and how it ended, as its platform reports it. */
export interface Outcome {
  userId: string;
  eventType: EventType;
  stakeLevel: StakeLevel;
  isVerified: boolean;
  /** The customer who confirmed it. */
  verifiedBy?: string;
  transactionValue: number;
  dueDate: string;
  completedAt?: string;
  idempotencyKey: string;
  job: string;
  customer: string;
  /** The customer is asked on a page, instead of being named in the report. */
  isAsked: boolean;
}

export const outcomeColumns = [
  'userId',
  'eventType',
  'stakeLevel',
  'isVerified',
  'verifiedBy',
  'transactionValue',
  'dueDate',
  'completedAt',
  'idempotencyKey',
  'job',
] as const satisfies readonly (keyof Outcome)[];

const MONTH_DAYS = 31;
/** Largest delay of a job. */
const LATEST_HOURS = 30;

/** Days from the first report to today. */
export const YEAR_DAYS = 12 * MONTH_DAYS;

/**
 * The outcomes of a platform in the year before `today` (a UTC midnight), oldest first. Every run gives
 * the same, with dates relative to `today`.
 */
export function makeBook(plan: PlatformPlan, today: Date): Outcome[] {
  const people = demoPeople[plan.key] ?? [];
  const outcomes = people.flatMap((person, index) => historyOf(plan, person, seededRandom(index + 1), today));
  return outcomes.sort((a, b) => (endOf(a) < endOf(b) ? -1 : 1));
}

/** When it is known how the job ended. */
export function endOf({ completedAt, dueDate }: Outcome): string {
  return completedAt ?? dueDate;
}

function historyOf(plan: PlatformPlan, person: Person, random: Random, today: Date): Outcome[] {
  const outcomes: Outcome[] = [];
  const moment = (daysAgo: number) =>
    new Date(today.getTime() - daysAgo * DAY_MS + random.whole(7, 22) * HOUR_MS);
  const next = () => `${plan.code}-${person.userId}-${outcomes.length + 1}`;
  for (const phase of person.phases) {
    for (let month = phase.from; month >= phase.to; month -= 1) {
      const jobs = Math.max(1, phase.jobs + random.whole(-1, 1));
      for (let job = 0; job < jobs; job += 1) {
        // Who has been there for a year is on record from its first days on.
        const isFirst = outcomes.length === 0 && month * MONTH_DAYS === YEAR_DAYS;
        const daysAgo = isFirst ? YEAR_DAYS : (month - 1) * MONTH_DAYS + random.whole(2, MONTH_DAYS);
        outcomes.push(outcomeOf(plan, person, phase, next(), moment(daysAgo), random));
      }
    }
  }
  for (const told of person.told)
    outcomes.push(toldOutcome(plan, person, told, next(), moment(told.daysAgo), random));
  return outcomes;
}

function outcomeOf(
  plan: PlatformPlan,
  { userId }: Person,
  phase: Phase,
  order: string,
  due: Date,
  random: Random,
): Outcome {
  const { eventType, wasDone } = outcomeType(plan, phase, random.fraction());
  const isOnTime = random.fraction() < phase.onTime;
  const offsetMs = isOnTime ? -random.whole(0, 120) * 60_000 : random.whole(1, LATEST_HOURS) * HOUR_MS;
  const isVerified = random.fraction() < phase.confirmed;
  const customer = customerOf(plan, phase, random);
  const isAsked = isVerified && eventType === plan.done && random.fraction() < plan.asked;
  return {
    userId,
    eventType,
    stakeLevel: random.pick(['MEDIUM', 'MEDIUM', 'MEDIUM', 'LOW']),
    isVerified,
    ...(isVerified ? { verifiedBy: customer } : {}),
    transactionValue: worthOf(plan, random),
    dueDate: due.toISOString(),
    // Only delivered jobs have a completion date.
    ...(wasDone ? { completedAt: new Date(due.getTime() + offsetMs).toISOString() } : {}),
    idempotencyKey: order,
    job: random.pick(plan.jobs),
    customer,
    isAsked,
  };
}

function toldOutcome(
  plan: PlatformPlan,
  { userId }: Person,
  { outcome, stakeLevel, customer, job }: ToldJob,
  order: string,
  due: Date,
  random: Random,
): Outcome {
  const isLate = outcome === 'late';
  return {
    userId,
    eventType: isLate ? plan.done : plan.failed,
    stakeLevel,
    isVerified: true,
    verifiedBy: customer,
    transactionValue: worthOf(plan, random),
    dueDate: due.toISOString(),
    ...(isLate ? { completedAt: new Date(due.getTime() + LATEST_HOURS * HOUR_MS).toISOString() } : {}),
    idempotencyKey: order,
    job,
    customer,
    isAsked: false,
  };
}

function worthOf({ worth: [lowest = 0, highest = 0] }: PlatformPlan, random: Random): number {
  return random.whole(lowest, highest);
}

function customerOf({ customers }: PlatformPlan, { mainCustomer = 0 }: Phase, random: Random): string {
  return random.pick(random.fraction() < mainCustomer ? customers.slice(0, 1) : customers);
}

function outcomeType(
  { done, failed, cancelled }: PlatformPlan,
  { failed: failedShare = 0, contested = 0, cancelled: cancelledShare = 0 }: Phase,
  chance: number,
): { eventType: EventType; wasDone: boolean } {
  if (chance < failedShare) return { eventType: failed, wasDone: false };
  if (chance < failedShare + contested) return { eventType: 'TRANSACTION_DISPUTED', wasDone: true };
  if (chance < failedShare + contested + cancelledShare) return { eventType: cancelled, wasDone: false };
  return { eventType: done, wasDone: true };
}
