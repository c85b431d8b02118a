import { ok } from '#kit/http/answer.js';
import { keyFor, type RouteTable, route } from '#kit/http/route.js';
import { readEventAnalytics } from './readEventAnalytics.js';
import { readMovers } from './readMovers.js';
import { readScoreAnalytics } from './readScoreAnalytics.js';
import {
  type AnalyticsDeps,
  AnalyticsQuery,
  EventAnalytics,
  Movers,
  MoversQuery,
  ScoreAnalytics,
} from './schemas.js';

/** Sums over the caller's own data, separate for live and test (RULES B5). */
export function analyticsRoutes(deps: AnalyticsDeps): RouteTable {
  const windowed = {
    access: keyFor('scores'),
    tag: 'Analytics',
    queryError: (path: string) =>
      path === 'by' || path === 'limit' ? 'VALIDATION_ERROR' : 'ANALYTICS_RANGE_INVALID',
    errors: ['ANALYTICS_RANGE_INVALID', 'ANALYTICS_WINDOW_CONFLICT'],
  } as const;
  return {
    'GET /analytics/events': route({
      operationId: 'readEventAnalytics',
      ...windowed,
      query: AnalyticsQuery,
      answers: { 200: EventAnalytics },
      handle: async ({ owner, query }) => ok(await readEventAnalytics(deps, owner, query)),
    }),
    'GET /analytics/scores': route({
      operationId: 'readScoreAnalytics',
      ...windowed,
      query: AnalyticsQuery,
      answers: { 200: ScoreAnalytics },
      handle: async ({ owner, query }) => ok(await readScoreAnalytics(deps, owner, query)),
    }),
    'GET /analytics/movers': route({
      operationId: 'readMovers',
      ...windowed,
      query: MoversQuery,
      answers: { 200: Movers },
      errors: ['ANALYTICS_RANGE_INVALID'],
      handle: async ({ owner, query }) => ok(await readMovers(deps, owner, query)),
    }),
  };
}
