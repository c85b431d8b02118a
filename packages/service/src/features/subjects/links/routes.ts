import { userPath } from '../../../domain/externalId.js';
import { ok } from '../../../kit/http/answer.js';
import { keyFor, type RouteTable, route } from '../../../kit/http/route.js';
import { refuseTestKey } from '../../../ledger/requests/liveKey.js';
import { subjectOf } from '../../../ledger/requests/userContext.js';
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
      summary: 'Create a token that links a subject across platforms',
      description:
        'For a subject that asks to carry its record to another platform. The token is valid for one link within 15 ' +
        'minutes. Live subjects only.',
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
      summary: 'Link a subject with the subject of a link token',
      description:
        'Both subjects then share one record and one score, computed from the events of all its platforms. Each platform still ' +
        'sees only its own events, and neither the names nor the ids of the other platforms. 409 `CONFLICT`: the record ' +
        "already has a subject of the caller's platform; the caller's subject is already linked; or the two " +
        'cannot be linked at this time, for example because their types differ. The token stays valid after a 409. 401 `LINK_TOKEN_INVALID`: the token is unknown, used or expired.',
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
      summary: 'Unlink a subject from its shared record',
      description:
        "The caller's subject has its own record again. If only one other subject is left, that one does too. Published scores " +
        'stay in the history. A frozen score stays frozen for the side whose own events came too fast; the other side is ' +
        'thawed. 404 `NOT_FOUND` if the subject is not linked.',
      answers: { 200: Unlinked },
      errors: ['USER_NOT_FOUND', 'NOT_FOUND', 'TEST_MODE_NOT_ALLOWED'],
      async handle(context) {
        refuseTestKey(context.caller);
        return ok(await unlinkUser(deps, context.owner, subjectOf(context)));
      },
    }),
  };
}
