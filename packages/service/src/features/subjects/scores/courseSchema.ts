import { dayOf, replayBys } from '@reliability/scoring';
import { z } from 'zod';
import { dateOrTimestamp } from '../../../domain/dateOrTimestamp.js';
import { courseSteps } from '../../../domain/scoreCourse.js';
import { COURSE_EXAMPLE, CoursePoint } from '../../../domain/scoreFields.js';
import { cursorParam, pageLimit } from '../../../kit/http/query.js';

/** A year of days. */
const MAX_POINTS = 366;

export const REPLAY_BY =
  'When an outcome counts: from the day on which it happened (`outcome`), or from the day of its report (`recorded`).';

export const CourseQuery = z.object({
  by: z
    .enum(replayBys)
    .optional()
    .default('outcome')
    .meta({ description: `${REPLAY_BY} Default: \`outcome\`.`, example: 'outcome' }),
  from: dateOrTimestamp.transform(dayOf).optional().meta({
    description: 'First day (UTC). Default: the day of the first outcome. Earlier days have no score.',
    example: '2026-01-01',
  }),
  to: dateOrTimestamp.transform(dayOf).optional().meta({
    description: 'Last day (UTC), included. Default: today. A later day means today.',
    example: '2026-03-01',
  }),
  step: z
    .enum(courseSteps)
    .optional()
    .meta({
      description:
        'The time between two points. A week ends on Sunday, a month on its last day. Default: `day` up to 92 days, `week` up ' +
        'to two years, then `month`.',
      example: 'month',
    }),
  limit: pageLimit(MAX_POINTS, MAX_POINTS).meta({
    description: 'Steps in a page, from 1 to 366. Default: 366.',
    example: '100',
  }),
  cursor: cursorParam,
});

export type Course = z.output<typeof Course>;
export const Course = z
  .object({
    userId: z.string().meta({ description: "The caller's own id of the subject, as requested." }),
    by: z.enum(replayBys).meta({ description: REPLAY_BY }),
    step: z.enum(courseSteps).meta({ description: 'The time between two points.' }),
    points: z
      .array(CoursePoint)
      .meta({ description: 'Oldest first. A step that ends without a score has no point.' }),
    nextCursor: z.string().nullable(),
  })
  .meta({
    id: 'ScoreCourse',
    description: 'The score over time, computed from the events of the record.',
    example: {
      userId: 'worker-4711',
      by: 'outcome',
      step: 'month',
      points: COURSE_EXAMPLE,
      nextCursor: null,
    },
  });
