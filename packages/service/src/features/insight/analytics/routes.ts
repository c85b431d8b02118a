import { ok } from '../../../kit/http/answer.js';
import { keyFor, type RouteTable, route } from '../../../kit/http/route.js';
import { readEventAnalytics } from './readEventAnalytics.js';
import { readScoreAnalytics } from './readScoreAnalytics.js';
import { AnalyticsQuery, EventAnalytics, ScoreAnalytics } from './schemas.js';
import type { AnalyticsDeps } from './window.js';

/** Sums over the caller's own data, separate for live and test (RULES B5). */
export function analyticsRoutes(deps: AnalyticsDeps): RouteTable {
  const windowed = {
    access: keyFor('scores'),
    tag: 'Analytics',
    query: AnalyticsQuery,
    queryError: () => 'ANALYTICS_RANGE_INVALID' as const,
    errors: ['ANALYTICS_RANGE_INVALID', 'ANALYTICS_WINDOW_CONFLICT'] as const,
  };
  return {
    'GET /analytics/events': route({
      operationId: 'readEventAnalytics',
      ...windowed,
      summary: 'Count reported events by day and type',
      description: 'Counts events of the mode of the key. Imported events count on the day of the import.',
      answers: { 200: EventAnalytics },
      handle: async ({ owner, query }) => ok(await readEventAnalytics(deps, owner, query)),
    }),
    'GET /analytics/scores': route({
      operationId: 'readScoreAnalytics',
      ...windowed,
      summary: 'Read the distribution of scores and their daily changes',
      description:
        'Covers subjects of the mode of the key. The window applies to `daily`; all other figures are current.',
      answers: { 200: ScoreAnalytics },
      handle: async ({ owner, query }) => ok(await readScoreAnalytics(deps, owner, query)),
    }),
  };
}
