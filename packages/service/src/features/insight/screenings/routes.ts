import { CSV_TYPE } from '../../../kit/csv.js';
import { keyFor, type RouteTable, route } from '../../../kit/http/route.js';
import { createScreening } from './createScreening.js';
import type { ScreeningDeps } from './deps.js';
import { listScreenings } from './listScreenings.js';
import { readResults } from './readResults.js';
import { readScreening } from './readScreening.js';
import {
  CSV_EXAMPLE,
  ResultsPage,
  ResultsQuery,
  ScreeningBody,
  ScreeningPage,
  ScreeningQuery,
  ScreeningRecord,
  screeningPath,
} from './schemas.js';

/** Scores of many subjects at once (RULES R12). Nothing is written to any subject, and nothing judges one. */
export function screeningRoutes(deps: ScreeningDeps): RouteTable {
  const onOne = { access: keyFor('scores'), tag: 'Screenings', params: screeningPath };
  return {
    'POST /screenings': route({
      operationId: 'createScreening',
      access: keyFor('scores', 'read'),
      tag: 'Screenings',
      summary: 'Look up the scores of many subjects',
      description:
        'Up to 100 ids are looked up at once, and the answer is `COMPLETED` already. More are queued: `Location` names ' +
        'where to ask how far it is, and `screening.completed` tells of the end. A screening that makes no progress for ' +
        '`SCREENING_STALE_MINUTES` (15) counts as failed.',
      plan: 'screenings',
      idempotent: true,
      body: ScreeningBody,
      answers: { 202: ScreeningRecord },
      errors: ['SCREENING_QUEUE_UNAVAILABLE'],
      handle: (context) => createScreening(deps, context),
    }),
    'GET /screenings': route({
      operationId: 'listScreenings',
      access: keyFor('scores'),
      tag: 'Screenings',
      summary: 'List screenings',
      description:
        'Those of the mode of the key, newest first. A screening is kept for 30 days after its end.',
      query: ScreeningQuery,
      answers: { 200: ScreeningPage },
      handle: (context) => listScreenings(deps, context),
    }),
    'GET /screenings/{id}': route({
      operationId: 'readScreening',
      ...onOne,
      summary: 'Read how far a screening is',
      description:
        'Its status and how many of the ids have been found so far. Ask until it is `COMPLETED` or `FAILED`, or ' +
        'wait for `screening.completed`; then read `/screenings/{id}/results`.',
      answers: { 200: ScreeningRecord },
      errors: ['NOT_FOUND'],
      handle: (context) => readScreening(deps, context),
    }),
    'GET /screenings/{id}/results': route({
      operationId: 'listScreeningResults',
      ...onOne,
      summary: 'Read what a screening found',
      description:
        'In the order of the request: JSON in pages, or all of it as CSV. Each figure is the one that was published when the ' +
        'screening came to its subject. Results are kept for 30 days.',
      query: ResultsQuery,
      answers: { 200: { json: ResultsPage, media: [{ type: CSV_TYPE, example: CSV_EXAMPLE }] } },
      errors: ['NOT_FOUND', 'SCREENING_NOT_COMPLETED'],
      handle: (context) => readResults(deps, context),
    }),
  };
}
