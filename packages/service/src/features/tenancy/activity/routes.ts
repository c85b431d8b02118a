import { userPath } from '../../../domain/externalId.js';
import { CSV_TYPE } from '../../../kit/csv.js';
import { ok } from '../../../kit/http/answer.js';
import { keyFor, operator, type RouteTable, route } from '../../../kit/http/route.js';
import {
  addressedSubjectId,
  knownPlatformId,
  platformPath,
} from '../../../ledger/requests/addressedSubject.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { listActivity, readSubjectLog } from './readActivity.js';
import { ActivityPage, ActivityQuery, AuditLogQuery, PlatformActivityQuery } from './schemas.js';

/** Who did what (RULES K12). */
export function activityRoutes({ db }: Pick<ServiceDeps, 'db'>): RouteTable {
  return {
    'GET /activity': route({
      operationId: 'listActivity',
      ...listing,
      access: keyFor('usage'),
      tag: 'Usage',
      query: ActivityQuery,
      handle: ({ caller, query }) => listActivity(db, caller.platformId, [caller.livemode], query),
    }),
    'GET /admin/platforms/{id}/activity': route({
      operationId: 'adminListActivity',
      ...listing,
      access: operator,
      tag: 'Operator',
      params: platformPath,
      query: PlatformActivityQuery,
      errors: [...listing.errors, 'NOT_FOUND'],
      handle: async ({ params, query }) => {
        const livemodes = query.livemode === undefined ? [true, false] : [query.livemode];
        return listActivity(db, await knownPlatformId(db, params), livemodes, query);
      },
    }),
    'GET /admin/users/{id}/audit-log': route({
      operationId: 'adminReadAuditLog',
      access: operator,
      tag: 'Operator',
      params: userPath,
      query: AuditLogQuery,
      groupOf: ({ params, query }, directory) =>
        directory.ofSubject(
          addressedSubjectId({ ...query, id: params.id, livemode: query.livemode ?? true }),
        ),
      answers: { 200: ActivityPage },
      errors: ['USER_NOT_FOUND'],
      handle: async ({ params, query }) => ok(await readSubjectLog(db, params.id, query)),
    }),
  };
}

/** Errors in these query parameters have their own codes. */
const listing = {
  queryError: (path: string) => {
    if (path === 'action') return 'ACTIVITY_ACTION_INVALID';
    if (path === 'format') return 'ACTIVITY_FORMAT_INVALID';
    return path === 'from' || path === 'to' ? 'ACTIVITY_RANGE_INVALID' : 'VALIDATION_ERROR';
  },
  answers: { 200: { json: ActivityPage, media: [{ type: CSV_TYPE }] } },
  errors: ['ACTIVITY_ACTION_INVALID', 'ACTIVITY_FORMAT_INVALID', 'ACTIVITY_RANGE_INVALID'] as const,
};
