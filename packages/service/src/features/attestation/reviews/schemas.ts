import { z } from 'zod';
import { reviewOutcomes, reviewStatuses } from '#domain/catalogues/enums.js';
import { instant, pageSchema, pathText, storableText } from '#kit/http/query.js';
import { caseQuery } from '#ledger/reads/caseList.js';

export type Review = z.output<typeof Review>;
export const Review = z
  .object({
    id: z.uuid(),
    userId: z.string(),
    eventId: z.uuid().nullable(),
    status: z.enum(reviewStatuses),
    text: z.string().nullable(),
    outcome: z.enum(reviewOutcomes).nullable(),
    answer: z.string().nullable(),
    reviewer: z.string().nullable(),
    openedAt: instant,
    respondBy: instant,
    overdue: z.boolean(),
    answeredAt: instant.nullable(),
  })
  .meta({ id: 'Review' });

export const ReviewPage = pageSchema('reviews', Review).meta({ id: 'ReviewPage' });

/**
 * Words in several lines. The length is checked before anything reads them. A form ends lines by two
 * characters, which its page counts as one.
 */
const words = z
  .string()
  .max(4000, { abort: true })
  .overwrite((text) => text.replaceAll('\r\n', '\n'))
  .min(1)
  .max(2000, { abort: true })
  .refine((text) => /\S/.test(text), 'must contain words');

/** What a subject sends from the page of its record. */
export type ReviewBody = z.output<typeof ReviewBody>;
export const ReviewBody = z.object({ eventId: z.guid().optional(), text: words }).meta({ id: 'NewReview' });

export type ReviewAnswer = z.output<typeof ReviewAnswer>;
export const ReviewAnswer = z
  .object({
    outcome: z.enum(reviewOutcomes),
    text: words,
    reviewer: storableText(1, 255),
  })
  .meta({ id: 'ReviewAnswer' });

export const ReviewQuery = z.object({ status: z.enum(reviewStatuses).optional(), ...caseQuery });

export const reviewPath = z.object({ id: pathText() });
