import { z } from 'zod';
import { isStorableText } from './text.js';

/** An integer in a query or path. */
export function wholeNumber(min: number, max: number) {
  return z
    .string()
    .regex(/^-?\d{1,15}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(min).max(max));
}

/** `limit` of a listing. */
export function pageLimit(max: number, fallback: number) {
  return wholeNumber(1, max).optional().default(fallback);
}

/** A boolean in a query. */
export const flag = z
  .enum(['true', 'false'])
  .transform((text) => text === 'true')
  .pipe(z.boolean());

export const cursorParam = z
  .string()
  .max(2048)
  .optional()
  .meta({ description: 'The `nextCursor` of the previous page.', example: 'WyIwMTkz...' });

/**
 * A time in an answer: handlers return a Date, and JSON.stringify writes it as this schema
 * describes.
 */
export const instant = z.iso.datetime() as unknown as z.ZodType<Date>;

/** A single-line text that is stored as given: no control characters. */
export function storableText(min: number, max: number) {
  return z.string().min(min).max(max).refine(isStorableText, 'contains a character that cannot be stored');
}
