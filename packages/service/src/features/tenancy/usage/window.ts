import { dayOf } from '@reliability/scoring';
import { DAY_MS, type DayWindow, dayWindowOf, type WindowQuery } from '../../../domain/timestamp.js';
import type { Database } from '../../../kit/db/database.js';
import { inSlices, SLICE_ROWS, type Sweep } from '../../../ledger/sweep.js';
import { deleteDays, deleteMonths } from './store.js';

/** How long daily counts are kept, and so the longest window (RULES M7). */
const RETENTION_DAYS = 400;

const RULE = {
  usualDays: 7,
  maxDays: RETENTION_DAYS,
  invalid: 'USAGE_RANGE_INVALID',
  conflict: 'USAGE_WINDOW_CONFLICT',
} as const;

/**
 * The window of a query. Default: the last seven days. A longer window than 400 days is cut to its
 * last 400 days; `truncated` is true then, and also for a window that starts before the retention
 * period (RULES M7).
 */
export function windowOf(query: WindowQuery, now: Date): { window: DayWindow; truncated: boolean } {
  const { window, first, firstAsked } = dayWindowOf(query, RULE, now);
  return { window, truncated: firstAsked < Math.max(first, dayOf(now) - (RETENTION_DAYS - 1)) };
}

/** Part of the retention sweep: deletes days that no window reaches, and the months before them. */
export function removeOldUsage(db: Database): Sweep {
  return (now, until) => {
    const oldest = new Date(now.getTime() - (RETENTION_DAYS - 1) * DAY_MS).toISOString().slice(0, 10);
    return inSlices(db, 'usage', until, async (tx) => {
      const affected = await deleteDays(tx, oldest, SLICE_ROWS);
      const isLast = affected < SLICE_ROWS;
      if (isLast) await deleteMonths(tx, oldest);
      return { affected, isLast };
    });
  };
}
