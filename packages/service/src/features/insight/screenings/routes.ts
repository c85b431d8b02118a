import { CSV_TYPE } from '../../../kit/csv.js';
import { ok } from '../../../kit/http/answer.js';
import { keyFor, type RouteTable, route } from '../../../kit/http/route.js';
import { createScreening } from './createScreening.js';
import { readResults } from './readResults.js';
import { listScreenings, readScreening } from './readScreenings.js';
import {
  CSV_EXAMPLE,
  ResultsPage,
  ResultsQuery,
  Screening,
  ScreeningBody,
  ScreeningPage,
  ScreeningQuery,
  screeningPath,
} from './schemas.js';
import type { ScreeningDeps } from './screening.js';

/** Lookups of many scores (RULES R12). They change no subject and contain no verdict. */
export function screeningRoutes(deps: ScreeningDeps): RouteTable {
  const onOne = { access: keyFor('scores'), tag: 'Screenings', params: screeningPath };
  return {
    'POST /screenings': route({
      operationId: 'createScreening',
      access: keyFor('scores', 'read'),
      tag: 'Screenings',
      summary: 'Look up the scores of many subjects',
      description:
        'Up to 100 ids are looked up in the request, and the answer is `COMPLETED`. More ids are queued: read the status at ' +
        '`Location`, or wait for `screening.completed`. A screening that makes no progress for `SCREENING_STALE_MINUTES` ' +
        '(default: 15) fails.',
      plan: 'screenings',
      idempotent: true,
      body: ScreeningBody,
      answers: { 202: Screening },
      errors: ['SCREENING_QUEUE_UNAVAILABLE'],
      handle: ({ owner, body, claim }) => createScreening(deps, owner, body, claim),
    }),
    'GET /screenings': route({
      operationId: 'listScreenings',
      access: keyFor('scores'),
      tag: 'Screenings',
      summary: 'List screenings',
      description:
        'The screenings in the mode of the key, newest first. A screening is deleted 30 days after its end.',
      query: ScreeningQuery,
      answers: { 200: ScreeningPage },
      handle: async ({ owner, query }) => ok(await listScreenings(deps, owner, query)),
    }),
    'GET /screenings/{id}': route({
      operationId: 'readScreening',
      ...onOne,
      summary: 'Read the status of a screening',
      description:
        'The status, and how many ids were found so far. Poll until the status is `COMPLETED` or `FAILED`, or wait for ' +
        '`screening.completed`. Then read `/screenings/{id}/results`.',
      answers: { 200: Screening },
      errors: ['NOT_FOUND'],
      handle: async ({ owner, params }) => ok(await readScreening(deps, owner, params.id)),
    }),
    'GET /screenings/{id}/results': route({
      operationId: 'listScreeningResults',
      ...onOne,
      summary: 'Read the results of a screening',
      description:
        'Results in the order of the request, as pages of JSON or as one CSV file. The figures are those published when the ' +
        'screening looked up the subject. Results are deleted after 30 days.',
      query: ResultsQuery,
      answers: { 200: { json: ResultsPage, media: [{ type: CSV_TYPE, example: CSV_EXAMPLE }] } },
      errors: ['NOT_FOUND', 'SCREENING_NOT_COMPLETED'],
      handle: ({ owner, params, query }) => readResults(deps, owner, params.id, query),
    }),
  };
}
