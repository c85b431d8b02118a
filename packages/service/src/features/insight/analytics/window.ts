import { type DayWindow, dayWindowOf, type WindowQuery } from '../../../domain/timestamp.js';
import type { ServiceDeps } from '../../serviceDeps.js';

export type AnalyticsDeps = Pick<ServiceDeps, 'reads' | 'clock'> & {
  config: { analyticsMaxDays: number; bookSummaryMax: number };
};

const DEFAULT_DAYS = 30;

export interface AnalyticsWindow extends DayWindow {
  /** The query exceeded ANALYTICS_MAX_DAYS: the earlier days are left out. */
  readonly clamped: boolean;
}

/** The window of a query. Throws ANALYTICS_RANGE_INVALID or ANALYTICS_WINDOW_CONFLICT. */
export function analyticsWindowOf(
  { clock, config }: AnalyticsDeps,
  query: WindowQuery,
  usualDays = DEFAULT_DAYS,
): AnalyticsWindow {
  const rule = {
    usualDays,
    maxDays: config.analyticsMaxDays,
    invalid: 'ANALYTICS_RANGE_INVALID',
    conflict: 'ANALYTICS_WINDOW_CONFLICT',
  } as const;
  const { window, first, firstAsked } = dayWindowOf(query, rule, clock.now());
  return { ...window, clamped: firstAsked < first };
}
