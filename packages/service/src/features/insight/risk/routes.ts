import { userPath } from '../../../domain/externalId.js';
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
        'Looks at the latest 1000 of your own events of the subject, and at who vouches for its witnesses where these are ' +
        'subjects of yours, too, and at how your confirmations about the subject were answered. A witness is the `attester` of an ' +
        'event; metadata is not read. ' +
        'Each signal has an innocent explanation as well, so it decides nothing and moves no score.',
      params: userPath,
      answers: { 200: Risk },
      errors: ['USER_NOT_FOUND'],
      handle: (context) => readRisk(deps, context),
    }),
  };
}
