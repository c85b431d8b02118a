import { userPath } from '../../../domain/externalId.js';
import { CSV_TYPE } from '../../../kit/csv.js';
import { ok } from '../../../kit/http/answer.js';
import { keyFor, operator, type RouteTable, route } from '../../../kit/http/route.js';
import { addressedSubjectId } from '../../../ledger/requests/addressedSubject.js';
import { type BookDeps, listBook, summarizeBook } from './book.js';
import { joinFrozenScores, listFrozenScores } from './frozenScores.js';
import { resolveVelocityFlag, type VelocityDeps } from './resolveVelocityFlag.js';
import {
  BOOK_CSV_EXAMPLE,
  BookPage,
  BookQuery,
  BookSummary,
  BookSummaryQuery,
  FrozenScores,
  VelocityQuery,
  VelocityResolved,
} from './schemas.js';

export function userRoutes(deps: BookDeps & VelocityDeps): RouteTable {
  return {
    'GET /users': route({
      operationId: 'listUsers',
      access: keyFor('scores'),
      tag: 'Users',
      summary: "List the platform's own subjects",
      description:
        'Filters combine. A filter on score or band excludes subjects without a score. JSON comes in pages, CSV as one stream. CSV is ' +
        'capped: `X-Export-Max-Rows` is the cap, and a last line `# TRUNCATED` says that it was reached.',
      query: BookQuery,
      queryError: (path) => (path === 'format' ? 'BOOK_FORMAT_INVALID' : 'BOOK_QUERY_INVALID'),
      answers: { 200: { json: BookPage, media: [{ type: CSV_TYPE, example: BOOK_CSV_EXAMPLE }] } },
      errors: ['BOOK_QUERY_INVALID', 'BOOK_FORMAT_INVALID'],
      handle: ({ owner, query }) => listBook(deps, owner, query),
    }),
    'GET /users/summary': route({
      operationId: 'summarizeUsers',
      access: keyFor('scores'),
      tag: 'Users',
      summary: "Summarise the platform's own subjects",
      description:
        'Takes the filters of the listing; its other parameters are accepted and ignored. `matched` counts all subjects that pass. ' +
        'The distribution covers those with a score. It is left out for segments above a size that the operator sets.',
      query: BookSummaryQuery,
      queryError: () => 'BOOK_QUERY_INVALID',
      answers: { 200: BookSummary },
      errors: ['BOOK_QUERY_INVALID'],
      handle: async ({ owner, query }) => ok(await summarizeBook(deps, owner, query)),
    }),
    'GET /admin/frozen-scores': route({
      operationId: 'adminListFrozenScores',
      access: operator,
      tag: 'Operator',
      summary: 'List the scores that the velocity guard holds',
      description:
        'Live scores of all platforms, the longest held first. Look into each, then clear it with ' +
        '`POST /admin/users/{id}/resolve-velocity-flag`. At most 200 are listed at once.',
      answers: { 200: FrozenScores },
      joinGroups: (answers) => ok(joinFrozenScores(answers.map(({ body }) => body as FrozenScores))),
      handle: async () => ok(await listFrozenScores(deps.db)),
    }),
    'POST /admin/users/{id}/resolve-velocity-flag': route({
      operationId: 'adminResolveVelocityFlag',
      access: operator,
      tag: 'Operator',
      summary: 'Clear the velocity flag of a subject and recompute its score',
      description:
        'Live subjects only. Linked subjects share the score, so the flag is cleared for all of them. The event count behind the ' +
        'flag restarts.',
      params: userPath,
      query: VelocityQuery,
      groupOf: ({ params, query }, directory) =>
        directory.ofSubject(addressedSubjectId({ ...query, id: params.id, livemode: true })),
      answers: { 200: VelocityResolved },
      errors: ['USER_NOT_FOUND'],
      handle: async ({ params, query }) =>
        ok(await resolveVelocityFlag(deps, { id: params.id, platformId: query.platformId })),
    }),
  };
}
