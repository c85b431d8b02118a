import { ingestibleEventTypes } from '../../../packages/service/src/domain/catalogues/enums.js';

/** Number of subjects in a load. */
export const SUBJECTS = 10_000;

export type EventBody = Readonly<Record<string, unknown>>;

/** Typical bodies of POST /events. The same seed gives the same bodies. */
export function eventBodies(count: number, seed = 1): EventBody[] {
  const random = randomFrom(seed);
  const now = Date.now();
  return Array.from({ length: count }, () => eventBody(random, now));
}

/** Bodies of POST /events/batch. */
export function batchBodies(count: number, eventsEach: number, seed = 1): { events: EventBody[] }[] {
  const events = eventBodies(count * eventsEach, seed);
  return Array.from({ length: count }, (_, index) => ({
    events: events.slice(index * eventsEach, (index + 1) * eventsEach),
  }));
}

/** Name of the subject with this number. */
export function subjectName(index: number): string {
  return `worker-${100_000 + index}`;
}

const HOUR_MS = 3_600_000;

// Mostly good work reported within three days, mostly with a due date and a reference of the platform.
function eventBody(random: () => number, now: number): EventBody {
  const completedAt = now - random() * 72 * HOUR_MS;
  return {
    userId: subjectName(Math.floor(random() * SUBJECTS)),
    eventType: random() < 0.8 ? pick(random, GOOD) : pick(random, ingestibleEventTypes),
    stakeLevel: pick(random, ['HIGH', 'MEDIUM', 'MEDIUM', 'LOW']),
    isVerified: random() < 0.7,
    ...(random() < 0.6 ? { transactionValue: Math.round(random() * 200_000) / 100 } : {}),
    ...(random() < 0.7 ? { dueDate: isoTime(completedAt + (random() - 0.3) * 24 * HOUR_MS) } : {}),
    completedAt: isoTime(completedAt),
    ...(random() < 0.6 ? { metadata: { orderId: `A-${Math.floor(random() * 1e6)}`, channel: 'app' } } : {}),
  };
}

const GOOD = [
  'TRANSACTION_COMPLETED',
  'TRANSACTION_COMPLETED',
  'CONTRACT_FULFILLED',
  'REVIEW_VERIFIED',
] as const;

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

function pick<T>(random: () => number, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)] as T;
}

/** Pseudorandom numbers from 0 to below 1 (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
