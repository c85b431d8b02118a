import { z } from 'zod';
import { MAX_MOMENT, rangeEnd } from './timestamp.js';

/** For the meta of a text that is read as the one or the other. */
export const DATE_OR_TIMESTAMP = {
  anyOf: [
    { type: 'string', format: 'date' },
    { type: 'string', format: 'date-time' },
  ],
};

const end = z.string().max(MAX_MOMENT).optional().meta(DATE_OR_TIMESTAMP);

export const dateRange = { from: end, to: end };

const dayOrMoment = z
  .string()
  .max(MAX_MOMENT, { abort: true })
  .meta(DATE_OR_TIMESTAMP)
  .transform((text, context) => {
    const at = rangeEnd(text, 'from');
    if (at) return { text, at };
    const message = 'must be a date, such as 2026-03-01, or an RFC 3339 timestamp';
    context.addIssue({ code: 'invalid_format', format: 'date', message, input: text });
    return z.NEVER;
  });

/** A date, which means the start of its UTC day, or a timestamp. */
export const dateOrTimestamp = dayOrMoment.transform(({ at }) => at);

/**
 * The same where the wording counts: a date stays a date, a timestamp is written in UTC with milliseconds.
 */
export const datedText = dayOrMoment.transform(({ text, at }) =>
  text.length === DATE_LENGTH ? text : at.toISOString(),
);

const DATE_LENGTH = 'yyyy-mm-dd'.length;

/** True unless both are there and the second lies before the first. */
export function isInOrder(
  first: Date | string | null | undefined,
  second: Date | string | null | undefined,
): boolean {
  return !first || !second || new Date(first) <= new Date(second);
}
