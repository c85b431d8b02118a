import { ok } from '../../../kit/http/answer.js';
import { keyFor, type RouteTable, route } from '../../../kit/http/route.js';
import { readEventAnalytics } from './readEventAnalytics.js';
import { readScoreAnalytics } from './readScoreAnalytics.js';
import { AnalyticsQuery, EventAnalytics, EventAnalyticsQuery, ScoreAnalytics } from './schemas.js';
import type { AnalyticsDeps } from './window.js';

/** Sums over the caller's own data, separate for live and test (RULES B5). */
export function analyticsRoutes(deps: AnalyticsDeps): RouteTable {
  const windowed = {
    access: keyFor('scores'),
    tag: 'Analytics',
    queryError: (path: string) => (path === 'by' ? 'VALIDATION_ERROR' : 'ANALYTICS_RANGE_INVALID'),
    errors: ['ANALYTICS_RANGE_INVALID', 'ANALYTICS_WINDOW_CONFLICT'],
  } as const;
  return {
    'GET /analytics/events': route({
      operationId: 'readEventAnalytics',
      ...windowed,
      query: EventAnalyticsQuery,
      summary: 'Count events by day and type',
      description:
        'Counts events of the mode of the key, by the day of their report. With `by=outcome` an event counts on the day on ' +
        'which its outcome happened, so an imported history keeps its dates.',
      answers: { 200: EventAnalytics },
      handle: async ({ owner, query }) => ok(await readEventAnalytics(deps, owner, query)),
    }),
    'GET /analytics/scores': route({
      operationId: 'readScoreAnalytics',
      ...windowed,
      query: AnalyticsQuery,
      summary: 'Read the distribution of scores and their daily changes',
      description:
        'Covers subjects of the mode of the key. The window applies to `daily`; all other figures are current. `daily` counts ' +
        'scores on the day of their publication, so the scores of an imported history count on the day of the import.',
      answers: { 200: ScoreAnalytics },
      handle: async ({ owner, query }) => ok(await readScoreAnalytics(deps, owner, query)),
    }),
  };
}
