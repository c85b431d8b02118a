import { type EventType, eventTypes, type StakeLevel, stakeLevels } from '@reliability/scoring';
import type { z } from 'zod';
import { everyDay } from '../../../domain/dayWindow.js';
import { type Answer, ok } from '../../../kit/http/answer.js';
import type { KeyAccess, RequestContext } from '../../../kit/http/route.js';
import { eventsByDay } from './countDays.js';
import type { AnalyticsDeps } from './deps.js';
import type { AnalyticsQuery } from './schemas.js';
import type { EventCount } from './store.js';
import { analyticsWindowOf } from './window.js';

/** GET /analytics/events: what the platform has reported in the mode of the key in use, by the day of the report. */
export async function readEventAnalytics(
  deps: AnalyticsDeps,
  { caller, query }: RequestContext<KeyAccess, undefined, z.output<typeof AnalyticsQuery>, undefined>,
): Promise<Answer> {
  const window = analyticsWindowOf(deps, query);
  const { platformId, livemode } = caller;
  const counts = await eventsByDay(deps.db, { platformId, livemode, from: window.from, to: window.to });
  const days = new Map<string, EventCount[]>();
  for (const count of counts) days.set(count.date, [...(days.get(count.date) ?? []), count]);
  return ok({
    window,
    ...totalsOf(counts),
    byType: sumsBy<EventType>(eventTypes, counts, ({ eventType }) => eventType),
    byStake: sumsBy<StakeLevel>(stakeLevels, counts, ({ stakeLevel }) => stakeLevel),
    daily: everyDay(window, (date) => ({ date, ...totalsOf(days.get(date) ?? []) })),
  });
}

function totalsOf(counts: readonly EventCount[]): { total: number; verified: number } {
  return { total: sumOf(counts), verified: sumOf(counts.filter(({ isVerified }) => isVerified)) };
}

/** Every key is there, those that never occur with 0. */
function sumsBy<Key extends string>(
  keys: readonly Key[],
  counts: readonly EventCount[],
  keyOf: (count: EventCount) => Key,
): Record<Key, number> {
  const sums = Object.fromEntries(keys.map((key) => [key, 0])) as Record<Key, number>;
  for (const count of counts) sums[keyOf(count)] += count.count;
  return sums;
}

function sumOf(counts: readonly EventCount[]): number {
  return counts.reduce((sum, { count }) => sum + count, 0);
}
