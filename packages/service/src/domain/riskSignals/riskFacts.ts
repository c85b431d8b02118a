import { type EventType, occurredAt, type StakeLevel } from '@reliability/scoring';
import { shareOf } from '../share.js';

/** An event as the signals look at it: own events of the caller only. */
export interface RiskEvent {
  readonly eventType: EventType;
  readonly stakeLevel: StakeLevel;
  readonly isVerified: boolean;
  readonly transactionValue: number | null;
  readonly dueDate: Date | null;
  readonly completedAt: Date | null;
  readonly createdAt: Date;
  /** Came by POST /imports: it tells of the past. */
  readonly imported: boolean;
  /** Who vouched for it, as `partyKeyOf` writes it; null where it is not verified or names nobody but the subject. */
  readonly witness: string | null;
}

/** Who confirmed whom how often: by the party confirmed, then by the one who did. */
export type Confirmations = ReadonlyMap<string, ReadonlyMap<string, number>>;

export interface RiskFacts {
  /** The subject, as `partyKeyOf` writes it. */
  readonly self: string;
  /** The latest ones, newest first. */
  readonly events: readonly RiskEvent[];
  /** Events of the subject in all; more than there are here where they are too many to look at. */
  readonly eventsOnRecord: number;
  /** Around the subject: its own witnesses' and theirs. The subject's own events are left out, they are above. */
  readonly confirmations: Confirmations;
  /** Parties as their name was written. */
  readonly names: ReadonlyMap<string, string>;
  /** Confirmed requests about the subject of which it is known how they were answered. */
  readonly answers: { readonly confirmed: number; readonly byAsker: number };
  readonly now: Date;
}

export const severities = ['low', 'elevated', 'high'] as const;
export type Severity = (typeof severities)[number];

/** The counts and rates behind a signal, by name. */
export type RiskEvidence = Readonly<Record<string, number | string | null>>;

/** What a detector found. */
export interface Finding {
  readonly severity: Severity;
  readonly evidence: RiskEvidence;
}

/** Null: nothing worth a word. */
export type Detector = (facts: RiskFacts) => Finding | null;

/** The highest step that the value reaches; null below the first. */
export function severityOf(value: number, steps: Partial<Record<Severity, number>>): Severity | null {
  const reached = severities.filter((severity) => {
    const step = steps[severity];
    return step !== undefined && value >= step;
  });
  return reached.at(-1) ?? null;
}

/**
 * When an outcome happened, as the score has it. Null for an imported one without dates: the moment
 * of its import says nothing about it.
 */
export function happenedAt(event: RiskEvent): Date | null {
  const isUndated = event.completedAt === null && event.dueDate === null;
  return event.imported && isUndated ? null : occurredAt(event);
}

/** Four decimals; 0 where there is nothing to divide by. */
export function share(part: number, whole: number): number {
  return shareOf(part, whole) ?? 0;
}

/** How often each key occurs. */
export function countBy<T>(items: Iterable<T>, keyOf: (item: T) => string | null): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) {
    const key = keyOf(item);
    if (key !== null) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** The key that occurs most; of several the first in order, so that the order of events changes nothing. */
export function mostOf(counts: ReadonlyMap<string, number>): { key: string; count: number } | null {
  let most: { key: string; count: number } | null = null;
  for (const [key, count] of counts) {
    if (!most || count > most.count || (count === most.count && key < most.key)) most = { key, count };
  }
  return most;
}
