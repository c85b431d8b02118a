import { userPath } from '../../../domain/externalId.js';
import { ok } from '../../../kit/http/answer.js';
import { keyFor, type RouteTable, route } from '../../../kit/http/route.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { DocumentAdvice, DocumentsBody } from './documentSchemas.js';
import { analyzeDocuments } from './documents.js';
import { listPlatforms } from './listPlatforms.js';
import { projectEvents } from './projectEvents.js';
import { ProjectionAnswer, ProjectionBody } from './projectionSchemas.js';
import { readReliability } from './readReliability.js';
import { readTimeline } from './readTimeline.js';
import { Contributions, Dispatch, DispatchQuery, Timeline, TimelineQuery } from './schemas.js';

/** Reads of one subject's record, beside its score. Nothing here writes. */
export function recordRoutes(deps: Pick<ServiceDeps, 'db' | 'clock'>): RouteTable {
  const aboutOneUser = { tag: 'Records', params: userPath };
  const readsOneUser = { ...aboutOneUser, access: keyFor('scores'), errors: ['USER_NOT_FOUND'] as const };
  return {
    'GET /users/{id}/reliability': route({
      operationId: 'readReliability',
      ...readsOneUser,
      summary: 'Read the figures for the next job, in under 1 KB',
      description:
        'The figures of the last computation, or null for a subject without a score. The answer is smaller than 1 KB for ids of ' +
        'up to 640 bytes in UTF-8, and smaller than 1.2 KB for any id.',
      query: DispatchQuery,
      queryError: (path) => (path === 'context' ? 'DISPATCH_CONTEXT_INVALID' : 'VALIDATION_ERROR'),
      answers: { 200: Dispatch },
      errors: ['USER_NOT_FOUND', 'DISPATCH_CONTEXT_INVALID'],
      handle: async ({ owner, params }) => ok(await readReliability(deps, owner, params.id)),
    }),
    'GET /users/{id}/timeline': route({
      operationId: 'listTimeline',
      ...readsOneUser,
      summary: "List a subject's events and score changes, newest first",
      description:
        'Your own events only; the score may also include those of linked platforms. The order is that of reports and ' +
        'publications, so an imported history has the time of the import; `GET /users/{id}/score/course` has the score by ' +
        'the day of outcomes. All pages together list each row once that existed when the first page was read. To see later ' +
        'rows, start again without a cursor.',
      query: TimelineQuery,
      answers: { 200: Timeline },
      handle: async ({ owner, params, query }) => ok(await readTimeline(deps.db, owner, params.id, query)),
    }),
    'GET /users/{id}/platforms': route({
      operationId: 'listContributingPlatforms',
      ...readsOneUser,
      summary: 'List the platforms that contribute to a score',
      description: 'More than one only if the subject has linked its records. Other platforms are not named.',
      answers: { 200: Contributions },
      handle: async ({ owner, params }) => ok(await listPlatforms(deps.db, owner, params.id)),
    }),
    'POST /users/{id}/score/project': route({
      operationId: 'projectScore',
      ...aboutOneUser,
      access: keyFor('scores', 'read'),
      summary: 'Project a score with hypothetical events',
      description:
        'Returns the published score, and the score of the current ledger with 1 to 20 additional events. `delta` also includes ' +
        'events that the published score does not include yet. Writes nothing, so the read scope suffices. An unknown id starts ' +
        'with an empty record: 20, `Unproven`. For an agent or a business that your platform operates, every event counts as ' +
        'unverified, as in `POST /events`.',
      body: ProjectionBody,
      answers: { 200: ProjectionAnswer },
      handle: async ({ caller, params, body }) => ok(await projectEvents(deps, caller, params.id, body)),
    }),
    'POST /users/{id}/documents/analyze': route({
      operationId: 'analyzeDocuments',
      ...aboutOneUser,
      access: keyFor('scores', 'either'),
      summary: 'Analyze the effect of documents, and who could confirm them',
      description:
        'Returns for each claim the witness to ask, whether it counts as verified as submitted, and what to do. Two projections ' +
        'give the score with the claims as submitted and with all claims confirmed. Writes nothing. An unknown id starts with ' +
        'an empty record.',
      body: DocumentsBody,
      answers: { 200: DocumentAdvice },
      handle: async ({ caller, params, body }) => ok(await analyzeDocuments(deps, caller, params.id, body)),
    }),
  };
}
