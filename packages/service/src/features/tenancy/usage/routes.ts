import { CSV_TYPE } from '../../../kit/csv.js';
import { ok } from '../../../kit/http/answer.js';
import { keyFor, operator, type RouteTable, route } from '../../../kit/http/route.js';
import { platformPath } from '../../../ledger/requests/addressedSubject.js';
import { readMeters } from './readMeters.js';
import { findSubscriber, readQuota, readUsage, type UsageDeps } from './readUsage.js';
import { Meters, PlatformUsageQuery, Quota, Usage, UsageQuery } from './schemas.js';

/** The calls of a platform, and its monthly quota. */
export function usageRoutes(deps: UsageDeps): RouteTable {
  const own = { access: keyFor('usage'), tag: 'Usage' };
  const windowed = {
    queryError: (path: string) => (path === 'format' ? 'USAGE_FORMAT_INVALID' : 'USAGE_RANGE_INVALID'),
    errors: ['USAGE_RANGE_INVALID', 'USAGE_WINDOW_CONFLICT', 'USAGE_FORMAT_INVALID'] as const,
  };
  const usageAnswers = { 200: { json: Usage, media: [{ type: CSV_TYPE }] } };
  return {
    'GET /usage': route({
      operationId: 'readUsage',
      ...own,
      ...windowed,
      query: UsageQuery,
      answers: usageAnswers,
      handle: ({ caller, query }) => readUsage(deps, caller, query),
    }),
    'GET /usage/quota': route({
      operationId: 'readQuota',
      ...own,
      quotaFree: true,
      answers: { 200: Quota },
      handle: async ({ caller }) => ok(await readQuota(deps, caller)),
    }),
    'GET /usage/meters': route({
      operationId: 'readUsageMeters',
      ...own,
      ...windowed,
      query: UsageQuery,
      answers: { 200: { json: Meters, media: [{ type: CSV_TYPE }] } },
      handle: ({ caller, query }) => readMeters(deps, caller, query),
    }),
    'GET /admin/platforms/{id}/usage': route({
      operationId: 'adminReadUsage',
      access: operator,
      tag: 'Operator',
      ...windowed,
      params: platformPath,
      query: PlatformUsageQuery,
      answers: usageAnswers,
      errors: [...windowed.errors, 'NOT_FOUND'],
      handle: async ({ params, query }) =>
        readUsage(deps, await findSubscriber(deps.db, params.id, query.mode === 'live'), query),
    }),
  };
}
