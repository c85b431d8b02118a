import { userPath } from '../../../domain/externalId.js';
import { keyFor, type RouteTable, route } from '../../../kit/http/route.js';
import { type BadgeDeps, issueBadge } from './issueBadge.js';
import { BadgeIssued, BadgeQuery } from './schemas.js';

/** Badges that a subject can show anywhere. */
export function badgeRoutes(deps: BadgeDeps): RouteTable {
  return {
    'POST /users/{id}/open-badges': route({
      operationId: 'issueOpenBadge',
      access: keyFor('scores'),
      tag: 'Credentials',
      summary: 'Issue an Open Badge for the band of a subject',
      description:
        'An Open Badges 3.0 credential for the band that the record has reached: Excellent, Good, Fair or Building; for the others ' +
        'there is none (`CONFLICT`). Issued under the share token of the subject, which is minted where there is none; withdrawn, ' +
        'it revokes the badge. Live subjects only.',
      idempotent: true,
      params: userPath,
      query: BadgeQuery,
      answers: { 201: BadgeIssued },
      errors: ['USER_NOT_FOUND', 'TEST_MODE_NOT_ALLOWED', 'CONFLICT'],
      handle: (context) => issueBadge(deps, context),
    }),
  };
}
