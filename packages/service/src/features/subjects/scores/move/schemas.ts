import { dayOf, eventTypes } from '@reliability/scoring';
import { z } from 'zod';
import { dateOrTimestamp } from '#domain/dateOrTimestamp.js';
import { instant, scoreFields } from '#domain/scoreFields.js';

export type MoveQuery = z.output<typeof MoveQuery>;
export const MoveQuery = z.object({
  from: dateOrTimestamp.transform(dayOf).optional(),
  to: dateOrTimestamp.transform(dayOf).optional(),
});

const { finalScore, scoreBand } = scoreFields;
const scoreOfDay = z.object({ day: z.iso.date(), finalScore, scoreBand });

/** What moved a score: outcomes of one type, time alone, or the rules that limit a score. */
export const partKinds = ['outcomes', 'ageing', 'rules'] as const;
/** Outcomes of one type of which a part holds only some. */
export const partNarrowings = ['late', 'unconfirmed'] as const;

/** Outcomes of a part that are listed one by one. */
export const MAX_LISTED = 100;

export type Move = z.output<typeof Move>;
export const Move = z
  .object({
    userId: z.string(),
    baseline: z.enum(['record', 'blank']),
    from: scoreOfDay,
    to: scoreOfDay,
    delta: z.number(),
    parts: z.array(
      z.object({
        kind: z.enum(partKinds),
        eventType: z.enum(eventTypes).optional(),
        only: z.enum(partNarrowings).optional(),
        count: z.int().min(0),
        points: z.number(),
        outcomes: z
          .array(
            z.object({
              eventId: z.uuid().nullable(),
              at: instant.nullable(),
              confirmedBy: z.string().nullable(),
              points: z.number(),
            }),
          )
          .max(MAX_LISTED + 1),
      }),
    ),
    sentence: z.string(),
  })
  .meta({ id: 'ScoreMove' });
