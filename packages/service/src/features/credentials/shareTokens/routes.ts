import { userPath } from '../../../domain/externalId.js';
import { keyFor, operator, type RouteTable, route } from '../../../kit/http/route.js';
import type { SharingDeps } from './deps.js';
import { mintShareToken } from './mintShareToken.js';
import { OperatorShareQuery, ShareBody, Shared, Withdrawn } from './schemas.js';
import { withdrawAsOperator, withdrawShareToken } from './withdrawShareToken.js';

/** What a subject takes along: a token with which strangers may read its record (RULES C1). */
export function shareTokenRoutes(deps: SharingDeps): RouteTable {
  const ofSubject = { access: keyFor('scores'), tag: 'Sharing', params: userPath };
  return {
    'POST /users/{id}/share-token': route({
      operationId: 'createShareToken',
      ...ofSubject,
      summary: 'Mint the share token of a subject',
      description:
        'For a subject that asks to show its record to others. One token is active at a time: asked again, it is the same one, and a ' +
        'new one only after a withdrawal. Live subjects only.',
      idempotent: true,
      body: ShareBody,
      bodyOptional: true,
      answers: { 201: Shared },
      errors: ['USER_NOT_FOUND', 'TEST_MODE_NOT_ALLOWED', 'CONFLICT'],
      handle: (context) => mintShareToken(deps, context),
    }),
    'DELETE /users/{id}/share-token': route({
      operationId: 'withdrawShareToken',
      ...ofSubject,
      summary: 'Withdraw the share token of a subject',
      description:
        'Page, badge and public reads stop at once, and credentials that were issued under the token count as revoked. May be ' +
        'repeated. The record itself is untouched.',
      answers: { 200: Withdrawn },
      errors: ['USER_NOT_FOUND', 'TEST_MODE_NOT_ALLOWED'],
      handle: (context) => withdrawShareToken(deps, context),
    }),
    'DELETE /admin/users/{id}/share-token': route({
      operationId: 'adminWithdrawShareToken',
      access: operator,
      tag: 'Operator',
      summary: 'Withdraw the share token of a subject',
      description: 'As its platform can. Live subjects only; the token is not shown.',
      params: userPath,
      query: OperatorShareQuery,
      answers: { 200: Withdrawn },
      errors: ['USER_NOT_FOUND'],
      handle: (context) => withdrawAsOperator(deps, context),
    }),
  };
}
