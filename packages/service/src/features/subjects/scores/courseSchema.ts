import { dayOf, replayBys } from '@reliability/scoring';
import { z } from 'zod';
import { dateOrTimestamp } from '../../../domain/dateOrTimestamp.js';
import { courseSteps } from '../../../domain/scoreCourse.js';
import { CoursePoint } from '../../../domain/scoreFields.js';
import { cursorParam, pageLimit } from '../../../kit/http/query.js';

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
