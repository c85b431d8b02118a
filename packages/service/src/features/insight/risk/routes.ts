import { userPath } from '../../../domain/externalId.js';
import { ok } from '../../../kit/http/answer.js';
import { keyFor, type RouteTable, route } from '../../../kit/http/route.js';
import { type RiskDeps, readRisk } from './readRisk.js';
import { Risk } from './schemas.js';

/** Advice beside a score (RULES R6). */
export function riskRoutes(deps: RiskDeps): RouteTable {
  return {
    'GET /users/{id}/risk': route({
      operationId: 'readRisk',
      access: keyFor('scores'),
      tag: 'Records',
      params: userPath,
      answers: { 200: Risk },
      errors: ['USER_NOT_FOUND'],
      handle: async (context) => ok(await readRisk(deps, context)),
    }),
  };
}
