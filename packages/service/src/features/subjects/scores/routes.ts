import { z } from 'zod';
import { fail } from '#domain/errors.js';
import { userPath } from '#domain/externalId.js';
import type { LanguageTag } from '#domain/languages.js';
import { factorChanges, pointsBetween, topDriverOf } from '#domain/points.js';
import type { Queryable } from '#kit/db/database.js';
import { ok } from '#kit/http/answer.js';
import { pageOf, positionOf } from '#kit/http/cursor.js';
import { keyFor, type RouteTable, route } from '#kit/http/route.js';
import { lowestIdAt } from '#kit/ids.js';
import {
  type ExplainedSnapshot,
  findLatestExplained,
  findSnapshots,
  historyEntryOf,
  type Snapshot,
} from '#ledger/reads/publishedScores.js';
import { subjectOf, type UserContext } from '#ledger/requests/addressedSubject.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { Explanation, ExplanationQuery, explainScore } from './explainScore.js';
import { explainMove } from './move/readMove.js';
import { Move, MoveQuery } from './move/schemas.js';
import { Course, CourseQuery, readCourse } from './readCourse.js';
import {
  Change,
  Components,
  createDetailReader,
  createScoreReader,
  findEventIds,
  History,
  HistoryQuery,
  type LedgerRange,
  readScores,
  Score,
  Scores,
  ScoresBody,
} from './readScores.js';
import { readSuggestions, Suggestions } from './suggestions/suggestions.js';

export interface ScoreRouteDeps extends Pick<ServiceDeps, 'db' | 'clock' | 'erased'> {
  /** The language of sentences, by the header `Accept-Language`. */
  languageFor(acceptLanguage: string | undefined): LanguageTag;
}

/** Reads of scores (RULES S14). The published score is never computed by a read: only the recompute worker does that. */
export function scoreRoutes(deps: ScoreRouteDeps): RouteTable {
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
    'GET /users/{id}/score/change': route({
      operationId: 'explainScoreMove',
      ...ofSubject,
      query: MoveQuery,
      answers: { 200: Move },
      async handle(context) {
        const language = deps.languageFor(context.header('accept-language'));
        const headers = { 'Content-Language': language, Vary: 'Accept-Language' };
        return ok(await explainMove(deps, context, language), headers);
      },
    }),
    'GET /users/{id}/score/suggestions': route({
      operationId: 'suggestForScore',
      ...ofSubject,
      answers: { 200: Suggestions },
      async handle(context) {
        const { platformId } = context.owner;
        const subject = { platformId, subjectId: subjectOf(context), userId: context.params.id };
        return ok(await readSuggestions(deps, subject));
      },
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

const MAX_SNAPSHOT_NO = 2 ** 31 - 1;
const HistoryCursor = z.tuple([z.int().min(1).max(MAX_SNAPSHOT_NO)]);

/** GET /users/{id}/score/history. Throws USER_NOT_FOUND for a subject without a score. */
export async function listHistory(
  db: Queryable,
  subjectId: string,
  { cursor, limit }: z.output<typeof HistoryQuery>,
): Promise<History> {
  const [before] = positionOf(cursor, HistoryCursor) ?? [MAX_SNAPSHOT_NO];
  const rows = await findSnapshots(db, subjectId, before, limit + 1);
  if (rows.length === 0 && !(await hasHistory(db, subjectId))) return fail('USER_NOT_FOUND');
  const page = pageOf(rows, limit, (snapshot) => [snapshot.snapshotNo]);
  return { history: page.rows.map(historyEntryOf), nextCursor: page.nextCursor };
}

async function hasHistory(db: Queryable, subjectId: string): Promise<boolean> {
  return (await findSnapshots(db, subjectId, MAX_SNAPSHOT_NO, 1)).length > 0;
}

const MAX_EVENT_IDS = 100;

/** GET /users/{id}/score/delta: the parts of the last published change. Throws USER_NOT_FOUND, or NOT_FOUND before the second score. */
export async function explainChange(
  db: Queryable,
  context: Pick<UserContext, 'owner' | 'params'>,
): Promise<Change> {
  const subjectId = subjectOf(context);
  const [current, previous] = await findLatestExplained(db, subjectId, 2);
  if (!current) return fail('USER_NOT_FOUND');
  if (!previous) {
    return fail('NOT_FOUND', {
      message: 'This score has been computed only once, so there is no change to explain.',
    });
  }
  const factors = factorChanges(previous.factors, current.factors);
  const range = rangeBetween(subjectId, previous, current);
  return {
    userId: context.params.id,
    previous: snapshotFiguresOf(previous),
    current: snapshotFiguresOf(current),
    delta: pointsBetween(previous.finalScore, current.finalScore),
    reason: current.reason,
    factors,
    topDriver: topDriverOf(factors),
    events: await findEventIds(db, range, MAX_EVENT_IDS),
  };
}

function snapshotFiguresOf(snapshot: Snapshot) {
  return { score: snapshot.finalScore, band: snapshot.scoreBand, computedAt: snapshot.computedAt };
}

/** An event is written within moments of the time in its id. This is slack for clocks that disagree. */
const CLOCK_SLACK_MS = 24 * 60 * 60 * 1000;

/** Only the subject's own events: events of linked subjects belong to other platforms. */
function rangeBetween(
  subjectId: string,
  previous: ExplainedSnapshot,
  current: ExplainedSnapshot,
): LedgerRange {
  return {
    subjectId,
    after: previous.positions[subjectId] ?? 0,
    upTo: current.positions[subjectId] ?? 0,
    fromId: lowestIdAt(new Date(previous.computedAt.getTime() - CLOCK_SLACK_MS)),
  };
}
