import { userPath } from '../../../domain/externalId.js';
import { ok } from '../../../kit/http/answer.js';
import { keyFor, operator, type RouteTable, route } from '../../../kit/http/route.js';
import { addressedSubjectId } from '../../../ledger/requests/addressedSubject.js';
import {
  mintShareToken,
  type ShareTokenDeps,
  withdrawAsOperator,
  withdrawShareToken,
} from './changeShareTokens.js';
import { MintedShareToken, OperatorShareQuery, ShareBody, WithdrawnShareToken } from './schemas.js';

/** Tokens with which anonymous callers can read the record of a subject (RULES C1). */
export function shareTokenRoutes(deps: ShareTokenDeps): RouteTable {
  const ofSubject = { access: keyFor('scores'), tag: 'Sharing', params: userPath };
  return {
    'POST /users/{id}/share-token': route({
      operationId: 'createShareToken',
      ...ofSubject,
      idempotent: true,
      body: ShareBody,
      bodyOptional: true,
      answers: { 201: MintedShareToken },
      errors: ['USER_NOT_FOUND', 'TEST_MODE_NOT_ALLOWED', 'CONFLICT'],
      handle: (context) => mintShareToken(deps, context),
    }),
    'DELETE /users/{id}/share-token': route({
      operationId: 'withdrawShareToken',
      ...ofSubject,
      answers: { 200: WithdrawnShareToken },
      errors: ['USER_NOT_FOUND', 'TEST_MODE_NOT_ALLOWED'],
      handle: async (context) => ok(await withdrawShareToken(deps, context)),
    }),
    'DELETE /admin/users/{id}/share-token': route({
      operationId: 'adminWithdrawShareToken',
      access: operator,
      tag: 'Operator',
      params: userPath,
      query: OperatorShareQuery,
      groupOf: ({ params, query }, directory) =>
        directory.ofSubject(addressedSubjectId({ ...query, id: params.id, livemode: true })),
      answers: { 200: WithdrawnShareToken },
      errors: ['USER_NOT_FOUND'],
      handle: async ({ params, query }) => ok(await withdrawAsOperator(deps, params.id, query)),
    }),
  };
}
