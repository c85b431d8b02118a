import { userPath } from '../../../domain/externalId.js';
import { ok } from '../../../kit/http/answer.js';
import { keyFor, type RouteTable, route } from '../../../kit/http/route.js';
import { subjectOf } from '../../../ledger/requests/userContext.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { Course, CourseQuery } from './courseSchema.js';
import { explainScore } from './explainScore.js';
import { Explanation, ExplanationQuery } from './explanationSchema.js';
import { readCourse } from './readCourse.js';
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
      summary: 'Read the score of a subject',
      description:
        'The score is computed moments after an event. Before the first score, the response is 404 `USER_NOT_FOUND`.',
      answers: { 200: Score },
      async handle(context) {
        const figures = await readScore(subjectOf(context));
        return ok({ userId: context.params.id, ...figures });
      },
    }),
    'GET /users/{id}/score/explain': route({
      operationId: 'explainScore',
      ...ofSubject,
      summary: 'Explain a score: factors and reason codes',
      description:
        'Explains the published score. `factors` are points: 20 plus their contributions is the score. `reasonCodes` ' +
        'name what lowers and what supports the score, most significant first. Use it to answer a subject who ' +
        'asks why. It never decides anything. 404 `USER_NOT_FOUND` before the first score.\n\n' +
        'With `asOf` it explains a past day: what the current formula gives for the outcomes that had happened by then, or with ' +
        '`by=recorded` for those that had been reported by then. Its factors make up the point of that day in ' +
        '`/users/{id}/score/course`. For the days of a freeze it explains the score that is frozen. 404 `USER_NOT_FOUND` for a ' +
        'day before the first outcome.',
      query: ExplanationQuery,
      answers: { 200: Explanation },
      handle: async (context) => ok(await explainScore({ ...deps, readDetail }, context)),
    }),
    'GET /users/{id}/score/components': route({
      operationId: 'readScoreComponents',
      ...ofSubject,
      summary: 'Read the six components of a score',
      description:
        'Six views of the record, each from 0 to 100, for charts and policies. They do not add up to the score; the ' +
        'factors of `/users/{id}/score/explain` do. 404 `USER_NOT_FOUND` before the first score.',
      answers: { 200: Components },
      async handle(context) {
        const { detail, formulaVersion, computedAt } = await readDetail(subjectOf(context));
        return ok({ userId: context.params.id, components: detail.components, formulaVersion, computedAt });
      },
    }),
    'GET /users/{id}/score/history': route({
      operationId: 'listScoreHistory',
      ...ofSubject,
      summary: 'List the changes of a score, newest first',
      description:
        'One entry for each published change, with the score before it. `reason` is null for changes by new events. ' +
        'Entries of time decay are thinned to one a month after 30 days. To see what caused the last change, read ' +
        '`/users/{id}/score/delta`.',
      query: HistoryQuery,
      answers: { 200: History },
      handle: async (context) => ok(await listHistory(db, subjectOf(context), context.query)),
    }),
    'GET /users/{id}/score/course': route({
      operationId: 'readScoreCourse',
      ...ofSubject,
      summary: 'Read how a score developed over time',
      description:
        'Computes the score at the end of each day, week or month from the events of the record, with the current formula. ' +
        '`by=outcome` lets each outcome count from the day on which it happened, so an imported history is as long as it was: use ' +
        'it for charts and trends. Its last point, of today, is the published score once every event is counted. `by=recorded` ' +
        'lets each outcome count from the day of its report: its points are the scores that were published at the end of those ' +
        'days. A linked subject counts with its record: by `outcome` with its present members, by `recorded` with the members of ' +
        'that day. The course of a frozen score ends with the score that is frozen. What was published, and when, is in ' +
        '`/users/{id}/score/history`. `points` is empty for a subject without an event. All pages end with the same day.',
      query: CourseQuery,
      answers: { 200: Course },
      handle: async (context) => ok(await readCourse(deps, context)),
    }),
    'GET /users/{id}/score/delta': route({
      operationId: 'explainScoreChange',
      ...ofSubject,
      summary: 'Explain the last change of a score',
      description: 'Compares the latest two published scores. 404 `NOT_FOUND` before the second score.',
      errors: ['USER_NOT_FOUND', 'NOT_FOUND'],
      answers: { 200: Change },
      handle: async (context) => ok(await explainChange(db, context)),
    }),
    'POST /users/scores': route({
      operationId: 'readScores',
      access: keyFor('scores', 'read'),
      tag: 'Scores',
      summary: 'Read up to 100 scores at once',
      description:
        'Writes nothing, so the read scope is enough. For an id without a score, `found` is false.',
      body: ScoresBody,
      answers: { 200: Scores },
      handle: async ({ owner, body }) => ok(await readScores(deps, owner, body)),
    }),
  };
}
