import type { EventType, Tally } from '../src/index.js';
import { asOf } from './ledgers.js';

/** Tallies of one event type, of today: verified, MEDIUM, from an ENTERPRISE platform, so that one event weighs exactly 1. */
export function tallied(count: number, eventType: EventType, other: Partial<Tally> = {}): Tally {
  return {
    day: asOf,
    platformTier: 'ENTERPRISE',
    eventType,
    stakeLevel: 'MEDIUM',
    isVerified: true,
    timeliness: 'untimed',
    count,
    ...other,
  };
}

export const unverified = { isVerified: false } as const;

/** The facts of a tally that occurred so many days before the day of the tests. */
export function daysAgo(days: number): { day: number } {
  return { day: asOf - days };
}
