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
      summary: 'Read signs that a record may be gamed',
      description:
        'Analyzes the latest 1000 of your own events of the subject, who confirms its attesters if these are your subjects too, ' +
        'and how your confirmations about the subject were answered. Metadata is not read. Each signal can have an innocent ' +
        'explanation, so it decides nothing and affects no score. `concentration` says how far the whole record rests on few parties, ' +
        'and the score if one party counted as three outcomes at most.',
      params: userPath,
      answers: { 200: Risk },
      errors: ['USER_NOT_FOUND'],
      handle: async (context) => ok(await readRisk(deps, context)),
    }),
  };
}
