import { type DayWindow, dayWindowOf, type WindowQuery } from '../../../domain/dayWindow.js';
import type { AnalyticsDeps } from './deps.js';

const USUAL_DAYS = 30;

export interface AnalyticsWindow extends DayWindow {
  /** More was asked for than ANALYTICS_MAX_DAYS: the earlier days are left out. */
  readonly clamped: boolean;
}

/** The window a query asks for, thirty days unless told. ANALYTICS_RANGE_INVALID, ANALYTICS_WINDOW_CONFLICT. */
export function analyticsWindowOf({ clock, config }: AnalyticsDeps, query: WindowQuery): AnalyticsWindow {
  const rule = {
    usualDays: USUAL_DAYS,
    maxDays: config.analyticsMaxDays,
    invalid: 'ANALYTICS_RANGE_INVALID',
    conflict: 'ANALYTICS_WINDOW_CONFLICT',
  } as const;
  const { window, first, firstAsked } = dayWindowOf(query, rule, clock.now());
  return { ...window, clamped: firstAsked < first };
}
