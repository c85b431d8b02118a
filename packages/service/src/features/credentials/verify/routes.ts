import { everyone, type RouteTable, route } from '../../../kit/http/route.js';
import type { VerifyDeps } from './deps.js';
import { readShared } from './readShared.js';
import { sharedAnswer, sharePath, VerifyQuery } from './schemas.js';

/** What a share token opens to whoever has it: the token is the permission (RULES C1). */
export function verifyRoutes(deps: VerifyDeps): RouteTable {
  return {
    'GET /verify/{token}': route({
      operationId: 'verifyShareToken',
      access: everyone,
      tag: 'Verification',
      summary: 'Read the record behind a share token',
      description:
        'Without any key. Score and band of the record that the subject is in now, and nothing that says who it is. A token that is ' +
        'unknown or withdrawn: 404 `NOT_FOUND`.',
      params: sharePath,
      query: VerifyQuery,
      answers: { 200: sharedAnswer(deps.sharedProfile), 304: null },
      errors: ['NOT_FOUND', 'OVERLOADED', 'SERVICE_UNAVAILABLE'],
      handle: (context) => readShared(deps, context),
    }),
  };
}
