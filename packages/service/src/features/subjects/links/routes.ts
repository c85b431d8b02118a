import { userPath } from '../../../domain/externalId.js';
import { ok } from '../../../kit/http/answer.js';
import { keyFor, type RouteTable, route } from '../../../kit/http/route.js';
import { refuseTestKey, subjectOf } from '../../../ledger/requests/addressedSubject.js';
import { type LinkDeps, linkUser, unlinkUser } from './changeLinks.js';
import { mintLinkToken } from './linkTokens.js';
import { LinkBody, Linked, LinkTokenMinted, Unlinked } from './schemas.js';

/** Links subjects across platforms, with the subject's consent (RULES L1). */
export function linkRoutes(deps: LinkDeps): RouteTable {
  const ofSubject = { access: keyFor('scores'), tag: 'Links', params: userPath };
  return {
    'POST /users/{id}/link-token': route({
      operationId: 'createLinkToken',
      ...ofSubject,
      idempotent: true,
      answers: { 201: LinkTokenMinted },
      errors: ['USER_NOT_FOUND', 'TEST_MODE_NOT_ALLOWED', 'CONFLICT'],
      handle(context) {
        refuseTestKey(context.caller);
        return mintLinkToken(deps, subjectOf(context), context.claim);
      },
    }),
    'POST /users/{id}/links': route({
      operationId: 'linkUser',
      ...ofSubject,
      idempotent: true,
      body: LinkBody,
      answers: { 201: Linked },
      errors: ['USER_NOT_FOUND', 'TEST_MODE_NOT_ALLOWED', 'LINK_TOKEN_INVALID', 'CONFLICT'],
      handle(context) {
        const { owner, body, claim } = context;
        refuseTestKey(context.caller);
        return linkUser(deps, owner, subjectOf(context), body.linkToken, claim);
      },
    }),
    'DELETE /users/{id}/links': route({
      operationId: 'unlinkUser',
      ...ofSubject,
      answers: { 200: Unlinked },
      errors: ['USER_NOT_FOUND', 'NOT_FOUND', 'TEST_MODE_NOT_ALLOWED'],
      async handle(context) {
        refuseTestKey(context.caller);
        return ok(await unlinkUser(deps, context.owner, subjectOf(context)));
      },
    }),
  };
}
