import { userPath } from '../../../domain/externalId.js';
import { keyFor, type RouteTable, route } from '../../../kit/http/route.js';
import type { ScoreDeps } from './deps.js';
import { explainChange } from './explainChange.js';
import { explainScore } from './explainScore.js';
import { Explanation } from './explanationSchema.js';
import { listHistory } from './listHistory.js';
import { createScoreLoader } from './loadScores.js';
import { readComponents } from './readComponents.js';
import { readScore } from './readScore.js';
import { readScores } from './readScores.js';
import { Change, Components, History, HistoryQuery, Score, Scores, ScoresBody } from './schemas.js';

/** Reads of scores (RULES S14). None of them computes anything: that is the recompute worker's. */
export function scoreRoutes(deps: ScoreDeps): RouteTable {
  const loadScore = createScoreLoader(deps.db);
  const readsOneUser = {
    access: keyFor('scores'),
    tag: 'Scores',
    params: userPath,
    errors: ['USER_NOT_FOUND'] as const,
  };
  return {
    'GET /users/{id}/score': route({
      operationId: 'readScore',
      ...readsOneUser,
      summary: 'Read the score of a subject',
      description:
        'The score follows an event within moments. Until the first one is worked in, the answer is 404 `USER_NOT_FOUND`.',
      answers: { 200: Score },
      handle: (context) => readScore(loadScore, context),
    }),
    'GET /users/{id}/score/explain': route({
      operationId: 'explainScore',
      ...readsOneUser,
      summary: 'Explain a score: factors and reason codes',
      description:
        'Names what the published score is made of: `factors` are points and sum to the score, `reasonCodes` say ' +
        'what holds it down and what supports it, most significant first. Use it to answer a subject who asks ' +
        'why. It attributes and decides nothing. 404 `USER_NOT_FOUND` while there is no score.',
      answers: { 200: Explanation },
      handle: (context) => explainScore(deps, context),
    }),
    'GET /users/{id}/score/components': route({
      operationId: 'readScoreComponents',
      ...readsOneUser,
      summary: 'Read the six components of a score',
      description:
        'Six views of the record, each from 0 to 100, for charts and for policies on one of them. They do not add ' +
        'up to the score; for what does, read `/users/{id}/score/explain`. 404 `USER_NOT_FOUND` while there is no ' +
        'score.',
      answers: { 200: Components },
      handle: (context) => readComponents(deps, context),
    }),
    'GET /users/{id}/score/history': route({
      operationId: 'listScoreHistory',
      ...readsOneUser,
      summary: 'List the changes of a score, newest first',
      description:
        'One entry for each published change, with the score before it and the reason where it was not new ' +
        'events. Entries that only record the passing of time are thinned to one a month after 30 days. For what ' +
        'a single change came from, read `/users/{id}/score/delta`.',
      query: HistoryQuery,
      answers: { 200: History },
      handle: (context) => listHistory(deps, context),
    }),
    'GET /users/{id}/score/delta': route({
      operationId: 'explainScoreChange',
      ...readsOneUser,
      summary: 'Explain the last change of a score',
      description: 'Compares the latest two published scores. 404 `NOT_FOUND` while there has been only one.',
      errors: ['USER_NOT_FOUND', 'NOT_FOUND'],
      answers: { 200: Change },
      handle: (context) => explainChange(deps, context),
    }),
    'POST /users/scores': route({
      operationId: 'readScores',
      access: keyFor('scores', 'read'),
      tag: 'Scores',
      summary: 'Read up to 100 scores at once',
      description:
        'Writes nothing, so the read scope is enough. An id without a score is answered with `found: false`.',
      body: ScoresBody,
      answers: { 200: Scores },
      handle: (context) => readScores(deps, context),
    }),
  };
}
