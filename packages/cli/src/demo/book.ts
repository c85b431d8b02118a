import type { EventType, StakeLevel } from '@reliability/scoring';
import { DAY_MS } from '../../../service/src/domain/timestamp.js';
import { type Random, seededRandom } from '../../../service/src/kit/seededRandom.js';
import { personName, userIdOf } from './names.js';
import type { Persona, Phase } from './personas.js';
import type { PlatformPlan } from './platforms.js';

/** The sample data of one platform. */
export interface Book {
  /** Oldest first. */
  events: readonly DemoEvent[];
  /** Events of each subject, by its id. */
  eventCounts: ReadonlyMap<string, number>;
  spotlights: readonly { userId: string; name: string; about: string }[];
}

/** A row of the imported files. */
export interface DemoEvent {
  userId: string;
  eventType: EventType;
  /** An import lowers HIGH to MEDIUM. */
  stakeLevel: Exclude<StakeLevel, 'HIGH'>;
  isVerified: boolean;
  /** The customer who confirmed it. */
  verifiedBy?: string;
  transactionValue: number;
  dueDate: string;
  completedAt?: string;
  idempotencyKey: string;
  order: string;
  job: string;
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
] as const;
export const metadataColumns = ['order', 'job'] as const;

/**
 * The events of a platform's subjects in the year before `today` (a UTC midnight). Every run gives
 * the same events, with dates relative to `today`.
 */
export function makeBook(plan: PlatformPlan, today: Date): Book {
  const people = peopleOf(plan);
  const events = people.flatMap((person, index) => historyOf(plan, person, seededRandom(index + 1), today));
  const eventCounts = new Map<string, number>();
  for (const { userId } of events) eventCounts.set(userId, (eventCounts.get(userId) ?? 0) + 1);
  return {
    events: events.sort((a, b) => (a.dueDate < b.dueDate ? -1 : 1)),
    eventCounts,
    spotlights: people
      .slice(0, plan.spotlights.length)
      .map(({ userId, name, persona }) => ({ userId, name, about: persona.about })),
  };
}

interface Person {
  userId: string;
  name: string;
  persona: Persona;
}

function peopleOf({ spotlights, crowd }: PlatformPlan): Person[] {
  const others = crowd.flatMap(({ persona, count }) => Array.from({ length: count }, () => persona));
  return [...spotlights, ...others.map((persona, index) => ({ name: personName(index), persona }))].map(
    ({ name, persona }) => ({ userId: userIdOf(name), name, persona }),
  );
}

function historyOf(
  plan: PlatformPlan,
  { userId, persona }: Person,
  random: Random,
  today: Date,
): DemoEvent[] {
  const events: DemoEvent[] = [];
  for (const phase of persona.phases) {
    for (let month = phase.fromMonthsAgo; month >= phase.toMonthsAgo; month -= 1) {
      const jobs = Math.max(1, phase.jobsPerMonth + random.whole(-1, 1));
      for (let job = 0; job < jobs; job += 1) {
        const number = events.length + 1;
        events.push(outcomeOf(plan, userId, number, phase, dueDate(random, month, today), random));
      }
    }
  }
  return events;
}

const HOUR_MS = 60 * 60 * 1000;
const MONTH_DAYS = 30;
/**
 * Largest delay of a job. No job is due in the last hours of this length, so none ends in the
 * future.
 */
const LATEST_HOURS = 30;

function dueDate(random: Random, monthsAgo: number, today: Date): Date {
  const daysAgo = (monthsAgo - 1) * MONTH_DAYS + random.whole(3, MONTH_DAYS);
  return new Date(today.getTime() - daysAgo * DAY_MS + random.whole(7, 22) * HOUR_MS);
}

function outcomeOf(
  plan: PlatformPlan,
  userId: string,
  number: number,
  phase: Phase,
  due: Date,
  random: Random,
): DemoEvent {
  const { eventType, wasDone } = outcomeType(plan, phase, random.fraction());
  const isOnTime = random.fraction() < phase.onTime;
  const offsetMs = isOnTime ? -random.whole(0, 120) * 60_000 : random.whole(1, LATEST_HOURS) * HOUR_MS;
  const [lowest, highest] = plan.worth;
  const isVerified = random.fraction() < phase.confirmed;
  const customer = customerOf(plan, phase, random);
  const order = `${plan.code}-${userId}-${number}`;
  return {
    userId,
    eventType,
    stakeLevel: random.pick(['MEDIUM', 'MEDIUM', 'MEDIUM', 'LOW']),
    isVerified,
    ...(isVerified ? { verifiedBy: customer } : {}),
    transactionValue: random.whole(lowest, highest),
    dueDate: due.toISOString(),
    // Only delivered jobs have a completion date.
    ...(wasDone ? { completedAt: new Date(due.getTime() + offsetMs).toISOString() } : {}),
    idempotencyKey: `demo-${order}`,
    order,
    job: random.pick(plan.jobs),
  };
}

function customerOf({ customers }: PlatformPlan, { mainCustomer = 0 }: Phase, random: Random): string {
  return random.pick(random.fraction() < mainCustomer ? customers.slice(0, 1) : customers);
}

function outcomeType(
  { done, failed, cancelled }: PlatformPlan,
  phase: Phase,
  chance: number,
): { eventType: EventType; wasDone: boolean } {
  if (chance < phase.failed) return { eventType: failed, wasDone: false };
  if (chance < phase.failed + phase.contested) return { eventType: 'TRANSACTION_DISPUTED', wasDone: true };
  if (chance < phase.failed + phase.contested + phase.cancelled)
    return { eventType: cancelled, wasDone: false };
  return { eventType: done, wasDone: true };
}
