import { userPath } from '../../../domain/externalId.js';
import { ok } from '../../../kit/http/answer.js';
import { keyFor, type RouteTable, route } from '../../../kit/http/route.js';
import { subjectOf } from '../../../ledger/requests/addressedSubject.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { Explanation, ExplanationQuery, explainScore } from './explainScore.js';
import { Course, CourseQuery, readCourse } from './readCourse.js';
import { createDetailReader, createScoreReader, readScores } from './readScores.js';
import { Change, Components, History, HistoryQuery, Score, Scores, ScoresBody } from './schemas.js';
import { explainChange, listHistory } from './scoreHistory.js';

/** Reads of scores (RULES S14). The published score is never computed by a read: only the recompute worker does that. */
export function scoreRoutes(deps: Pick<ServiceDeps, 'db' | 'clock' | 'erased'>): RouteTable {
  const { db } = deps;
  const readScore = createScoreReader(db);
  const readDetail = createDetailReader(db);
  const ofSubject = {
    access: keyFor('scores'),
    tag: 'Scores',
    params: userPath,
    errors: ['USER_NOT_FOUND'],
  } as const;
  return {
    'GET /users/{id}/score': route({
      operationId: 'readScore',
      ...ofSubject,
      answers: { 200: Score },
      async handle(context) {
        const figures = await readScore(subjectOf(context));
        return ok({ userId: context.params.id, ...figures });
      },
    }),
    'GET /users/{id}/score/explain': route({
      operationId: 'explainScore',
      ...ofSubject,
      query: ExplanationQuery,
      answers: { 200: Explanation },
      handle: async (context) => ok(await explainScore({ ...deps, readDetail }, context)),
    }),
    'GET /users/{id}/score/components': route({
      operationId: 'readScoreComponents',
      ...ofSubject,
      answers: { 200: Components },
      async handle(context) {
        const { detail, formulaVersion, computedAt } = await readDetail(subjectOf(context));
        return ok({ userId: context.params.id, components: detail.components, formulaVersion, computedAt });
      },
    }),
    'GET /users/{id}/score/history': route({
      operationId: 'listScoreHistory',
      ...ofSubject,
      query: HistoryQuery,
      answers: { 200: History },
      handle: async (context) => ok(await listHistory(db, subjectOf(context), context.query)),
    }),
    'GET /users/{id}/score/course': route({
      operationId: 'readScoreCourse',
      ...ofSubject,
      query: CourseQuery,
      answers: { 200: Course },
      handle: async (context) => ok(await readCourse(deps, context)),
    }),
    'GET /users/{id}/score/delta': route({
      operationId: 'explainScoreChange',
      ...ofSubject,
      errors: ['USER_NOT_FOUND', 'NOT_FOUND'],
      answers: { 200: Change },
      handle: async (context) => ok(await explainChange(db, context)),
    }),
    'POST /users/scores': route({
      operationId: 'readScores',
      access: keyFor('scores', 'read'),
      tag: 'Scores',
      body: ScoresBody,
      answers: { 200: Scores },
      handle: async ({ owner, body }) => ok(await readScores(deps, owner, body)),
    }),
  };
}
