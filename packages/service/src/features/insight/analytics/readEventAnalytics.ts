import { type EventType, eventTypes, type StakeLevel, stakeLevels } from '@reliability/scoring';
import type { z } from 'zod';
import { everyDay } from '#domain/timestamp.js';
import type { Owner } from '#kit/http/route.js';
import { eventsByDay } from './eventSums.js';
import {
  type AnalyticsDeps,
  type AnalyticsQuery,
  analyticsWindowOf,
  type EventAnalytics,
} from './schemas.js';
import type { EventCount, KindCount } from './store.js';

/**
 * GET /analytics/events: the platform's events by day of report or of outcome, in the mode of the
 * key.
 */
export async function readEventAnalytics(
  deps: AnalyticsDeps,
  { platformId, livemode }: Owner,
  query: z.output<typeof AnalyticsQuery>,
): Promise<EventAnalytics> {
  const window = analyticsWindowOf(deps, query);
  const { by } = query;
  const counts = await deps.reads.from((db) =>
    eventsByDay(db, { platformId, livemode, from: window.from, to: window.to }, by),
  );
  const ofDays = counts.filter((count) => count.date !== null);
  const ofKinds = counts.filter((count) => count.date === null);
  const days = new Map<string, EventCount[]>();
  for (const count of ofDays) days.set(count.date, [...(days.get(count.date) ?? []), count]);
  return {
    by,
    window,
    ...totalsOf(ofDays),
    byType: sumsBy<EventType>(eventTypes, ofKinds, 'eventType'),
    byStake: sumsBy<StakeLevel>(stakeLevels, ofKinds, 'stakeLevel'),
    daily: everyDay(window, (date) => ({ date, ...totalsOf(days.get(date) ?? []) })),
  };
}

function totalsOf(counts: readonly EventCount[]): { total: number; verified: number } {
  return { total: sumOf(counts), verified: sumOf(counts.filter(({ isVerified }) => isVerified)) };
}

/** Every key, with 0 if it does not occur. */
function sumsBy<Key extends string>(
  keys: readonly Key[],
  counts: readonly KindCount[],
  field: 'eventType' | 'stakeLevel',
): Record<Key, number> {
  const sums = Object.fromEntries(keys.map((key) => [key, 0])) as Record<string, number>;
  for (const { [field]: key, count } of counts) sums[key] = (sums[key] ?? 0) + count;
  return sums;
}

function sumOf(counts: readonly EventCount[]): number {
  return counts.reduce((sum, { count }) => sum + count, 0);
}
