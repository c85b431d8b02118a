import { CSV_TYPE } from '../../../kit/csv.js';
import { keyFor, operator, type RouteTable, route } from '../../../kit/http/route.js';
import { platformPath } from '../../../ledger/requests/knownPlatform.js';
import type { UsageDeps } from './deps.js';
import { readMeters } from './readMeters.js';
import { readQuota } from './readQuota.js';
import { readPlatformUsage, readUsage } from './readUsage.js';
import {
  METERS_CSV_EXAMPLE,
  Meters,
  PlatformUsageQuery,
  Quota,
  USAGE_CSV_EXAMPLE,
  Usage,
  UsageQuery,
} from './schemas.js';

/** What a platform has called, and what is left of its month. */
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
      summary: 'Read how much has been called',
      description:
        'In the mode of the key in use, up to this very request. CSV has a column `row` that tells days, total and operations apart.',
      query: UsageQuery,
      answers: usageAnswers,
      handle: (context) => readUsage(deps, context),
    }),
    'GET /usage/quota': route({
      operationId: 'readQuota',
      ...own,
      summary: 'Read what is left of the monthly quota',
      description:
        'Asking costs nothing and works when the quota is spent. Test calls, answers with 429 and failures of the service do not count.',
      quotaFree: true,
      answers: { 200: Quota },
      handle: (context) => readQuota(deps, context),
    }),
    'GET /usage/meters': route({
      operationId: 'readUsageMeters',
      ...own,
      ...windowed,
      summary: 'Read billed calls by status and operation',
      description:
        'The calls of the window as flat rows, one for each value of each dimension, for a billing or monitoring ' +
        'system to take in. Test calls and answers with 429 or 5xx never count against the quota. For days in a ' +
        'row, read `/usage`.',
      query: UsageQuery,
      answers: { 200: { json: Meters, media: [{ type: CSV_TYPE, example: METERS_CSV_EXAMPLE }] } },
      handle: (context) => readMeters(deps, context),
    }),
    'GET /admin/platforms/{id}/usage': route({
      operationId: 'adminReadUsage',
      access: operator,
      tag: 'Operator',
      ...windowed,
      summary: 'Read how much a platform has called',
      description:
        'What the platform itself reads at `/usage`, of its live mode unless `mode` says otherwise. Reading it ' +
        'costs the platform nothing.',
      params: platformPath,
      query: PlatformUsageQuery,
      answers: usageAnswers,
      errors: [...windowed.errors, 'NOT_FOUND'],
      handle: (context) => readPlatformUsage(deps, context),
    }),
  };
}
