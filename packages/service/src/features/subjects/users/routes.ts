import { userPath } from '../../../domain/externalId.js';
import { CSV_TYPE } from '../../../kit/csv.js';
import { ok } from '../../../kit/http/answer.js';
import { keyFor, operator, type RouteTable, route } from '../../../kit/http/route.js';
import { addressedSubjectId } from '../../../ledger/requests/addressedSubject.js';
import { type BookDeps, listBook, summarizeBook } from './book.js';
import { joinFrozenScores, listFrozenScores } from './frozenScores.js';
import { resolveVelocityFlag, type VelocityDeps } from './resolveVelocityFlag.js';
import {
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
      query: BookQuery,
      queryError: (path) => (path === 'format' ? 'BOOK_FORMAT_INVALID' : 'BOOK_QUERY_INVALID'),
      answers: { 200: { json: BookPage, media: [{ type: CSV_TYPE }] } },
      errors: ['BOOK_QUERY_INVALID', 'BOOK_FORMAT_INVALID'],
      handle: ({ owner, query }) => listBook(deps, owner, query),
    }),
    'GET /users/summary': route({
      operationId: 'summarizeUsers',
      access: keyFor('scores'),
      tag: 'Users',
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
      answers: { 200: FrozenScores },
      joinGroups: (answers) => ok(joinFrozenScores(answers.map(({ body }) => body as FrozenScores))),
      handle: async () => ok(await listFrozenScores(deps.db)),
    }),
    'POST /admin/users/{id}/resolve-velocity-flag': route({
      operationId: 'adminResolveVelocityFlag',
      access: operator,
      tag: 'Operator',
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
