import { failValidation } from '#domain/errors.js';
import { rangeEnd } from '#domain/timestamp.js';

/**
 * The period of an earnings attestation, in calendar months (UTC). The first and the last month may
 * be partial.
 */
export interface EarningsWindow {
  readonly from: Date;
  /** Inclusive. */
  readonly to: Date;
  /** Every month that the window touches, oldest first: `2026-03`. */
  readonly months: readonly string[];
  /** Start of the twelve months that end with the window. */
  readonly trailingFrom: Date;
  /**
   * Ascending: the start of each month, of the window or of those twelve, and the start of the
   * window.
   */
  readonly cuts: readonly Date[];
}

export interface EarningsWindowQuery {
  months?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

export const DEFAULT_MONTHS = 12;
export const MAX_MONTHS = 120;

/**
 * The window of a query: from `from`, or `months` calendar months up to that of `to`. Events never
 * lie in the future, so a later `to` is now. Throws VALIDATION_ERROR.
 */
export function earningsWindowOf({ months, from, to }: EarningsWindowQuery, now: Date): EarningsWindow {
  const end = new Date(Math.min(momentOf('to', to)?.getTime() ?? now.getTime(), now.getTime()));
  const last = monthNo(end);
  const start = momentOf('from', from) ?? monthStart(last - monthsOf(months) + 1);
  if (start > end)
    failValidation([{ path: 'from', code: 'custom', message: 'must not lie after `to`, or now' }]);
  const first = monthNo(start);
  if (last - first > MAX_MONTHS) {
    const message = `must not lie more than ${MAX_MONTHS} months before \`to\``;
    failValidation([
      { path: 'from', code: 'too_small', message, expected: MAX_MONTHS, received: last - first },
    ]);
  }
  const trailing = last - TRAILING_MONTHS + 1;
  const starts = countUp(Math.min(first, trailing), last).map(monthStart);
  return {
    from: start,
    to: end,
    months: countUp(first, last).map(monthName),
    trailingFrom: monthStart(trailing),
    cuts: inOrder([...starts, start]),
  };
}

const TRAILING_MONTHS = 12;

function momentOf(end: 'from' | 'to', text: string | undefined): Date | null {
  if (text === undefined) return null;
  const message = 'must be a date, such as 2026-03-01, or an RFC 3339 timestamp';
  return (
    rangeEnd(text, end) ??
    failValidation([{ path: end, code: 'invalid_format', message, expected: 'datetime' }])
  );
}

function monthsOf(text: string | undefined): number {
  if (text === undefined) return DEFAULT_MONTHS;
  const months = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (months >= 1 && months <= MAX_MONTHS) return months;
  const message = `must be a whole number from 1 to ${MAX_MONTHS}`;
  return failValidation([{ path: 'months', code: 'invalid_value', message, received: text.slice(0, 64) }]);
}

function countUp(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

function inOrder(instants: readonly Date[]): Date[] {
  const times = [...new Set(instants.map((at) => at.getTime()))];
  return times.sort((left, right) => left - right).map((time) => new Date(time));
}

/** Months since the year 0. */
function monthNo(at: Date): number {
  return at.getUTCFullYear() * 12 + at.getUTCMonth();
}

/**
 * January of the year 1. The database writes earlier dates differently, and no event is that old.
 */
const EARLIEST_MONTH = 12;

function monthStart(no: number): Date {
  return new Date(`${monthName(Math.max(no, EARLIEST_MONTH))}-01T00:00:00.000Z`);
}

/** `2026-03` */
function monthName(no: number): string {
  const year = String(Math.floor(no / 12)).padStart(4, '0');
  return `${year}-${String((no % 12) + 1).padStart(2, '0')}`;
}
