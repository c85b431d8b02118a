import { keyFor, type RouteTable, route } from '../../../kit/http/route.js';
import type { AnalyticsDeps } from './deps.js';
import { readEventAnalytics } from './readEventAnalytics.js';
import { readScoreAnalytics } from './readScoreAnalytics.js';
import { AnalyticsQuery, EventAnalytics, ScoreAnalytics } from './schemas.js';

/** Sums over the caller's own data, live and test apart (RULES B5). */
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
      summary: 'Read how much was reported, by day and kind',
      description: 'In the mode of the key in use. Imported events count on the day of the import.',
      answers: { 200: EventAnalytics },
      handle: (context) => readEventAnalytics(deps, context),
    }),
    'GET /analytics/scores': route({
      operationId: 'readScoreAnalytics',
      ...windowed,
      summary: 'Read how the scores of the book are spread, and how they moved',
      description: 'In the mode of the key in use. The window is that of `daily`; the rest is as of now.',
      answers: { 200: ScoreAnalytics },
      handle: (context) => readScoreAnalytics(deps, context),
    }),
  };
}
