import { userPath } from '../../../domain/externalId.js';
import { keyFor, type RouteTable, route } from '../../../kit/http/route.js';
import type { LinkDeps } from './deps.js';
import { linkUser } from './linkUser.js';
import { mintLinkToken } from './mintLinkToken.js';
import { LinkBody, Linked, LinkTokenMinted, Unlinked } from './schemas.js';
import { unlinkUser } from './unlinkUser.js';

/** One identity across platforms, by the subject's own act (RULES L1). */
export function linkRoutes(deps: LinkDeps): RouteTable {
  const ofSubject = { access: keyFor('scores'), tag: 'Links', params: userPath };
  return {
    'POST /users/{id}/link-token': route({
      operationId: 'createLinkToken',
      ...ofSubject,
      summary: 'Make a token with which a subject can be linked elsewhere',
      description:
        'For a subject that asks to carry its record to another platform. The token is good for one link within fifteen ' +
        'minutes. Live subjects only.',
      idempotent: true,
      answers: { 201: LinkTokenMinted },
      errors: ['USER_NOT_FOUND', 'TEST_MODE_NOT_ALLOWED', 'CONFLICT'],
      handle: (context) => mintLinkToken(deps, context),
    }),
    'POST /users/{id}/links': route({
      operationId: 'linkUser',
      ...ofSubject,
      summary: 'Link a subject with the one that its token was made for',
      description:
        'Both become one record with one score, computed from the events of all platforms on it. Each platform goes on seeing ' +
        'its own events only, and learns neither the names nor the ids of the others. 409 `CONFLICT`: both subjects are of ' +
        "one platform, or the record has one of the caller's already; their types differ; the caller's subject is linked " +
        'already; or a score is frozen. The token can then be used still. One that is unknown, used or expired: 401 ' +
        '`LINK_TOKEN_INVALID`.',
      idempotent: true,
      body: LinkBody,
      answers: { 201: Linked },
      errors: ['USER_NOT_FOUND', 'TEST_MODE_NOT_ALLOWED', 'LINK_TOKEN_INVALID', 'CONFLICT'],
      handle: (context) => linkUser(deps, context),
    }),
    'DELETE /users/{id}/links': route({
      operationId: 'unlinkUser',
      ...ofSubject,
      summary: 'Take a subject out of the record it shares',
      description:
        "The caller's subject is a record of its own again; where only one other was left, so is that. The past stays as it " +
        'was published. A frozen score stays frozen on the side whose own events came too fast, without the events of the other ' +
        'side; the other side moves again. 404 `NOT_FOUND` where the subject is not linked.',
      answers: { 200: Unlinked },
      errors: ['USER_NOT_FOUND', 'NOT_FOUND', 'TEST_MODE_NOT_ALLOWED'],
      handle: (context) => unlinkUser(deps, context),
    }),
  };
}
