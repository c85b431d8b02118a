import { type Day, dayFromIso, dayOf, isoFromDay, type ReplayEntry, replayBys } from '@reliability/scoring';
import { z } from 'zod';
import { dateOrTimestamp } from '#domain/dateOrTimestamp.js';
import { fail, failValidation } from '#domain/errors.js';
import { type CourseSpan, courseOf, courseSteps, defaultStepOf, firstDayOf } from '#domain/scoreCourse.js';
import { CoursePoint } from '#domain/scoreFields.js';
import { encodeCursor, positionOf } from '#kit/http/cursor.js';
import { cursorParam, pageLimit } from '#kit/http/query.js';
import { findFrozenScore, findHeldScores, heldOn } from '#ledger/reads/publishedScores.js';
import { readRecordEntries } from '#ledger/reads/recordEntries.js';
import { subjectOf, type UserContext } from '#ledger/requests/addressedSubject.js';
import type { ServiceDeps } from '../../serviceDeps.js';

/** A year of days. */
const MAX_POINTS = 366;

export const CourseQuery = z.object({
  by: z.enum(replayBys).optional().default('outcome'),
  from: dateOrTimestamp.transform(dayOf).optional(),
  to: dateOrTimestamp.transform(dayOf).optional(),
  step: z.enum(courseSteps).optional(),
  limit: pageLimit(MAX_POINTS, MAX_POINTS),
  cursor: cursorParam,
});

export type Course = z.output<typeof Course>;
export const Course = z
  .object({
    userId: z.string(),
    by: z.enum(replayBys),
    step: z.enum(courseSteps),
    points: z.array(CoursePoint),
    nextCursor: z.string().nullable(),
  })
  .meta({ id: 'ScoreCourse' });

type Query = z.output<typeof CourseQuery>;

/** GET /users/{id}/score/course: replays the events of the record. Throws USER_NOT_FOUND for an unknown subject. */
export async function readCourse(
  { db, clock }: Pick<ServiceDeps, 'db' | 'clock'>,
  context: UserContext<Query>,
): Promise<Course> {
  const { query, params } = context;
  const today = dayOf(clock.now());
  assertInOrder(query, today);
  const next = positionOf(query.cursor, CourseCursor);
  const subjectId = subjectOf(context);
  const [entries, frozen, held] = await Promise.all([
    readRecordEntries(db, subjectId, query.by),
    findFrozenScore(db, subjectId),
    query.by === 'recorded' ? findHeldScores(db, subjectId) : [],
  ]);
  if (!entries) return fail('USER_NOT_FOUND');
  const span = next ? { from: next[0], to: next[1], step: next[2] } : spanOf(query, entries, today);
  const course = courseOf(entries, span, query.limit, frozen, (day) => heldOn(held, day));
  return {
    userId: params.id,
    by: query.by,
    step: span.step,
    points: course.points.map(({ day, ...figures }) => ({ day: isoFromDay(day), ...figures })),
    nextCursor: course.next === null ? null : encodeCursor([course.next, span.to, span.step]),
  };
}

export function assertInOrder({ from, to }: Pick<Query, 'from' | 'to'>, today: Day): void {
  if (from === undefined || from <= Math.min(to ?? today, today)) return;
  const message = `must not lie after \`to\`, or after today, ${isoFromDay(today)}`;
  failValidation([{ path: 'from', code: 'custom', message }]);
}

/** Nothing happens before the first entry, so the span begins there at the earliest. */
function spanOf({ from, to, step }: Query, entries: readonly ReplayEntry[], today: Day): CourseSpan {
  const first = firstDayOf(entries) ?? today;
  const span = { from: Math.max(from ?? first, first), to: Math.min(to ?? today, today) };
  return { ...span, step: step ?? defaultStepOf(span.from, span.to) };
}

/** In the years 1 to 9999. */
const day = z.int().min(dayFromIso('0001-01-01')).max(dayFromIso('9999-12-31'));

/** Where the next page begins, and the end and step that the first page chose. */
const CourseCursor = z.tuple([day, day, z.enum(courseSteps)]);
