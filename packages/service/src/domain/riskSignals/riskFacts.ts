import { type EventType, occurredAt, outcomeClassOf, type StakeLevel } from '@reliability/scoring';
import type { subjectTypes } from '../catalogues/enums.js';
import { shareOf } from '../points.js';
import { DAY_MS } from '../timestamp.js';

/** An event as the detectors read it. Only events of the platform that asks. */
export interface RiskEvent {
  readonly eventType: EventType;
  readonly stakeLevel: StakeLevel;
  readonly isVerified: boolean;
  readonly transactionValue: number | null;
  readonly dueDate: Date | null;
  readonly completedAt: Date | null;
  readonly createdAt: Date;
  /** Written by POST /imports, so it may be old. */
  readonly imported: boolean;
  /**
   * Who confirmed it, as `partyKeyOf` writes it; null if it is not verified or the only name is the
   * subject's.
   */
  readonly attester: string | null;
}

/** Numbers of confirmations, by confirmed party and then by attester. */
export type Confirmations = ReadonlyMap<string, ReadonlyMap<string, number>>;

export interface RiskFacts {
  /** The subject, as `partyKeyOf` writes it. */
  readonly self: string;
  readonly subjectType: (typeof subjectTypes)[number];
  readonly events: readonly RiskEvent[];
  /** Total of the subject's events, which may exceed the `events` examined. */
  readonly eventsOnRecord: number;
  /** Up to three steps away, without the subject's own events. */
  readonly confirmations: Confirmations;
  readonly names: ReadonlyMap<string, string>;
  /** Confirmed requests about the subject with known evidence of the answer. */
  readonly answers: { readonly confirmed: number; readonly byAsker: number };
  readonly now: Date;
}

export const severities = ['low', 'elevated', 'high'] as const;
export type Severity = (typeof severities)[number];

export interface Finding {
  readonly severity: Severity;
  readonly evidence: Readonly<Record<string, number | string | null>>;
}

/** Detects a sign of gaming; null: there is none. Its text states the condition. */
export type Signal = (facts: RiskFacts) => Finding | null;

/** A finding of the highest severity whose threshold the value reaches; null below the lowest. */
export function findingOf(
  value: number,
  steps: Partial<Record<Severity, number>>,
  evidence: Finding['evidence'],
): Finding | null {
  const severity = severities.findLast((known) => value >= (steps[known] ?? NEVER));
  return severity ? { severity, evidence } : null;
}

export const NEVER = Number.POSITIVE_INFINITY;

/** Null for an imported event without dates: the time of the import says nothing about it. */
export function happenedAt(event: RiskEvent): Date | null {
  const isUndated = event.completedAt === null && event.dueDate === null;
  return event.imported && isUndated ? null : occurredAt(event);
}

/** The moment of an outcome in milliseconds. Null if only its day is known. */
export function momentOf(event: RiskEvent): number | null {
  const at = happenedAt(event);
  if (!at || (isDayAlone(at) && at.getTime() !== event.createdAt.getTime())) return null;
  return at.getTime();
}

/** Midnight UTC is how systems write a day without a time. */
export function isDayAlone(at: Date): boolean {
  return at.getTime() % DAY_MS === 0;
}

/** A ratio with four decimals; 0 if the whole is 0. */
export function share(part: number, whole: number): number {
  return shareOf(part, whole) ?? 0;
}

export function countBy<T>(items: Iterable<T>, keyOf: (item: T) => string | null): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) {
    const key = keyOf(item);
    if (key !== null) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** The most frequent key; of equals the first in sort order, independent of the order of events. */
export function mostOf(counts: ReadonlyMap<string, number>): { key: string; count: number } | null {
  let most: { key: string; count: number } | null = null;
  for (const [key, count] of counts) {
    if (!most || count > most.count || (count === most.count && key < most.key)) most = { key, count };
  }
  return most;
}

export function totalOf(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

export function isPositive({ eventType }: RiskEvent): boolean {
  return outcomeClassOf(eventType) === 'positive';
}
