import { userPath } from '../../../domain/externalId.js';
import { keyFor, type RouteTable, route } from '../../../kit/http/route.js';
import { analyzeDocuments } from './analyzeDocuments.js';
import type { RecordDeps } from './deps.js';
import { DocumentAdvice, DocumentsBody } from './documentSchemas.js';
import { listPlatforms } from './listPlatforms.js';
import { projectEvents } from './projectEvents.js';
import { ProjectionAnswer, ProjectionBody } from './projectionSchemas.js';
import { readReliability } from './readReliability.js';
import { readTimeline } from './readTimeline.js';
import { Contributions, Dispatch, DispatchQuery, Timeline, TimelineQuery } from './schemas.js';

/** What can be read about one subject's record beside its score. Nothing here writes. */
export function recordRoutes(deps: RecordDeps): RouteTable {
  const aboutOneUser = { tag: 'Records', params: userPath };
  const readsOneUser = { ...aboutOneUser, access: keyFor('scores'), errors: ['USER_NOT_FOUND'] as const };
  return {
    'GET /users/{id}/reliability': route({
      operationId: 'readReliability',
      ...readsOneUser,
      summary: 'Read what matters for the next job, in under a kilobyte',
      description:
        'All figures are those of the last computation; a subject that has none yet reads null. The answer stays under 1 KB ' +
        'for ids of up to 640 bytes in UTF-8, and under 1.2 KB for any id.',
      query: DispatchQuery,
      queryError: (path) => (path === 'context' ? 'DISPATCH_CONTEXT_INVALID' : 'VALIDATION_ERROR'),
      answers: { 200: Dispatch },
      errors: ['USER_NOT_FOUND', 'DISPATCH_CONTEXT_INVALID'],
      handle: (context) => readReliability(deps, context),
    }),
    'GET /users/{id}/timeline': route({
      operationId: 'listTimeline',
      ...readsOneUser,
      summary: "List a subject's events and changes of score, newest first",
      description:
        "The caller's own events only; the score may rest on those of linked platforms, too. Pages are about what was there when " +
        'the first of them was read, each row once; what comes later shows in a walk that starts anew.',
      query: TimelineQuery,
      answers: { 200: Timeline },
      handle: (context) => readTimeline(deps, context),
    }),
    'GET /users/{id}/platforms': route({
      operationId: 'listContributingPlatforms',
      ...readsOneUser,
      summary: 'List the platforms that a score rests on',
      description:
        'More than one only where the subject has linked its records. Other platforms stay nameless.',
      answers: { 200: Contributions },
      handle: (context) => listPlatforms(deps, context),
    }),
    'POST /users/{id}/score/project': route({
      operationId: 'projectScore',
      ...aboutOneUser,
      access: keyFor('scores', 'read'),
      summary: 'Project a score under events that have not happened',
      description:
        'The published score, and the formula over the ledger as it is now with 1 to 20 events on top. What the published score ' +
        'has yet to take in, such as an event of the last moments, is in `delta`, too. Writes nothing, so the read scope is enough. An id ' +
        'that nobody has reported on starts from the blank record: 20, `Unproven`. For an agent or a business that your ' +
        'platform runs itself every event counts as unverified, as `POST /events` would record it.',
      body: ProjectionBody,
      answers: { 200: ProjectionAnswer },
      handle: (context) => projectEvents(deps, context),
    }),
    'POST /users/{id}/documents/analyze': route({
      operationId: 'analyzeDocuments',
      ...aboutOneUser,
      access: keyFor('scores', 'either'),
      summary: 'Find out what documents would be worth, and who could confirm them',
      description:
        'For each claim: the witness to ask, whether it counts as verified as it stands, and what to do. Two projections show ' +
        'the score with the claims as submitted and with all of them confirmed. Writes nothing. An unknown id starts from the ' +
        'blank record.',
      body: DocumentsBody,
      answers: { 200: DocumentAdvice },
      handle: (context) => analyzeDocuments(deps, context),
    }),
  };
}
