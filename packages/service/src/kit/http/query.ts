import { z } from 'zod';
import { isStorableText } from './text.js';

export function wholeNumber(min: number, max: number) {
  return z
    .string()
    .regex(/^-?\d{1,15}$/, { error: 'must be a whole number', abort: true })
    .transform(Number)
    .pipe(z.number().min(min).max(max));
}

export function pageLimit(max: number, fallback: number) {
  return wholeNumber(1, max).optional().default(fallback);
}

export const flag = z
  .enum(['true', 'false'])
  .transform((text) => text === 'true')
  .pipe(z.boolean());

export const cursorParam = z.string().max(2048, { abort: true }).optional();

/** The body of one page of a list. */
export function pageSchema<Name extends string, Item extends z.ZodType>(name: Name, item: Item) {
  const page = { [name]: z.array(item), nextCursor: z.string().nullable() };
  return z.object(page as Record<Name, z.ZodArray<Item>> & { nextCursor: z.ZodNullable<z.ZodString> });
}

/** A time in an answer: handlers return a Date, and JSON.stringify writes it as this schema describes. */
export const instant = z.iso.datetime() as unknown as z.ZodType<Date>;

/** Node refuses longer headers, and the address is one of them. */
export const MAX_ADDRESS = 16 * 1024;

export function pathText(max = 255) {
  return z.string().max(max);
}

/** A single-line text that is stored as given: no control characters. */
export function storableText(min: number, max: number) {
  return z
    .string()
    .min(min)
    .max(max, { abort: true })
    .refine(isStorableText, 'contains a character that cannot be stored');
}
