import type { StakeLevel } from '@reliability/scoring';
import { detectRisk } from '#domain/riskSignals/detectRisk.js';
import type { RiskEvent, RiskFacts } from '#domain/riskSignals/riskFacts.js';
import { DAY_MS, HOUR_MS } from '#domain/timestamp.js';
import { seededRandom } from '#kit/seededRandom.js';

export type Job = Partial<RiskEvent>;

/** A kept agreement, verified on the platform's word. */
export function reportedJob(more: Job = {}): RiskEvent {
  return {
    eventType: 'CONTRACT_FULFILLED',
    stakeLevel: 'MEDIUM',
    isVerified: true,
    transactionValue: null,
    dueDate: null,
    completedAt: null,
    createdAt: new Date(),
    imported: false,
    attester: null,
    ...more,
  };
}

export const NOW = new Date('2026-03-01T12:00:00.000Z');

export function daysAgo(days: number, plusMs = 0): Date {
  return new Date(NOW.getTime() - days * DAY_MS + plusMs);
}

export function many<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

/** The risk that these events show, of a person whom nobody else is connected with. */
export function riskOf(events: readonly RiskEvent[], more: Partial<RiskFacts> = {}) {
  return detectRisk({
    self: 'self',
    subjectType: 'PERSON',
    events,
    eventsOnRecord: events.length,
    confirmations: new Map(),
    names: new Map(),
    answers: { confirmed: 0, byAsker: 0 },
    now: NOW,
    ...more,
  });
}

interface Market {
  count: number;
  seed: number;
  now: Date;
}

/** How people of a trade work and report. */
interface Trade {
  readonly jobsPerDay: number;
  /** Shares of HIGH and LOW jobs. */
  readonly high: number;
  readonly low: number;
  /** Hours from the promise to the due date. */
  readonly termHours: number;
  /** Jobs that end within minutes of one another, as the stops of one tour. */
  readonly tour: number;
}

const TRADES: readonly Trade[] = [
  { jobsPerDay: 0.03, high: 0.3, low: 0.1, termHours: 24 * 14, tour: 1 },
  { jobsPerDay: 0.15, high: 0.1, low: 0.2, termHours: 24 * 3, tour: 1 },
  { jobsPerDay: 0.8, high: 0.02, low: 0.5, termHours: 24, tour: 1 },
  { jobsPerDay: 4, high: 0.005, low: 0.8, termHours: 1, tour: 2 },
];

/**
 * The events of honest people over up to two years, newest first, at most the 1000 that the signals
 * read.
 */
export function simulateSubjects({ count, seed, now }: Market): RiskEvent[][] {
  const { fraction: random } = seededRandom(seed);
  return Array.from({ length: count }, (_, index) => {
    const trade = TRADES[index % TRADES.length] as Trade;
    const days = 20 + random() * 700;
    const kept = 0.85 + 0.14 * random();
    const events: RiskEvent[] = [];
    for (let day = -days; day < -1; day += exponential(random, trade.tour / trade.jobsPerDay)) {
      const tour = trade.tour === 1 ? 1 : 1 + Math.floor(random() * trade.tour * 1.5);
      for (let stop = 0; stop < tour; stop += 1) {
        const at = new Date(now.getTime() + day * DAY_MS + stop * exponential(random, 6 * 60_000));
        events.push(jobOf(trade, at, kept, now, random));
      }
    }
    return events.sort((left, right) => right.createdAt.getTime() - left.createdAt.getTime()).slice(0, 1000);
  });
}

function jobOf(trade: Trade, at: Date, kept: number, now: Date, random: () => number): RiskEvent {
  const isKept = random() < kept;
  const marginMs = (random() - 0.1) * trade.termHours * HOUR_MS;
  // Most platforms report at once, some the next day, and a complaint can take weeks.
  const delayMs = isKept ? exponential(random, HOUR_MS) : exponential(random, 3 * DAY_MS);
  const createdAt = new Date(Math.min(now.getTime(), at.getTime() + delayMs));
  return reportedJob({
    eventType: isKept ? 'CONTRACT_FULFILLED' : 'CONTRACT_BREACHED',
    stakeLevel: stakeOf(trade, random()),
    isVerified: random() < 0.8,
    transactionValue: Math.round(random() * 500),
    completedAt: at,
    dueDate: random() < 0.7 ? new Date(at.getTime() + marginMs) : null,
    createdAt,
    attester: `client-${Math.floor(random() * 200)}`,
  });
}

function stakeOf({ high, low }: Trade, chance: number): StakeLevel {
  if (chance < high) return 'HIGH';
  return chance < high + low ? 'LOW' : 'MEDIUM';
}

function exponential(random: () => number, mean: number): number {
  return -mean * Math.log(1 - random());
}
