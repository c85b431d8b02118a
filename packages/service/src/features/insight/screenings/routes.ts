import { CSV_TYPE } from '../../../kit/csv.js';
import { ok } from '../../../kit/http/answer.js';
import { keyFor, type RouteTable, route } from '../../../kit/http/route.js';
import { createScreening } from './createScreening.js';
import { readResults } from './readResults.js';
import { listScreenings, readScreening } from './readScreenings.js';
import {
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
      query: ScreeningQuery,
      answers: { 200: ScreeningPage },
      handle: async ({ owner, query }) => ok(await listScreenings(deps, owner, query)),
    }),
    'GET /screenings/{id}': route({
      operationId: 'readScreening',
      ...onOne,
      answers: { 200: Screening },
      errors: ['NOT_FOUND'],
      handle: async ({ owner, params }) => ok(await readScreening(deps, owner, params.id)),
    }),
    'GET /screenings/{id}/results': route({
      operationId: 'listScreeningResults',
      ...onOne,
      query: ResultsQuery,
      answers: { 200: { json: ResultsPage, media: [{ type: CSV_TYPE }] } },
      errors: ['NOT_FOUND', 'SCREENING_NOT_COMPLETED'],
      handle: ({ owner, params, query }) => readResults(deps, owner, params.id, query),
    }),
  };
}
