import { dayOf, type EventType, occurredAt, type PlatformTier } from '@reliability/scoring';
import {
  type BacktestOptions,
  createBacktest,
  cutoffsOf,
  type OtherFormula,
} from '#domain/backtest/backtest.js';
import type { BacktestReport } from '#domain/backtest/report.js';
import type { BacktestEvent } from '#domain/backtest/subjectFold.js';
import type { SubjectType } from '#domain/catalogues/enums.js';
import { DAY_MS } from '#domain/timestamp.js';
import { type Random, seededRandom } from '#kit/seededRandom.js';

export const TODAY = 20_000;
export const OPTIONS: BacktestOptions = {
  by: 'recorded',
  everyDays: 30,
  horizonDays: 90,
  from: null,
  to: null,
};

export type MarketEvent = BacktestEvent & { eventId: string };

export interface MarketSubject {
  subjectId: string;
  subjectType: SubjectType;
  /** In the order of recording. */
  events: MarketEvent[];
}

/** Subjects with two years of outcomes, late reports and disputes, each as reliable as chance made it. */
export function makeMarket(subjects: number, lastDay: number): MarketSubject[] {
  return Array.from({ length: subjects }, (_, index) => {
    const random = seededRandom(index + 1);
    return {
      subjectId: `00000000-0000-8000-8000-${String(index).padStart(12, '0')}`,
      subjectType: random.pick(['PERSON', 'PERSON', 'AGENT', 'ORGANIZATION'] as const),
      events: eventsOf(index, random, lastDay),
    };
  });
}

function eventsOf(subject: number, random: Random, lastDay: number): MarketEvent[] {
  const reliability = 0.4 + 0.6 * random.fraction();
  const firstDay = lastDay - random.whole(60, 730);
  const events: MarketEvent[] = [];
  for (let number = random.whole(3, 25); number > 0; number -= 1) {
    const happenedAt = firstDay * DAY_MS + random.whole(0, (lastDay - firstDay) * DAY_MS - 1);
    const delayDays = random.pick([0, 0, 0, 1, 10, 100]);
    const event: MarketEvent = {
      eventId: `${subject}-${number}`,
      eventType: typeOf(random, reliability),
      stakeLevel: random.pick(['HIGH', 'MEDIUM', 'LOW'] as const),
      platformTier: random.pick<PlatformTier>(['ENTERPRISE', 'GROWTH', 'STARTER']),
      isVerified: random.fraction() < 0.8,
      createdAt: new Date(Math.min(happenedAt + delayDays * DAY_MS, lastDay * DAY_MS - 1)),
      completedAt: random.fraction() < 0.9 ? new Date(happenedAt) : null,
      dueDate: random.fraction() < 0.5 ? new Date(happenedAt + random.whole(-1, 2) * DAY_MS) : null,
      disputeId: null,
      closesEventId: null,
    };
    events.push(event);
    const isDisputable = ['TRANSACTION_DISPUTED', 'CONTRACT_BREACHED'].includes(event.eventType);
    if (isDisputable && random.fraction() < 0.7) events.push(...disputeOf(event, random, lastDay));
  }
  return events.sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
}

function typeOf(random: Random, reliability: number): EventType {
  const chance = random.fraction();
  if (chance < 0.05) return 'CONTRACT_CANCELLED';
  if (chance < 0.15) return 'TRANSACTION_DISPUTED';
  return random.fraction() < reliability ? 'CONTRACT_FULFILLED' : 'CONTRACT_BREACHED';
}

/** What the dispute engine writes about an event: a filing unless the event is its own, and an end. */
function disputeOf(about: MarketEvent, random: Random, lastDay: number) {
  const disputeId = `dispute-${about.eventId}`;
  const later = (at: Date, days: number) =>
    new Date(Math.min(at.getTime() + days * DAY_MS, lastDay * DAY_MS - 1));
  const written = { ...about, disputeId, completedAt: null, dueDate: null };
  const filedAt = later(about.createdAt, random.whole(0, 5));
  const isFiled = about.eventType !== 'TRANSACTION_DISPUTED';
  const filing = {
    ...written,
    eventId: `${disputeId}-filed`,
    eventType: 'DISPUTE_FILED' as const,
    createdAt: filedAt,
  };
  const ending = {
    ...written,
    eventId: `${disputeId}-end`,
    eventType: random.pick(['DISPUTE_RESOLVED_FOR_USER', 'DISPUTE_RESOLVED_AGAINST_USER'] as const),
    createdAt: later(filedAt, random.whole(0, 40)),
    closesEventId: isFiled ? filing.eventId : about.eventId,
  };
  const isOpen = random.fraction() < 0.2;
  return [...(isFiled ? [filing] : []), ...(isOpen ? [] : [ending])];
}

export function firstEventOn(market: readonly MarketSubject[], by: BacktestOptions['by']): number {
  const days = market.flatMap(({ events }) => events.map((event) => knownFrom(event, by)));
  return dayOf(new Date(Math.min(...days)));
}

/** The moment from which an event counts. */
export function knownFrom(event: BacktestEvent, by: BacktestOptions['by']): number {
  return (by === 'recorded' ? event.createdAt : occurredAt(event)).getTime();
}

export function backtest(
  market: readonly MarketSubject[],
  options: BacktestOptions = OPTIONS,
  other: OtherFormula | null = null,
): BacktestReport {
  const first = market.length === 0 ? null : firstEventOn(market, options.by);
  const cutoffs = cutoffsOf(options, first, TODAY);
  const run = createBacktest({ options, cutoffs, today: TODAY, other });
  for (const { subjectId, subjectType, events } of market) {
    const fold = run.fold();
    for (const event of events) fold.add(event);
    run.take(subjectId, subjectType, fold);
  }
  return run.report();
}
