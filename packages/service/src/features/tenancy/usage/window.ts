import { dayOf } from '@reliability/scoring';
import { type DayWindow, dayWindowOf, type WindowQuery } from '../../../domain/dayWindow.js';
import { KEPT_DAYS } from './deps.js';

const RULE = {
  usualDays: 7,
  maxDays: KEPT_DAYS,
  invalid: 'USAGE_RANGE_INVALID',
  conflict: 'USAGE_WINDOW_CONFLICT',
} as const;

/**
 * The window a query asks for; the last seven days unless told. More than 400 days are cut to the last 400 of them, and
 * `truncated` says so, as it does where the window reaches back past what is kept (RULES M7).
 */
export function windowOf(query: WindowQuery, now: Date): { window: DayWindow; truncated: boolean } {
  const { window, first, firstAsked } = dayWindowOf(query, RULE, now);
  return { window, truncated: firstAsked < Math.max(first, dayOf(now) - (KEPT_DAYS - 1)) };
}
