import { byShareToken, everyone, type RouteTable, route } from '../../../kit/http/route.js';
import { readShared, type VerifyDeps } from './readShared.js';
import { sharedAnswer, sharePath, VerifyQuery } from './schemas.js';

/** Public reads with a share token: the token is the permission (RULES C1). */
export function verifyRoutes(deps: VerifyDeps): RouteTable {
  return {
    'GET /verify/{token}': route({
      operationId: 'verifyShareToken',
      access: everyone,
      tag: 'Verification',
      params: sharePath,
      groupOf: byShareToken,
      query: VerifyQuery,
      answers: { 200: sharedAnswer(deps.sharedProfile), 304: null },
      errors: ['NOT_FOUND', 'OVERLOADED', 'SERVICE_UNAVAILABLE'],
      handle: (context) => readShared(deps, context),
    }),
  };
}
