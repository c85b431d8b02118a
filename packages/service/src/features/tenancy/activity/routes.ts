import { userPath } from '../../../domain/externalId.js';
import { CSV_TYPE } from '../../../kit/csv.js';
import { keyFor, operator, type RouteTable, route } from '../../../kit/http/route.js';
import { platformPath } from '../../../ledger/requests/knownPlatform.js';
import type { ActivityDeps } from './deps.js';
import { listActivity, listPlatformActivity } from './listActivity.js';
import { readSubjectLog } from './readSubjectLog.js';
import {
  ACTIVITY_CSV_EXAMPLE,
  ActivityPage,
  ActivityQuery,
  AuditLogQuery,
  PlatformActivityQuery,
} from './schemas.js';

/** Who did what (RULES K12). */
export function activityRoutes(deps: ActivityDeps): RouteTable {
  return {
    'GET /activity': route({
      operationId: 'listActivity',
      ...listing,
      access: keyFor('usage'),
      tag: 'Usage',
      summary: "Read the platform's audit trail, newest first",
      description:
        "Entries of the key's mode; what was done to the platform as a whole stands in the live trail. " +
        'As CSV a page comes without its cursor, which is in the header `X-Next-Cursor` while there is more.',
      query: ActivityQuery,
      handle: (context) => listActivity(deps, context),
    }),
    'GET /admin/platforms/{id}/activity': route({
      operationId: 'adminListActivity',
      ...listing,
      access: operator,
      tag: 'Operator',
      summary: "Read a platform's audit trail, newest first",
      description:
        'What the platform itself reads at `/activity`, of both modes unless `livemode` says which.',
      params: platformPath,
      query: PlatformActivityQuery,
      errors: [...listing.errors, 'NOT_FOUND'],
      handle: (context) => listPlatformActivity(deps, context),
    }),
    'GET /admin/users/{id}/audit-log': route({
      operationId: 'adminReadAuditLog',
      access: operator,
      tag: 'Operator',
      summary: 'Read what happened to a subject, newest first',
      description: 'Its events and what was recorded about it, by its platform, the service or the operator.',
      params: userPath,
      query: AuditLogQuery,
      answers: { 200: ActivityPage },
      errors: ['USER_NOT_FOUND'],
      handle: (context) => readSubjectLog(deps, context),
    }),
  };
}

/** A code of its own for each part of the query that has one. */
const listing = {
  queryError: (path: string) => {
    if (path === 'action') return 'ACTIVITY_ACTION_INVALID';
    if (path === 'format') return 'ACTIVITY_FORMAT_INVALID';
    return path === 'from' || path === 'to' ? 'ACTIVITY_RANGE_INVALID' : 'VALIDATION_ERROR';
  },
  answers: { 200: { json: ActivityPage, media: [{ type: CSV_TYPE, example: ACTIVITY_CSV_EXAMPLE }] } },
  errors: ['ACTIVITY_ACTION_INVALID', 'ACTIVITY_FORMAT_INVALID', 'ACTIVITY_RANGE_INVALID'] as const,
};
