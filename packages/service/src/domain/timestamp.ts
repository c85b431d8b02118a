import { z } from 'zod';
import type { ErrorCode } from './errorCatalog.js';
import { fail } from './errors.js';

/** Four-digit years: both ends of what JavaScript and PostgreSQL agree to write. */
const EARLIEST_MS = Date.parse('0001-01-01T00:00:00.000Z');
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** An RFC 3339 timestamp with its offset, read to the millisecond. */
export const timestamp = z.iso
  .datetime({ offset: true, abort: true })
  .refine(isInRange, 'must lie between the years 0001 and 9999')
  .transform((text) => new Date(text));

function isInRange(text: string): boolean {
  const ms = Date.parse(text);
  return ms >= EARLIEST_MS && ms <= LATEST_MS;
}

/** Both ends belong to the range, to the millisecond; null where it is open. */
export interface TimeRange {
  readonly start: Date | null;
  readonly end: Date | null;
}

/** `from` and `to` of a query, each a date or a timestamp. Fails with `code` where one is neither or they are swapped. */
export function timeRangeOf(
  { from, to }: { from?: string | undefined; to?: string | undefined },
  code: ErrorCode,
): TimeRange {
  const start = from === undefined ? null : rangeEnd(from, 'from');
  const end = to === undefined ? null : rangeEnd(to, 'to');
  if (from !== undefined && !start) fail(code, { message: '`from` is neither a date nor a timestamp.' });
  if (to !== undefined && !end) fail(code, { message: '`to` is neither a date nor a timestamp.' });
  if (start && end && start > end) fail(code, { message: '`from` lies after `to`.' });
  return { start, end };
}

/** One end of a range: a timestamp, or a date that stands for its whole UTC day. Null when it is neither. */
export function rangeEnd(text: string, end: 'from' | 'to'): Date | null {
  if (z.iso.date().safeParse(text).success) {
    const midnight = Date.parse(`${text}T00:00:00.000Z`);
    return midnight < EARLIEST_MS ? null : new Date(end === 'from' ? midnight : midnight + DAY_MS - 1);
  }
  const parsed = timestamp.safeParse(text);
  return parsed.success ? parsed.data : null;
}

export const HOUR_MS = 60 * 60 * 1000;
export const DAY_MS = 24 * HOUR_MS;
