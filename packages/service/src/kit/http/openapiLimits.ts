import type { ErrorCode } from '../../domain/errorCatalog.js';
import type { HeaderObject } from './openapiTypes.js';
import type { Route } from './route.js';

/**
 * The headers that show what is left of the minute and, for live keys with a quota, of the month.
 */
export function limitHeadersOf(route: Route): string[] {
  return [...(route.unmetered ? [] : RATE_HEADERS), ...(route.access.kind === 'key' ? QUOTA_HEADERS : [])];
}

/** The error codes that follow from limits and plans. */
export function limitCodesOf(route: Route): ErrorCode[] {
  const codes: ErrorCode[] = [];
  if (!route.unmetered) codes.push('RATE_LIMIT_EXCEEDED');
  if (route.access.kind === 'key' && !route.quotaFree) codes.push('QUOTA_EXCEEDED');
  if (route.plan !== undefined) codes.push('PLAN_REQUIRED');
  return codes;
}

const RATE_HEADERS = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'RateLimit-Policy'];
const QUOTA_HEADERS = ['X-Quota-Limit', 'X-Quota-Remaining', 'X-Quota-Reset'];

export const limitHeaderTexts: Readonly<Record<string, HeaderObject>> = {
  'RateLimit-Limit': {
    description: 'Requests allowed per minute. Absent if there is no limit.',
    schema: { type: 'integer' },
  },
  'RateLimit-Remaining': {
    description: 'Requests left in the current minute.',
    schema: { type: 'integer' },
  },
  'RateLimit-Reset': { description: 'Seconds until the next minute starts.', schema: { type: 'integer' } },
  'RateLimit-Policy': {
    description: 'The limit and its window in seconds: `600;w=60`.',
    schema: { type: 'string' },
  },
  'X-Quota-Limit': {
    description: 'Calls allowed per UTC calendar month with live keys. Absent if there is no quota.',
    schema: { type: 'integer' },
  },
  'X-Quota-Remaining': { description: 'Calls left in this month.', schema: { type: 'integer' } },
  'X-Quota-Reset': { description: 'Seconds until the next month starts.', schema: { type: 'integer' } },
};
