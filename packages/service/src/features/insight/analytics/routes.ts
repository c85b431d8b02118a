import { ok } from '../../../kit/http/answer.js';
import { keyFor, type RouteTable, route } from '../../../kit/http/route.js';
import { readEventAnalytics } from './readEventAnalytics.js';
import { readMovers } from './readMovers.js';
import { readScoreAnalytics } from './readScoreAnalytics.js';
import {
  AnalyticsQuery,
  EventAnalytics,
  EventAnalyticsQuery,
  Movers,
  MoversQuery,
  ScoreAnalytics,
} from './schemas.js';
import type { AnalyticsDeps } from './window.js';

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
        'Covers subjects of the mode of the key. The window applies to `daily` and `bandNet`; all other figures are current. `daily` counts ' +
        'scores on the day of their publication, so the scores of an imported history count on the day of the import.',
      answers: { 200: ScoreAnalytics },
      handle: async ({ owner, query }) => ok(await readScoreAnalytics(deps, owner, query)),
    }),
    'GET /analytics/movers': route({
      operationId: 'readMovers',
      ...windowed,
      query: MoversQuery,
      summary: 'Find the scores that rose and fell most',
      description:
        'Compares the score of each subject now with its score at the start of the window, and lists the largest rises and ' +
        'falls in the mode of the key. With more than 20 000 published scores `truncated` is true, and only the largest moves of each day are compared.',
      answers: { 200: Movers },
      errors: ['ANALYTICS_RANGE_INVALID'],
      handle: async ({ owner, query }) => ok(await readMovers(deps, owner, query)),
    }),
  };
}
