import type { EventType, StakeLevel } from '@reliability/scoring';
import type { Random } from '../../../../packages/service/src/kit/seededRandom.js';

/** A person of a seeded book, with the reported outcomes. */
export interface Person {
  readonly externalId: string;
  readonly displayName: string;
  readonly subjectType: 'PERSON' | 'AGENT' | 'ORGANIZATION';
  readonly registeredAt: Date;
  readonly isFrozen: boolean;
  /** In the order of their reports. Empty: registered, without outcomes. */
  readonly deeds: readonly Deed[];
}

/** A reported outcome. */
export interface Deed {
  readonly eventType: EventType;
  readonly stakeLevel: StakeLevel;
  readonly isVerified: boolean;
  readonly transactionValue: number | null;
  readonly dueDate: Date | null;
  readonly completedAt: Date | null;
  readonly createdAt: Date;
}

/** How a group of people works. Shares are 0 to 1. `share` is the group's share of the book. */
interface Habit {
  share: number;
  failed: number;
  contested: number;
  cancelled: number;
  onTime: number;
  verified: number;
}

const habits: readonly Habit[] = [
  { share: 0.42, failed: 0.01, contested: 0.005, cancelled: 0.03, onTime: 0.97, verified: 0.9 },
  { share: 0.28, failed: 0.05, contested: 0.02, cancelled: 0.06, onTime: 0.82, verified: 0.75 },
  { share: 0.18, failed: 0.02, contested: 0.01, cancelled: 0.05, onTime: 0.9, verified: 0 },
  { share: 0.12, failed: 0.35, contested: 0.1, cancelled: 0.1, onTime: 0.5, verified: 0.85 },
];

const DAY_MS = 86_400_000;
const OLDEST_DAYS = 3 * 365;
const BLANK_SHARE = 0.01;
const FROZEN_SHARE = 0.0005;

/** Generates people. The same seed and day give the same book. `meanDeeds` is at least 1. */
export function* drawPeople(
  random: Random,
  { count, meanDeeds, now }: { count: number; meanDeeds: number; now: Date },
): Generator<Person> {
  for (let number = 0; number < count; number += 1) {
    const registeredAt = new Date(now.getTime() - OLDEST_DAYS * DAY_MS * random.fraction() ** 1.3 - DAY_MS);
    const isBlank = random.fraction() < BLANK_SHARE;
    const deeds = isBlank ? [] : drawDeeds(random, registeredAt, now, drawCount(random, meanDeeds));
    yield {
      externalId: `worker-${((number * 7_919) % count).toString().padStart(7, '0')}`,
      displayName: nameOf(number),
      subjectType: drawType(random),
      // a subject is created by its first event
      registeredAt: deeds[0]?.createdAt ?? registeredAt,
      isFrozen: !isBlank && random.fraction() < FROZEN_SHARE,
      deeds,
    };
  }
}

const words = (text: string) => text.split(' ');
const FIRST_NAMES = words(
  'Yuki Ana Jonas Mira Omar Lena Paulo Ines Kofi Greta Sami Noor Ivan Chiara Tomás Aiko Leon Zoë Hugo Asha Emil Fatima Luca Nia Oskar',
);
const LAST_NAMES = words(
  'Tanaka Müller Okafor Silva Novak Rossi Haddad Larsen Kim Mensah Weber Costa Ivanova Schmidt Nguyen Dubois Patel Moreau Fischer Sato',
);

/** Each of 500 names belongs to the same share of the book. */
function nameOf(number: number): string {
  const first = FIRST_NAMES[number % FIRST_NAMES.length];
  const last = LAST_NAMES[Math.floor(number / FIRST_NAMES.length) % LAST_NAMES.length];
  return `${first} ${last}`;
}

function drawType(random: Random): Person['subjectType'] {
  const at = random.fraction();
  return at < 0.96 ? 'PERSON' : at < 0.99 ? 'AGENT' : 'ORGANIZATION';
}

/** Most people have a few outcomes, some very many. The mean is as requested. */
function drawCount(random: Random, mean: number): number {
  const tail = (-Math.log(1 - random.fraction())) ** TAIL / MEAN_OF_TAIL;
  const more = (mean / (1 - BLANK_SHARE) - 1) * tail;
  return 1 + Math.floor(more + random.fraction()); // rounded at random, which keeps the mean
}

const TAIL = 1.7;
const MEAN_OF_TAIL = 1.5447; // Γ(2.7)

function drawDeeds(random: Random, from: Date, now: Date, count: number): Deed[] {
  const habit = drawHabit(random);
  // Two in five are still active. The others stopped earlier.
  const activeShare = random.fraction() < 0.4 ? 1 : random.fraction();
  const spanMs = (now.getTime() - from.getTime() - HOUR_MS) * activeShare;
  const moments = Array.from(
    { length: count },
    () => from.getTime() + Math.floor(random.fraction() * spanMs),
  );
  return moments.sort((a, b) => a - b).map((at) => drawDeed(random, habit, at));
}

const HOUR_MS = 3_600_000;

function drawHabit(random: Random): Habit {
  let at = random.fraction();
  for (const habit of habits) {
    at -= habit.share;
    if (at < 0) return habit;
  }
  return random.pick(habits);
}

function drawDeed(random: Random, habit: Habit, at: number): Deed {
  const eventType = drawOutcome(random, habit);
  const isDone = DONE.includes(eventType);
  const isLate = random.fraction() >= habit.onTime;
  return {
    eventType,
    stakeLevel: random.pick(STAKES),
    isVerified: random.fraction() < habit.verified,
    transactionValue: random.fraction() < 0.6 ? random.whole(20, 900) : null,
    dueDate:
      random.fraction() < 0.85 ? new Date(at + (isLate ? -1 : 1) * random.whole(1, 48) * HOUR_MS) : null,
    completedAt: isDone ? new Date(at) : null,
    createdAt: new Date(at + random.whole(1, 50) * 60_000),
  };
}

function drawOutcome(random: Random, habit: Habit): EventType {
  const at = random.fraction();
  if (at < habit.failed) return 'CONTRACT_BREACHED';
  if (at < habit.failed + habit.contested) return 'TRANSACTION_DISPUTED';
  if (at < habit.failed + habit.contested + habit.cancelled) return 'TRANSACTION_CANCELLED';
  return random.pick(DONE);
}

const DONE: readonly EventType[] = ['TRANSACTION_COMPLETED', 'CONTRACT_FULFILLED', 'REVIEW_VERIFIED'];
const STAKES: readonly StakeLevel[] = ['LOW', 'MEDIUM', 'MEDIUM', 'HIGH'];
