import { CSV_TYPE } from '../../../kit/csv.js';
import { ok } from '../../../kit/http/answer.js';
import { keyFor, operator, type RouteTable, route } from '../../../kit/http/route.js';
import { platformPath } from '../../../ledger/requests/knownPlatform.js';
import { readMeters } from './readMeters.js';
import { findSubscriber, readQuota, readUsage, type UsageDeps } from './readUsage.js';
import {
  METERS_CSV_EXAMPLE,
  Meters,
  PlatformUsageQuery,
  Quota,
  USAGE_CSV_EXAMPLE,
  Usage,
  UsageQuery,
} from './schemas.js';

/** The calls of a platform, and its monthly quota. */
export function usageRoutes(deps: UsageDeps): RouteTable {
  const own = { access: keyFor('usage'), tag: 'Usage' };
  const windowed = {
    queryError: (path: string) => (path === 'format' ? 'USAGE_FORMAT_INVALID' : 'USAGE_RANGE_INVALID'),
    errors: ['USAGE_RANGE_INVALID', 'USAGE_WINDOW_CONFLICT', 'USAGE_FORMAT_INVALID'] as const,
  };
  const usageAnswers = { 200: { json: Usage, media: [{ type: CSV_TYPE, example: USAGE_CSV_EXAMPLE }] } };
  return {
    'GET /usage': route({
      operationId: 'readUsage',
      ...own,
      ...windowed,
      summary: 'Read usage by day and operation',
      description:
        'Requests in the mode of the key in use, up to the present. In CSV the column `row` separates days, total and operations.',
      query: UsageQuery,
      answers: usageAnswers,
      handle: ({ caller, query }) => readUsage(deps, caller, query),
    }),
    'GET /usage/quota': route({
      operationId: 'readQuota',
      ...own,
      summary: 'Read the monthly quota',
      description:
        'This call is free and works when the quota is used up. Test calls and answers with 429 or 5xx do not count.',
      quotaFree: true,
      answers: { 200: Quota },
      handle: async ({ caller }) => ok(await readQuota(deps, caller)),
    }),
    'GET /usage/meters': route({
      operationId: 'readUsageMeters',
      ...own,
      ...windowed,
      summary: 'Read billed calls by status and operation',
      description:
        'The calls of the window as flat rows, one per value of each dimension, for a billing or monitoring system. Test calls and ' +
        'answers with 429 or 5xx never count against the quota. For figures by day use `/usage`.',
      query: UsageQuery,
      answers: { 200: { json: Meters, media: [{ type: CSV_TYPE, example: METERS_CSV_EXAMPLE }] } },
      handle: ({ caller, query }) => readMeters(deps, caller, query),
    }),
    'GET /admin/platforms/{id}/usage': route({
      operationId: 'adminReadUsage',
      access: operator,
      tag: 'Operator',
      ...windowed,
      summary: "Read a platform's usage by day and operation",
      description:
        'The figures that the platform reads at `/usage`. Default: its live mode. The call is free for the platform.',
      params: platformPath,
      query: PlatformUsageQuery,
      answers: usageAnswers,
      errors: [...windowed.errors, 'NOT_FOUND'],
      handle: async ({ params, query }) =>
        readUsage(deps, await findSubscriber(deps.db, params.id, query.mode === 'live'), query),
    }),
  };
}
