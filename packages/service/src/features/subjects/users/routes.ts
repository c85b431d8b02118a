import { userPath } from '../../../domain/externalId.js';
import { CSV_TYPE } from '../../../kit/csv.js';
import { keyFor, operator, type RouteTable, route } from '../../../kit/http/route.js';
import type { UserDeps } from './deps.js';
import { listBook } from './listBook.js';
import { resolveVelocityFlag } from './resolveVelocityFlag.js';
import {
  BOOK_CSV_EXAMPLE,
  BookPage,
  BookQuery,
  BookSummary,
  BookSummaryQuery,
  VelocityQuery,
  VelocityResolved,
} from './schemas.js';
import { summarizeBook } from './summarizeBook.js';

export function userRoutes(deps: UserDeps): RouteTable {
  return {
    'GET /users': route({
      operationId: 'listUsers',
      access: keyFor('scores'),
      tag: 'Users',
      summary: "List the platform's own subjects",
      description:
        'Filters combine. A filter on score or band leaves out subjects without a score. JSON in pages, or CSV as one stream: ' +
        'capped, with the cap in `X-Export-Max-Rows` and a last line `# TRUNCATED` where it was reached.',
      query: BookQuery,
      queryError: (path) => (path === 'format' ? 'BOOK_FORMAT_INVALID' : 'BOOK_QUERY_INVALID'),
      answers: { 200: { json: BookPage, media: [{ type: CSV_TYPE, example: BOOK_CSV_EXAMPLE }] } },
      errors: ['BOOK_QUERY_INVALID', 'BOOK_FORMAT_INVALID'],
      handle: (context) => listBook(deps, context),
    }),
    'GET /users/summary': route({
      operationId: 'summarizeUsers',
      access: keyFor('scores'),
      tag: 'Users',
      summary: "Summarise the platform's own subjects",
      description:
        'The filters of the listing; its other parameters are accepted and ignored. `matched` counts everybody who passes. The ' +
        'distribution is of those with a score, and left out for segments past a size that the operator sets.',
      query: BookSummaryQuery,
      queryError: () => 'BOOK_QUERY_INVALID',
      answers: { 200: BookSummary },
      errors: ['BOOK_QUERY_INVALID'],
      handle: (context) => summarizeBook(deps, context),
    }),
    'POST /admin/users/{id}/resolve-velocity-flag': route({
      operationId: 'adminResolveVelocityFlag',
      access: operator,
      tag: 'Operator',
      summary: 'Clear the velocity flag of a subject and recompute its score',
      description:
        'Live subjects only. All subjects linked to it share the score, so they are set free together. The count of events ' +
        'that led to the flag starts over.',
      params: userPath,
      query: VelocityQuery,
      answers: { 200: VelocityResolved },
      errors: ['USER_NOT_FOUND'],
      handle: (context) => resolveVelocityFlag(deps, context),
    }),
  };
}
